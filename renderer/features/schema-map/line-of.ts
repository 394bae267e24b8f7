// Computes the points of a key's line. A line leaves the side of the parent and ends at the side of the child. Its height
// changes only between columns, so that it never runs behind a box. Pure.
import type { Point, SizedBox, SizedKey } from './map-layout.ts'

/** Length of the straight part at both ends of a line, which carries the symbols. */
export const END = 16
/** Distance between the straight part at a box in a block and the place where the line leaves the lane. */
const TURN = 14

export interface ColumnEdges {
  readonly left: number
  readonly right: number
}

/** The columns of a line: the columns of its two ends, and those that it passes at the height `y`. */
export interface LineColumns {
  readonly first: ColumnEdges
  readonly between: readonly (ColumnEdges & { readonly y: number })[]
  readonly last: ColumnEdges
}

interface Placed {
  readonly places: ReadonlyMap<string, Point>
  readonly sizes: ReadonlyMap<string, SizedBox>
}

const ORIGIN: Point = { x: 0, y: 0 }

/** @param columns `undefined` for a key that references its own table */
export function lineOf(
  key: SizedKey,
  columns: LineColumns | undefined,
  { places, sizes }: Placed,
): readonly Point[] {
  const from = places.get(key.parent) ?? ORIGIN
  const to = places.get(key.child) ?? ORIGIN
  const fromWidth = sizes.get(key.parent)?.width ?? 0
  const toWidth = sizes.get(key.child)?.width ?? 0
  const isBehind = to.x + toWidth <= from.x
  const isAhead = to.x >= from.x + fromWidth
  const leaves = isBehind ? -1 : 1
  const arrives = isAhead ? -1 : 1
  const start = { x: leaves === 1 ? from.x + fromWidth : from.x, y: from.y + key.parentOffset }
  const end = { x: arrives === 1 ? to.x + toWidth : to.x, y: to.y + key.childOffset }
  const out = { x: start.x + END * leaves, y: start.y }
  const into = { x: end.x + END * arrives, y: end.y }
  if (columns === undefined || isAhead === isBehind) return [start, out, into, end]
  const { between, first, last } = columns
  return [
    start,
    { ...out, x: isAhead ? Math.max(out.x, first.right) : Math.min(out.x, first.left) },
    ...between.flatMap((column) => through(column, isBehind)),
    { ...into, x: isAhead ? Math.min(into.x, last.left) : Math.max(into.x, last.right) },
    end,
  ]
}

/**
 * Computes a line that ends inside a block. The line runs to the block, along the lane above the child's row, and down to the
 * child.
 */
export function lineInto(
  key: SizedKey,
  { between, first, last }: LineColumns,
  lane: number,
  { places, sizes }: Placed,
): readonly Point[] {
  const from = places.get(key.parent) ?? ORIGIN
  const to = places.get(key.child) ?? ORIGIN
  const fromWidth = sizes.get(key.parent)?.width ?? 0
  const start = { x: from.x + fromWidth, y: from.y + key.parentOffset }
  const end = { x: to.x, y: to.y + key.childOffset }
  return [
    start,
    { x: Math.max(start.x + END, first.right), y: start.y },
    ...between.flatMap((column) => through(column, false)),
    { x: last.left, y: lane },
    { x: end.x - END - TURN, y: lane },
    { x: end.x - END, y: end.y },
    end,
  ]
}

function through(
  { left, right, y }: ColumnEdges & { readonly y: number },
  isBehind: boolean,
): readonly Point[] {
  const points = [
    { x: left, y },
    { x: right, y },
  ]
  return isBehind ? points.toReversed() : points
}
