// The points of a key's line. A line leaves the side of the parent, passes columns straight, and ends at the side of the
// child. Pure.
import type { Point, SizedBox, SizedKey } from './map-layout.ts'

/** Length of the straight piece at both ends of a line, where the marks are. */
export const END = 16
/** Where a line leaves the lane of a block, left of the box's own straight piece. */
const TURN = 14

type Places = ReadonlyMap<string, Point>
type Sizes = ReadonlyMap<string, SizedBox>

const ORIGIN: Point = { x: 0, y: 0 }

/** @param between the middles of the columns that the line passes */
export function lineOf(
  key: SizedKey,
  between: readonly Point[],
  places: Places,
  sizes: Sizes,
): readonly Point[] {
  const from = places.get(key.parent) ?? ORIGIN
  const to = places.get(key.child) ?? ORIGIN
  const fromWidth = sizes.get(key.parent)?.width ?? 0
  const toWidth = sizes.get(key.child)?.width ?? 0
  const isAhead = to.x >= from.x + fromWidth
  const isBehind = to.x + toWidth <= from.x
  const leaves = isBehind ? -1 : 1
  const arrives = isAhead ? -1 : 1
  const start = { x: leaves === 1 ? from.x + fromWidth : from.x, y: from.y + key.parentOffset }
  const end = { x: arrives === 1 ? to.x + toWidth : to.x, y: to.y + key.childOffset }
  return [
    start,
    { x: start.x + END * leaves, y: start.y },
    ...(isAhead || isBehind ? through(between, (fromWidth / 2) * leaves) : []),
    { x: end.x + END * arrives, y: end.y },
    end,
  ]
}

/** Leads a line into a block: to its left side, along the lane above the child's row, and down to the child. */
export function lineInto(
  key: SizedKey,
  between: readonly Point[],
  block: { readonly left: number; readonly lane: number },
  { places, sizes }: { readonly places: Places; readonly sizes: Sizes },
): readonly Point[] {
  const from = places.get(key.parent) ?? ORIGIN
  const to = places.get(key.child) ?? ORIGIN
  const fromWidth = sizes.get(key.parent)?.width ?? 0
  const start = { x: from.x + fromWidth, y: from.y + key.parentOffset }
  const end = { x: to.x, y: to.y + key.childOffset }
  return [
    start,
    { x: start.x + END, y: start.y },
    ...through(between, fromWidth / 2),
    { x: block.left, y: block.lane },
    { x: end.x - END - TURN, y: block.lane },
    { x: end.x - END, y: end.y },
    end,
  ]
}

function through(columns: readonly Point[], half: number): readonly Point[] {
  return columns.flatMap(({ x, y }) => [
    { x: x - half, y },
    { x: x + half, y },
  ])
}
