// Two panes with a movable edge between them. The user drags the edge or uses arrow keys.
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'
import { edgeDrag } from './drag.ts'
import { useRemembered } from './remembered.ts'

export interface SplitterProps {
  /** The left or upper pane, whose size the edge sets. */
  readonly first: ReactNode
  readonly second: ReactNode
  /** The axis `x` puts panes side by side, and `y` one above the other. */
  readonly axis?: 'x' | 'y'
  /** Initial size of the first pane, in px. */
  readonly initial?: number
  readonly min?: number
  readonly max?: number
  /** The browser stores the size under this name. */
  readonly name?: string
  /** Accessible name of the edge: "Resize the list of tables". */
  readonly label: string
}

export function Splitter(props: SplitterProps): ReactElement {
  const { first, second, axis = 'x', initial = 240, min = 120, max = 900, name, label } = props
  const [size, setSize] = useRemembered(name && `split.${name}`, initial)
  const clamped = Math.min(max, Math.max(min, size))
  const drag = edgeDrag(
    axis,
    () => clamped,
    (next) => setSize(Math.min(max, Math.max(min, next))),
  )
  const isRow = axis === 'x'
  return (
    <div className={cx('flex min-h-0 min-w-0 flex-1', isRow ? 'flex-row' : 'flex-col')}>
      <div
        // In a narrow window both panes get the same width, until the user moves the edge.
        style={
          isRow
            ? { width: clamped, maxWidth: size === initial ? '50%' : '65%' }
            : { height: clamped }
        }
        className="flex shrink-0 flex-col overflow-hidden"
      >
        {first}
      </div>
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={isRow ? 'vertical' : 'horizontal'}
        aria-valuenow={Math.round(clamped)}
        aria-valuemin={min}
        aria-valuemax={max}
        {...drag}
        className={cx(
          'relative z-10 shrink-0 touch-none bg-line transition-colors hover:bg-accent focus-visible:bg-accent',
          isRow
            ? 'w-[1px] cursor-col-resize before:absolute before:inset-y-0 before:-left-1 before:w-2'
            : 'h-[1px] cursor-row-resize before:absolute before:inset-x-0 before:-top-1 before:h-2',
        )}
      />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{second}</div>
    </div>
  )
}
