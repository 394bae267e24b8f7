// The objects of a structure by key, with their dependencies in both directions. Pure.

import { type JsonValue, stableStringify } from '../../core/json.ts'
import type { ColumnRecord, RelationRecord } from '../catalog/relations.ts'
import { castNeeds, neighbours } from '../template/cast-needs.ts'
import type { SchemaStructure } from '../template/structure.ts'

/** The parts of a structure that consist of objects with a key. */
export const SECTIONS = [
  'collations',
  'conversions',
  'dictionaries',
  'configurations',
  'types',
  'sequences',
  'routines',
  'operators',
  'casts',
  'relations',
  'constraints',
  'indexes',
  'statistics',
  'triggers',
  'rules',
  'policies',
] as const
export type Section = (typeof SECTIONS)[number]

/** A column's default, which Postgres stores as an object of its own. */
export interface DefaultRecord {
  readonly key: string
  readonly table: string
  readonly column: string
  readonly expression: string
}

type RecordOf = { readonly [S in Section]: SchemaStructure[S][number] } & {
  readonly defaults: DefaultRecord
}

export type SchemaObject = {
  readonly [S in keyof RecordOf]: {
    readonly key: string
    readonly section: S
    readonly record: RecordOf[S]
    /** Text for comparisons: equal objects have equal texts. */
    readonly text: string
    /** The relation that the object is a part of. */
    readonly table?: string
  }
}[keyof RecordOf]

export interface Objects {
  readonly structure: SchemaStructure
  readonly byKey: ReadonlyMap<string, SchemaObject>
  readonly needs: (key: string) => readonly string[]
  readonly users: (key: string) => readonly string[]
  /** The objects that belong to the relation with this key. */
  readonly partsOf: (key: string) => readonly SchemaObject[]
  /** The relation of this name. */
  readonly relation: (name: string) => RelationRecord | undefined
}

export function objectsOf(structure: SchemaStructure): Objects {
  const all: SchemaObject[] = SECTIONS.flatMap((section) =>
    structure[section].map((record) => objectOf(section, record)),
  )
  for (const relation of structure.relations)
    for (const column of relation.columns)
      if (column.expression !== undefined && column.generated === undefined)
        all.push(defaultOf(relation.name, column.name, column.expression))
  const byKey = new Map(all.map((object) => [object.key, object]))
  const parts = Map.groupBy(all, ({ table }) => table && relationKey(table))
  const edges = [...structure.dependencies, ...castNeeds(structure), ...attachedNeeds(all)]
  return {
    structure,
    byKey,
    needs: neighbours(edges),
    users: neighbours(edges.map(({ from, to }) => ({ from: to, to: from }))),
    partsOf: (key) => parts.get(key) ?? [],
    relation: (name) => {
      const found = byKey.get(relationKey(name))
      return found?.section === 'relations' ? found.record : undefined
    },
  }
}

export function relationKey(name: string): string {
  return `relation:${name}`
}

export function defaultKey(table: string, column: string): string {
  return `default:${table}.${column}`
}

export function isTable(relation: Pick<RelationRecord, 'kind'>): boolean {
  return relation.kind === 'table' || relation.kind === 'partitioned'
}

function objectOf<S extends Section>(section: S, record: RecordOf[S]): SchemaObject {
  const table = 'table' in record ? { table: record.table } : {}
  return {
    key: record.key,
    section,
    record,
    text: textOf(compared(section, record)),
    ...table,
  } as SchemaObject
}

function defaultOf(table: string, column: string, expression: string): SchemaObject {
  const record = { key: defaultKey(table, column), table, column, expression }
  return { key: record.key, section: 'defaults', record, text: expression, table }
}

// Ignores the order of columns in statistics. Postgres uses the order of the table's columns, and a new column is always last.
function compared(section: Section, record: RecordOf[Section]): object {
  if (section === 'relations') return withoutDefaults(record as RelationRecord)
  if (section !== 'statistics') return record
  const { definition, ...rest } = record as RecordOf['statistics']
  return { ...rest, definition: sortedColumns(definition) }
}

function sortedColumns(definition: string): string {
  return definition.replace(/(?<= ON )[\w, ]+(?= FROM )/, (columns) =>
    columns.split(', ').sort().join(', '),
  )
}

function withoutDefaults({ columns, ...relation }: RelationRecord): object {
  return { ...relation, columns: columns.map(columnText).sort() }
}

/** The column without its default, which is an object of its own. */
function columnText({ expression, ...column }: ColumnRecord): string {
  return textOf(column.generated === undefined ? column : { ...column, expression })
}

/** Returns equal texts for equal records. All records are JSON, because the catalogue's queries return JSON. */
export function textOf(record: object): string {
  return stableStringify({ ...record } as unknown as JsonValue)
}

// Adds the dependency of each part on its table, because Postgres does not record it for copies of triggers and for settings.
function attachedNeeds(objects: readonly SchemaObject[]) {
  return objects.flatMap(({ key, table }) =>
    table === undefined ? [] : [{ from: key, to: relationKey(table) }],
  )
}

/** Whether the text contains the name as a whole word. `name` has the spelling of SQL, with quotes where they are needed. */
export function mentions(text: string, name: string): boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).test(text)
}
