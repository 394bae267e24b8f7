// A short text on hover and focus. A tooltip does not set the accessible name: name the element itself. The element only carries
// the text as attributes. A single popup of the shell shows all tooltips (shell/tooltip-area.tsx). A popup for each button and
// row would take longer to create than the screen itself.
import { cloneElement, type ReactElement } from 'react'

export interface TooltipProps {
  readonly text: string
  readonly keys?: string
  readonly side?: TooltipSide
  /** The element with the tooltip. The component must pass its properties to a DOM element. */
  readonly children: ReactElement
}

export type TooltipSide = 'top' | 'right' | 'bottom' | 'left'

export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps): ReactElement {
  const marks: object = { 'data-tip': text, 'data-tip-keys': keys, 'data-tip-side': side }
  return cloneElement(children, marks)
}

/** The tooltip, read from the element's attributes. */
export interface Tip {
  readonly element: HTMLElement
  readonly text: string
  readonly keys: string | undefined
  readonly side: TooltipSide
}

const SIDES: readonly TooltipSide[] = ['top', 'right', 'bottom', 'left']

/** The tooltip of the element or of its nearest parent with one. */
export function tipOf(target: EventTarget | null): Tip | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null
  if (element === null) return undefined
  const { tip = '', tipKeys, tipSide } = element.dataset
  const side = SIDES.find((one) => one === tipSide) ?? 'bottom'
  return { element, text: tip, keys: tipKeys, side }
}
