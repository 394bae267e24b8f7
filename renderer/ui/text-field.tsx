// A text field with a label, for one or several lines.
import { type KeyboardEvent, type ReactElement, useId } from 'react'
import { cx } from './cx.ts'
import { FIELD } from './popup.ts'

export interface TextFieldProps {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly hint?: string
  /** The reason why the field does not accept the text. */
  readonly error?: string | undefined
  readonly isMono?: boolean
  readonly isDisabled?: boolean
  readonly kind?: 'text' | 'password' | 'number' | 'email'
  /** The number of lines. A field with several lines is a text area. */
  readonly lines?: number
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly onFocus?: () => void
}

export function TextField({
  label,
  isLabelHidden = false,
  value,
  onChange,
  placeholder,
  hint,
  error,
  isMono = false,
  isDisabled = false,
  kind = 'text',
  lines = 1,
  onKeyDown,
  onFocus,
}: TextFieldProps): ReactElement {
  const id = useId()
  const note = error ?? hint
  const shared = {
    id,
    value,
    placeholder,
    disabled: isDisabled,
    onKeyDown,
    onFocus,
    spellCheck: false,
    autoComplete: 'off',
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': note === undefined ? undefined : `${id}-note`,
  }
  const look = cx(FIELD, isMono && 'font-mono')
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-small text-ink-dim'}>
        {label}
      </label>
      {lines > 1 ? (
        <textarea
          {...shared}
          rows={lines}
          onChange={(event) => onChange(event.target.value)}
          className={cx(look, 'h-auto py-1')}
        />
      ) : (
        <input
          {...shared}
          type={kind}
          onChange={(event) => onChange(event.target.value)}
          className={look}
        />
      )}
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={cx('text-small', error === undefined ? 'text-ink-dim' : 'text-refused')}
        >
          {note}
        </p>
      )}
    </div>
  )
}
