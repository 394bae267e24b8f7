// The line of a foreign key with its symbols at both ends. A crow's foot means that many rows may reference one row, a bar
// means one row, and a circle means none.
import { type MemoExoticComponent, memo, type ReactElement } from 'react'
import { cx } from '../../ui/cx.ts'
import type { Point } from './map-layout.ts'
import type { MapKey } from './map-model.ts'

export interface KeyLineProps {
  readonly mapKey: MapKey
  readonly points: readonly Point[]
  readonly isMarked: boolean
  readonly isDimmed: boolean
}

export const KeyLine: MemoExoticComponent<(props: KeyLineProps) => ReactElement> = memo(
  function KeyLine(props: KeyLineProps): ReactElement {
    const { mapKey, points, isMarked, isDimmed } = props
    const { child, parent, columns } = mapKey
    return (
      <g
        strokeWidth={isMarked ? 2 : 1.25}
        className={cx(
          'fill-none',
          isMarked ? 'stroke-accent' : 'stroke-ink-dim/70',
          isDimmed && 'opacity-25',
        )}
      >
        <title>{`${child} (${columns.join(', ')}) references ${parent}`}</title>
        <path d={pathOf(points)} />
        <Marks mapKey={mapKey} points={points} />
      </g>
    )
  },
)

function Marks(props: {
  readonly mapKey: MapKey
  readonly points: readonly Point[]
}): ReactElement | null {
  const { mapKey, points } = props
  const [start, next] = points
  const [before, end] = points.slice(-2)
  if (start === undefined || next === undefined || before === undefined || end === undefined)
    return null
  const out = Math.sign(next.x - start.x)
  const back = Math.sign(before.x - end.x)
  return (
    <>
      {mapKey.isNullable ? (
        <circle cx={start.x + 10 * out} cy={start.y} r={3.5} className="fill-surface-0" />
      ) : (
        <path d={`M${start.x + 8 * out} ${start.y - 5}v10`} />
      )}
      {mapKey.isUnique ? (
        <path d={`M${end.x + 8 * back} ${end.y - 5}v10`} />
      ) : (
        <path d={`M${end.x} ${end.y - 5}L${end.x + 10 * back} ${end.y}L${end.x} ${end.y + 5}`} />
      )}
    </>
  )
}

/** Joins points by straight horizontal lines, and by curves where the height changes. */
export function pathOf(points: readonly Point[]): string {
  const [start, ...rest] = points
  if (start === undefined) return ''
  let at = start
  let path = `M${at.x} ${at.y}`
  for (const { x, y } of rest) {
    const middle = (at.x + x) / 2
    // A line that ends at the side where it starts makes an arc to the right.
    const bow = Math.abs(x - at.x) < 1 ? x + 24 : middle
    path += y === at.y ? `H${x}` : `C${bow} ${at.y} ${bow} ${y} ${x} ${y}`
    at = { x, y }
  }
  return path
}
