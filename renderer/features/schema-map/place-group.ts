// Places tables that keys connect: referenced tables left, referencing tables right, in the columns of dagre's layered
// layout. Pure.
import { Graph, layout } from '@dagrejs/dagre'
import { type LeafBlock, leafBlocks } from './leaf-blocks.ts'
import { lineInto, lineOf } from './line-of.ts'
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
  const lines = new Map(
    keys.map((key) => {
      const block = blockOf.get(key.child)
      if (key.child === key.parent) return [key.id, lineOf(key, [], places, sizes)]
      if (block === undefined)
        return [key.id, lineOf(key, between(graph, key.parent, key.child, key.id), places, sizes)]
      const edge = { left: corner(block.id).x, lane: laneOf(block, corner(block.id), key.child) }
      const through = between(graph, key.parent, block.id, key.parent)
      return [key.id, lineInto(key, through, edge, { places, sizes })]
    }),
  )
  const { width = 0, height = 0 } = graph.graph()
  return { width, height, places, lines }
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

/** Returns the points where an edge passes columns. */
function between(graph: Graph, v: string, w: string, name: string): readonly Point[] {
  const points: readonly Point[] = graph.edge({ v, w, name }).points ?? []
  // dagre's points are: the border of the parent, then by turns a gap between columns and a column, then the border.
  return points.slice(1, -1).filter((_, index) => index % 2 === 1)
}

function within({ places }: LeafBlock, corner: Point, name: string): Point {
  const { x = 0, y = 0 } = places.get(name) ?? {}
  return { x: corner.x + x, y: corner.y + y }
}

function laneOf({ places }: LeafBlock, corner: Point, name: string): number {
  return corner.y + (places.get(name)?.lane ?? 0)
}
