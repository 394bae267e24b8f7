// Places a group of tables that keys connect, in the columns of dagre's layered layout. Referenced tables are left of the tables
// that reference them. Pure.
import { Graph, layout } from '@dagrejs/dagre'
import { type LeafBlock, leafBlocks } from './leaf-blocks.ts'
import { type ColumnEdges, lineInto, lineOf } from './line-of.ts'
import type { MapLayout, Point, SizedBox, SizedKey } from './map-layout.ts'

const GAP = { column: 88, row: 24, line: 10 }

/** @param columns the number of columns of each block of tables that reference the same tables */
export function placeGroup(
  boxes: readonly SizedBox[],
  keys: readonly SizedKey[],
  columns: number,
): MapLayout {
  const blocks = leafBlocks(boxes, keys, columns)
  const blockOf = new Map(
    blocks.flatMap((block) => [...block.places.keys()].map((name) => [name, block] as const)),
  )
  const graph = graphOf(boxes, keys, blocks)
  layout(graph)
  const corner = (id: string): Point => {
    const { x = 0, y = 0, width, height } = graph.node(id)
    return { x: x - width / 2, y: y - height / 2 }
  }
  const places = new Map(
    boxes.map(({ name }) => {
      const block = blockOf.get(name)
      return [name, block === undefined ? corner(name) : within(block, corner(block.id), name)]
    }),
  )
  const sizes = new Map(boxes.map((box) => [box.name, box]))
  const edgesAt = columnEdges(graph)
  const edgesOf = (id: string) => edgesAt(graph.node(id).x ?? 0)
  const lines = new Map(
    keys.map((key) => {
      const block = blockOf.get(key.child)
      if (key.child === key.parent) return [key.id, lineOf(key, undefined, { places, sizes })]
      const end = block?.id ?? key.child
      const columns = {
        first: edgesOf(key.parent),
        between: between(graph, key.parent, end, block === undefined ? key.id : key.parent).map(
          ({ x, y }) => ({ ...edgesAt(x), y }),
        ),
        last: edgesOf(end),
      }
      if (block === undefined) return [key.id, lineOf(key, columns, { places, sizes })]
      const lane = laneOf(block, corner(block.id), key.child)
      return [key.id, lineInto(key, columns, lane, { places, sizes })]
    }),
  )
  const { width = 0, height = 0 } = graph.graph()
  return withLines({ width, height, places, lines })
}

// Extends the layout to its lines. dagre's size covers only the boxes, and a line may pass above or below all boxes of a column.
function withLines({ height, lines, places, width }: MapLayout): MapLayout {
  const heights = [...lines.values()].flat().map(({ y }) => y)
  const top = Math.min(0, ...heights.map((y) => y - GAP.line))
  const bottom = Math.max(height, ...heights.map((y) => y + GAP.line))
  const down = ({ x, y }: Point): Point => ({ x, y: y - top })
  return {
    width,
    height: bottom - top,
    places: new Map([...places].map(([name, place]) => [name, down(place)])),
    lines: new Map([...lines].map(([id, points]) => [id, points.map(down)])),
  }
}

function graphOf(
  boxes: readonly SizedBox[],
  keys: readonly SizedKey[],
  blocks: readonly LeafBlock[],
): Graph {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', ranksep: GAP.column, nodesep: GAP.row, edgesep: GAP.line })
  const inBlocks = new Set(blocks.flatMap(({ places }) => [...places.keys()]))
  for (const { name, width, height } of boxes)
    if (!inBlocks.has(name)) graph.setNode(name, { width, height })
  for (const { id, width, height, parents } of blocks) {
    graph.setNode(id, { width, height })
    for (const parent of parents) graph.setEdge(parent, id, {}, parent)
  }
  for (const { id, child, parent } of keys)
    if (child !== parent && !inBlocks.has(child)) graph.setEdge(parent, child, {}, id)
  return graph
}

/**
 * Returns a function that finds the edges of the column at a horizontal position. Boxes of a column have the same centre and may
 * have different widths.
 */
function columnEdges(graph: Graph): (x: number) => ColumnEdges {
  const columns = new Map<number, ColumnEdges>()
  for (const id of graph.nodes()) {
    const { width, x = 0 } = graph.node(id)
    const middle = Math.round(x)
    const known = columns.get(middle)
    columns.set(middle, {
      left: Math.min(x - width / 2, known?.left ?? x),
      right: Math.max(x + width / 2, known?.right ?? x),
    })
  }
  return (x) => columns.get(Math.round(x)) ?? { left: x, right: x }
}

/** Returns the points at which an edge passes columns. */
function between(graph: Graph, v: string, w: string, name: string): readonly Point[] {
  const points: readonly Point[] = graph.edge({ v, w, name }).points ?? []
  // dagre returns these points: the border of the parent, then alternately a gap between columns and a column, then the border
  // of the child.
  return points.slice(1, -1).filter((_, index) => index % 2 === 1)
}

function within({ places }: LeafBlock, corner: Point, name: string): Point {
  const { x = 0, y = 0 } = places.get(name) ?? {}
  return { x: corner.x + x, y: corner.y + y }
}

function laneOf({ places }: LeafBlock, corner: Point, name: string): number {
  return corner.y + (places.get(name)?.lane ?? 0)
}
