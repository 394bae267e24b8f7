// Shows a service's state as a shape with a label: a disc means healthy, a ring changing, a square unhealthy.
import type { ReactElement } from 'react'
import { cx } from './cx.ts'

export type DotState = 'well' | 'changing' | 'bad' | 'off'

export interface StatusDotProps {
  readonly state: DotState
  /** The label beside the shape. With `isLabelHidden`, the label is only for screen readers. */
  readonly label: string
  readonly isLabelHidden?: boolean
}

const LOOKS: Readonly<Record<DotState, string>> = {
  well: 'rounded-full bg-allowed',
  changing: 'rounded-full border-2 border-clock',
  bad: 'bg-refused',
  off: 'rounded-full border border-unknown',
}

export function StatusDot({ state, label, isLabelHidden = false }: StatusDotProps): ReactElement {
  return (
    <span className="inline-flex items-center gap-2" title={isLabelHidden ? label : undefined}>
      <span aria-hidden="true" className={cx('size-2 shrink-0', LOOKS[state])} />
      <span className={isLabelHidden ? 'sr-only' : 'truncate'}>{label}</span>
    </span>
  )
}
