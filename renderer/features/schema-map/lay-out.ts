// Places the boxes of the schema map. Groups of tables that no key connects are placed side by side. Runs in a worker. Pure.
import { lineOf } from './line-of.ts'
import type { MapLayout, Point, SizedBox, SizedKey } from './map-layout.ts'
import { placeGroup } from './place-group.ts'

/** The gap `alone` has room for the line of a table that references itself. */
const GAP = { row: 24, alone: 40, group: 56 }
const MARGIN = 40
/** Preferred width of the drawing divided by its height. */
const ASPECT = 1.7

export function layOut(boxes: readonly SizedBox[], keys: readonly SizedKey[]): MapLayout {
  const groups = groupsOf(boxes, keys)
  const parts = groups
    .filter((group) => group.length > 1)
    .map((group) => bestForm(group, keysAmong(group, keys)))
    .toSorted((one, other) => other.width * other.height - one.width * one.height)
  const alone = groups.filter((group) => group.length === 1).flat()
  if (alone.length > 0) parts.push(placeAlone(alone, keysAmong(alone, keys), parts))
  return sideBySide(parts)
}

function keysAmong(group: readonly SizedBox[], keys: readonly SizedKey[]): readonly SizedKey[] {
  const names = new Set(group.map(({ name }) => name))
  return keys.filter(({ child }) => names.has(child))
}

/** Groups the boxes that are connected by keys, directly or through other boxes. */
function groupsOf(
  boxes: readonly SizedBox[],
  keys: readonly SizedKey[],
): readonly (readonly SizedBox[])[] {
  const root = new Map(boxes.map(({ name }) => [name, name]))
  const find = (name: string): string => {
    let at = name
    for (let up = root.get(at); up !== undefined && up !== at; up = root.get(at)) at = up
    return at
  }
  for (const { child, parent } of keys) root.set(find(child), find(parent))
  return [...Map.groupBy(boxes, ({ name }) => find(name)).values()]
}

/** Numbers of columns that are tried for blocks of tables. Each number gives another form of the layout. */
const FORMS = [1, 2, 3, 4, 6]
/** The largest group for which all forms are tried. For a larger group, only one form is computed. */
const MANY = 120

/** Returns the form that appears largest on a screen. */
function bestForm(boxes: readonly SizedBox[], keys: readonly SizedKey[]): MapLayout {
  const [first = 1, ...rest] = boxes.length > MANY ? [4] : FORMS
  let best = placeGroup(boxes, keys, first)
  for (const columns of rest) {
    const next = placeGroup(boxes, keys, columns)
    if (extent(next) < extent(best)) best = next
  }
  return best
}

function extent({ width, height }: MapLayout): number {
  return Math.max(width / ASPECT, height)
}

/**
 * Places unconnected tables in columns of similar height. When there are enough tables, the columns together are at least as
 * wide as the widest group.
 */
function placeAlone(
  boxes: readonly SizedBox[],
  loops: readonly SizedKey[],
  groups: readonly MapLayout[],
): MapLayout {
  const step = (boxes[0]?.width ?? 0) + GAP.alone
  const columns = columnsFor(boxes, step, groups)
  const ends = columns.map(() => 0)
  const places = new Map<string, Point>()
  for (const { name, height } of boxes) {
    const column = ends.indexOf(Math.min(...ends))
    const y = ends[column] ?? 0
    places.set(name, { x: columns[column] ?? 0, y })
    ends[column] = y + height + GAP.row
  }
  const sizes = new Map(boxes.map((box) => [box.name, box]))
  return {
    width: (columns.at(-1) ?? 0) + step,
    height: Math.max(...ends) - GAP.row,
    places,
    lines: new Map(loops.map((key) => [key.id, lineOf(key, undefined, { places, sizes })])),
  }
}

/**
 * Returns the left edges of the columns. A few tables are aligned with columns of the widest group; more tables get columns side
 * by side.
 */
function columnsFor(
  boxes: readonly SizedBox[],
  step: number,
  groups: readonly MapLayout[],
): readonly number[] {
  const widest = groups.toSorted((one, other) => other.width - one.width)[0]
  const above: number[] = []
  for (const { x } of [...(widest?.places.values() ?? [])].toSorted((a, b) => a.x - b.x))
    if (x >= (above.at(-1) ?? -step) + step) above.push(x)
  if (boxes.length <= above.length) return above.slice(0, boxes.length)
  const area = boxes.reduce((sum, { height }) => sum + (height + GAP.row) * step, 0)
  const wanted = Math.max(Math.sqrt(area * ASPECT), widest?.width ?? 0)
  const count = Math.min(Math.max(1, Math.round(wanted / step)), boxes.length)
  return Array.from({ length: count }, (_, index) => index * step)
}

/** Places the groups in rows. Tries several widths of a row, and returns the layout that appears largest on a screen. */
function sideBySide(parts: readonly MapLayout[]): MapLayout {
  const widths = parts.map(({ width }) => width + GAP.group)
  const least = Math.max(0, ...widths)
  const sum = widths.reduce((total, width) => total + width, 0)
  const tries = [least, 1.25 * least, 1.5 * least, 2 * least, sum].filter((most) => most <= sum)
  return tries
    .map((most) => inRows(parts, most))
    .reduce((best, next) => (extent(next) < extent(best) ? next : best), inRows(parts, least))
}

function inRows(parts: readonly MapLayout[], most: number): MapLayout {
  const places = new Map<string, Point>()
  const lines = new Map<string, readonly Point[]>()
  const size = { width: 0, height: 0 }
  let row = { x: 0, y: 0, height: 0 }
  for (const part of parts) {
    if (row.x > 0 && row.x + part.width + GAP.group > most)
      row = { x: 0, y: row.y + row.height + GAP.group, height: 0 }
    const left = row.x + MARGIN
    const top = row.y + MARGIN
    const move = ({ x, y }: Point): Point => ({ x: x + left, y: y + top })
    for (const [name, place] of part.places) places.set(name, move(place))
    for (const [id, line] of part.lines) lines.set(id, line.map(move))
    row = {
      x: row.x + part.width + GAP.group,
      y: row.y,
      height: Math.max(row.height, part.height),
    }
    size.width = Math.max(size.width, left + part.width + MARGIN)
    size.height = Math.max(size.height, top + part.height + MARGIN)
  }
  return { ...size, places, lines }
}
