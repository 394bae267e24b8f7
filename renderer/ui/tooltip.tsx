// A short text on hover and focus. A tooltip does not set the accessible name: name the element itself.
import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { Kbd } from './kbd.tsx'

export interface TooltipProps {
  readonly text: string
  readonly keys?: string
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  /** The element with the tooltip. The element must accept a ref. */
  readonly children: ReactElement
}

export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps): ReactElement {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={400} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="flex max-w-80 items-center gap-2 rounded-1 border border-line-strong bg-surface-3 px-2 py-1 text-small text-ink shadow-pop">
            {text}
            {keys !== undefined && <Kbd keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
