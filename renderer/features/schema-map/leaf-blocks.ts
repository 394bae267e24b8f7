// Joins tables into blocks. The tables of a block reference the same tables, and no table references them. dagre places a block
// as one node, inside which the tables form a grid. In a single column, the tables would make the drawing long and narrow. The
// lines to the tables run between the rows of the grid. Pure.
import type { Point, SizedBox, SizedKey } from './map-layout.ts'

export interface LeafBlock {
  readonly id: string
  readonly parents: readonly string[]
  readonly width: number
  readonly height: number
  /**
   * Offsets of the boxes in the block, by the table's name. `lane` is the height of the lines above the row that contains the
   * box.
   */
  readonly places: ReadonlyMap<string, Point & { readonly lane: number }>
}

const LEAST = 3
const GAP = { row: 24, column: 48 }

/** @param columns the number of columns of each block */
export function leafBlocks(
  boxes: readonly SizedBox[],
  keys: readonly SizedKey[],
  columns: number,
): readonly LeafBlock[] {
  const referenced = new Set(keys.filter(isBetween).map(({ parent }) => parent))
  const keysOf = Map.groupBy(keys.filter(isBetween), ({ child }) => child)
  const parentsOf = ({ name }: SizedBox) =>
    [...new Set((keysOf.get(name) ?? []).map(({ parent }) => parent))].toSorted()
  const leaves = boxes.filter(({ name }) => !referenced.has(name) && keysOf.has(name))
  const alike = Map.groupBy(leaves, (leaf) => JSON.stringify(parentsOf(leaf)))
  return [...alike.values()]
    .filter((group) => group.length >= LEAST)
    .map((group, index) => blockOf(`block ${index}`, group, parentsOf, columns))
}

function isBetween({ parent, child }: SizedKey): boolean {
  return parent !== child
}

function blockOf(
  id: string,
  boxes: readonly SizedBox[],
  parentsOf: (box: SizedBox) => readonly string[],
  most: number,
): LeafBlock {
  const columns = Math.min(most, boxes.length)
  const [first] = boxes
  const step = (first?.width ?? 0) + GAP.column
  const places = new Map<string, Point & { readonly lane: number }>()
  let top = 0
  for (let start = 0; start < boxes.length; start += columns) {
    const row = boxes.slice(start, start + columns)
    for (const [column, { name }] of row.entries())
      places.set(name, {
        x: GAP.column + column * step,
        y: top + GAP.row,
        lane: top + GAP.row / 2,
      })
    top += GAP.row + Math.max(...row.map(({ height }) => height))
  }
  return {
    id,
    parents: first === undefined ? [] : parentsOf(first),
    width: columns * step,
    height: top,
    places,
  }
}
