// The search field of a list. The key `/` focuses the field from anywhere on the screen. Esc clears the field and
// returns the focus.
import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactElement, useEffect, useRef } from 'react'
import { cx } from './cx.ts'
import { isTyping } from './keyboard.ts'
import { FIELD } from './popup.ts'

export interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  /** Whether the key `/` focuses this field. Only one field per screen sets this property. */
  readonly hasSlash?: boolean
  readonly className?: string
}

export function SearchField(props: SearchFieldProps): ReactElement {
  const { label, value, onChange, placeholder = label, hasSlash = true, className } = props
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!hasSlash) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [hasSlash])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    if (value === '') field.current?.blur()
    else onChange('')
  }
  return (
    <div className={cx('relative w-64 min-w-32', className)}>
      <Search className="pointer-events-none absolute top-2 left-2 size-3 text-ink-dim" />
      <input
        ref={field}
        type="search"
        aria-label={label}
        aria-keyshortcuts={hasSlash ? '/' : undefined}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        onKeyDown={onKeyDown}
        onChange={(event) => onChange(event.target.value)}
        className={cx(FIELD, 'pl-7')}
      />
    </div>
  )
}
