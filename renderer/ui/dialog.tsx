// A panel over the page, in the middle or at the right. Use Sheet for the details of a list, because a sheet keeps the list
// visible.
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactElement, type ReactNode, useRef } from 'react'
import { cx } from './cx.ts'
import { firstField } from './first-field.ts'
import { PopupPlace } from './popup.ts'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly side?: 'middle' | 'right'
  /** The title is only for screen readers, and the content has its own padding. */
  readonly isBare?: boolean
  /** Prevents a click outside and Esc from closing the dialog. */
  readonly isFirm?: boolean
  readonly width?: 'usual' | 'wide'
  /**
   * The content has no focusable element. The content itself gets the focus, so that the user can scroll it with the keyboard.
   */
  readonly isText?: boolean
}

const WIDTHS = {
  middle: { usual: 'w-[480px]', wide: 'w-[720px]' },
  right: { usual: 'w-[520px]', wide: 'w-[680px]' },
} as const

export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  side = 'middle',
  isBare = false,
  isFirm = false,
  width = 'usual',
  isText = false,
}: DialogProps): ReactElement {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open && !isFirm) onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-surface-0/60 backdrop-blur-[1px]" />
        <Base.Popup
          ref={popup}
          // By default the focus goes to the Close button.
          initialFocus={() => firstField(popup.current) ?? true}
          className={cx(
            'fixed z-40 flex flex-col border-line-strong bg-surface-1 text-ink shadow-pop outline-none',
            side === 'right'
              ? 'inset-y-0 right-0 max-w-[90vw] border-l'
              : 'top-[12vh] left-1/2 max-h-[76vh] max-w-[92vw] -translate-x-1/2 rounded-3 border',
            WIDTHS[side][width],
          )}
        >
          <div
            className={cx(
              'flex h-11 shrink-0 items-center justify-between border-b pr-2 pl-4',
              isBare && 'sr-only',
            )}
          >
            <Base.Title className="text-title font-strong">{title}</Base.Title>
            {isFirm ? undefined : (
              <Base.Close
                aria-label="Close"
                className="rounded-1 p-1 text-ink-dim hover:bg-surface-2 hover:text-ink [&_svg]:size-4"
              >
                <X />
              </Base.Close>
            )}
          </div>
          <div
            tabIndex={isText ? 0 : undefined}
            className={cx('min-h-0 flex-1 overflow-auto', !isBare && 'p-4')}
          >
            <PopupPlace value={undefined}>{children}</PopupPlace>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
