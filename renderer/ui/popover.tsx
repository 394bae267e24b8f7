// A small panel that a button opens beside itself.
import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'
import { POPUP, PopupPlace } from './popup.ts'

export function Popover(props: {
  readonly trigger: ReactElement
  /** The heading, and the name of the panel for screen readers. */
  readonly title: string
  /** Hides the heading, for content that has its own heading or needs none. */
  readonly isTitleHidden?: boolean
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
}): ReactElement {
  const { trigger, title, isTitleHidden = false, children } = props
  const { align = 'start', isOpen, onOpenChange } = props
  return (
    <Base.Root
      {...(isOpen === undefined ? {} : { open: isOpen })}
      {...(onOpenChange === undefined ? {} : { onOpenChange: (open) => onOpenChange(open) })}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-40">
          <Base.Popup
            aria-label={isTitleHidden ? title : undefined}
            className={cx(POPUP, 'min-w-56 p-3')}
          >
            {!isTitleHidden && <Base.Title className="pb-2 font-strong">{title}</Base.Title>}
            <PopupPlace value={undefined}>{children}</PopupPlace>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
