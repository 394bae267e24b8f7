// The boxes and lines of the schema map, made from a project's structure. Sizes are in the units of the drawing. Pure.
import type { ProjectStructure, TableStructure } from '../../../emulator/contract/tables.ts'

export type ShownColumns = 'keys' | 'all' | 'none'

export interface BoxLine {
  readonly name: string
  readonly type: string
  readonly isKey: boolean
  readonly isForeign: boolean
}

export interface MapBox {
  readonly table: TableStructure
  readonly lines: readonly BoxLine[]
  /** Number of columns that the box does not show. */
  readonly leftOut: number
  readonly width: number
  readonly height: number
}

export interface MapKey {
  /** Unique in the map, unlike a constraint's name, which is unique only within a table. */
  readonly id: string
  readonly name: string
  /** The table that the key belongs to. */
  readonly child: string
  readonly parent: string
  readonly columns: readonly string[]
  /** Each parent row has at most one child row. */
  readonly isUnique: boolean
  /** A child row may have no parent row. */
  readonly isNullable: boolean
  /** The heights at which the line meets the boxes, measured from the top of each box. */
  readonly childOffset: number
  readonly parentOffset: number
}

export interface SchemaMap {
  readonly boxes: readonly MapBox[]
  readonly keys: readonly MapKey[]
}

export const HEAD_HEIGHT = 30
export const LINE_HEIGHT = 20
export const FOOT_HEIGHT = 22
/** Width of one character of the monospace font at 12 units. */
export const CHARACTER = 7.3
const WIDTH = { least: 184, most: 264 }

/**
 * Returns the map of a project's own tables and views. A table of the platform (`auth_*`) appears only when one of the
 * project's tables references it.
 */
export function schemaMap({ tables }: ProjectStructure, shown: ShownColumns): SchemaMap {
  const referenced = new Set(
    tables
      .filter(({ is_closed }) => !is_closed)
      .flatMap(({ foreign_keys }) => foreign_keys.map((key) => key.target_table)),
  )
  const visible = tables.filter(({ name, is_closed }) => !is_closed || referenced.has(name))
  const sizes = visible.map((table) => ({ table, ...linesOf(table, shown) }))
  const width = Math.max(WIDTH.least, ...sizes.map(widthOf))
  const boxes = sizes.map(({ table, lines, leftOut }) => ({
    table,
    lines,
    leftOut,
    width: Math.min(WIDTH.most, width),
    height: HEAD_HEIGHT + (lines.length + (leftOut > 0 ? 1 : 0)) * LINE_HEIGHT + FOOT_HEIGHT,
  }))
  const byName = new Map(boxes.map((box) => [box.table.name, box]))
  return { boxes, keys: boxes.flatMap((box) => keysOf(box, byName)) }
}

function linesOf(
  table: TableStructure,
  shown: ShownColumns,
): { readonly lines: readonly BoxLine[]; readonly leftOut: number } {
  if (shown === 'none') return { lines: [], leftOut: 0 }
  const foreign = new Set(table.foreign_keys.flatMap(({ columns }) => columns))
  const all = table.columns.map(({ name, type, is_key }) => ({
    name,
    type,
    isKey: is_key,
    isForeign: foreign.has(name),
  }))
  const lines = shown === 'all' ? all : all.filter(({ isKey, isForeign }) => isKey || isForeign)
  return { lines, leftOut: all.length - lines.length }
}

function widthOf({
  table,
  lines,
}: {
  readonly table: TableStructure
  readonly lines: readonly BoxLine[]
}): number {
  const head = table.name.length * CHARACTER + 56
  return Math.max(
    head,
    ...lines.map(({ name, type }) => (name.length + shortType(type).length + 2) * CHARACTER + 32),
  )
}

function keysOf(box: MapBox, byName: ReadonlyMap<string, MapBox>): readonly MapKey[] {
  return box.table.foreign_keys.flatMap((key) => {
    const parent = byName.get(key.target_table)
    if (parent === undefined) return []
    const own = box.table.columns.filter(({ name }) => key.columns.includes(name))
    return {
      id: `${box.table.name} ${key.name}`,
      name: key.name,
      child: box.table.name,
      parent: key.target_table,
      columns: key.columns,
      isUnique: key.is_unique,
      isNullable: own.some((column) => column.is_nullable),
      childOffset: offsetOf(box, key.columns[0]),
      parentOffset: offsetOf(parent, key.target_columns[0]),
    }
  })
}

function offsetOf({ lines }: MapBox, column: string | undefined): number {
  const index = lines.findIndex(({ name }) => name === column)
  return index === -1 ? HEAD_HEIGHT / 2 : HEAD_HEIGHT + (index + 0.5) * LINE_HEIGHT
}

const SHORT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^timestamp(\(\d+\))? with time zone/, 'timestamptz'],
  [/^timestamp(\(\d+\))? without time zone/, 'timestamp'],
  [/^time(\(\d+\))? with time zone/, 'timetz'],
  [/^time(\(\d+\))? without time zone/, 'time'],
  [/^character varying/, 'varchar'],
  [/^double precision/, 'float8'],
]

/** Returns the usual short name of a type, e.g. `timestamptz`. */
export function shortType(type: string): string {
  for (const [pattern, short] of SHORT_TYPES)
    if (pattern.test(type)) return type.replace(pattern, short)
  return type
}

/** Cuts a text of the monospace font that is wider than `width` units. */
export function fitted(text: string, width: number, character: number = CHARACTER): string {
  const most = Math.max(1, Math.floor(width / character))
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

/** Splits a long name at the underscore nearest to its middle. */
export function halvesOf(name: string): readonly string[] {
  const cuts = [...name.matchAll(/_(?=.)/g)].map(({ index }) => index + 1)
  const [first, ...rest] = cuts
  if (first === undefined || name.length < 10) return [name]
  const middle = name.length / 2
  const best = rest.reduce(
    (near, cut) => (Math.abs(cut - middle) < Math.abs(near - middle) ? cut : near),
    first,
  )
  return [name.slice(0, best), name.slice(best)]
}
