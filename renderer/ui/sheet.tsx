// A sheet with the details of the selected item. The sheet opens at the right of the list, which stays usable. Where
// there is little room, the sheet covers a part of the list. Esc closes the sheet, and the focus returns to the element that opened it.
import { X } from 'lucide-react'
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from './button.tsx'
import { edgeDrag } from './drag.ts'
import { firstField } from './first-field.ts'
import { useFocusReturn } from './focus-return.ts'
import { isPopupOpen } from './keyboard.ts'
import { useRemembered } from './remembered.ts'

export interface SheetLayoutProps {
  /** The list at the left. */
  readonly children: ReactNode
  /** The open Sheet, or `undefined` when no sheet is open. */
  readonly sheet?: ReactNode
}

/** Lays out a list and its sheet side by side, in the rest of the screen. */
export function SheetLayout({ children, sheet }: SheetLayoutProps): ReactElement {
  return (
    <div className="@container/sheet relative flex min-h-0 min-w-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">{children}</div>
      {sheet}
    </div>
  )
}

export interface SheetProps {
  readonly title: ReactNode
  /** Accessible name. */
  readonly label: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons in the header of the sheet. */
  readonly actions?: ReactNode
  /** The browser stores the sheet's width under this name. */
  readonly name?: string
  /** Initial width in px. The user can drag the edge to change it. */
  readonly width?: number
  /** The content has its own padding and scrolling. */
  readonly isBare?: boolean
  /** The sheet shows something to fill in, so the first field or choice gets the focus. */
  readonly isForm?: boolean
}

const WIDTH = { least: 320, most: 1_100 }

function firstControl(sheet: HTMLElement | null): HTMLElement | undefined {
  const other = sheet?.querySelector<HTMLElement>('[role=combobox], form button:not(:disabled)')
  return firstField(sheet) ?? other ?? undefined
}

export function Sheet(props: SheetProps): ReactElement {
  const { title, label, onClose, children, actions, name, width = 480 } = props
  const { isBare = false, isForm = false } = props
  const sheet = useRef<HTMLElement>(null)
  useFocusReturn()
  useEffect(() => {
    if (isForm) firstControl(sheet.current)?.focus()
  }, [isForm])
  const [size, setSize] = useRemembered(name && `sheet.${name}`, width)
  const clamped = Math.min(WIDTH.most, Math.max(WIDTH.least, size))
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isPopupOpen()) onClose()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onClose])
  const drag = edgeDrag(
    'x',
    () => clamped,
    (next) => setSize(Math.min(WIDTH.most, Math.max(WIDTH.least, next))),
    -1,
  )
  return (
    <aside
      ref={sheet}
      aria-label={label}
      style={{ width: clamped }}
      className="relative flex max-w-[70%] shrink-0 flex-col border-l bg-surface-1 @max-[760px]/sheet:absolute @max-[760px]/sheet:inset-y-0 @max-[760px]/sheet:right-0 @max-[760px]/sheet:z-30 @max-[760px]/sheet:max-w-[calc(100%-32px)] @max-[760px]/sheet:shadow-pop"
    >
      <div
        role="separator"
        tabIndex={0}
        aria-label="Resize the sheet"
        aria-orientation="vertical"
        aria-valuenow={Math.round(clamped)}
        aria-valuemin={WIDTH.least}
        aria-valuemax={WIDTH.most}
        {...drag}
        className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none hover:bg-accent/40 focus-visible:bg-accent/40"
      />
      <header className="flex h-10 shrink-0 items-center gap-2 border-b pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate font-strong">{title}</h2>
        {actions}
        <IconButton label="Close" keys="Esc" icon={<X />} onClick={onClose} />
      </header>
      {isBare ? (
        <div className="flex min-h-0 flex-1 flex-col">{children}</div>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-auto p-4">{children}</div>
      )}
    </aside>
  )
}

/** A part of a sheet or page with its own small heading. */
export function Section(props: {
  readonly title: string
  readonly beside?: ReactNode
  readonly children: ReactNode
}): ReactElement {
  const { title, beside, children } = props
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center gap-2">
        <h2 className="text-small font-strong text-ink-dim">{title}</h2>
        <div className="ml-auto flex items-center gap-2">{beside}</div>
      </div>
      {children}
    </section>
  )
}
