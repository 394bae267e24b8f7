// Generates TypeScript types for a project's tables, views, functions and enums. The reference client accepts them as
// `PostgrestClient<Database>`. Pure.
import { isLedger } from '../../core/names.ts'
import {
  type Column,
  isSameName,
  type Relationship,
  type Routine,
  type SchemaCache,
  type Table,
} from '../../data/schema-cache/schema-cache.ts'
import { type OwnTypes, ownTypeNamed, typeScriptOf } from './type-names.ts'

/** Facts that the schema cache does not contain. */
export interface TypeFacts {
  /** Enum labels by the enum's name. */
  readonly enums: ReadonlyMap<string, readonly string[]>
  /** Columns that clients cannot write, as `table.column`. */
  readonly readOnlyColumns: ReadonlySet<string>
  /** Names of the platform's tables, which clients cannot access. */
  readonly platformTables: ReadonlySet<string>
}

interface Source extends OwnTypes {
  readonly cache: SchemaCache
  readonly facts: TypeFacts
}

const HEADER = `// Made by "tenantry types". Do not edit: make it again when the schema has changed.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]
`

/** Generates the whole file as text. */
export function writeTypes(schemaName: string, cache: SchemaCache, facts: TypeFacts): string {
  const relations = [...cache.tables.values()]
    .filter(({ schema }) => schema === schemaName)
    .filter(({ name }) => !facts.platformTables.has(name) && !isLedger(name))
    .sort(byName)
  const source: Source = {
    schemaName,
    cache,
    facts,
    enums: new Set(facts.enums.keys()),
    rows: new Map(relations.map(({ name, isView }) => [name, isView ? 'Views' : 'Tables'])),
  }
  const tables = relations.filter(({ isView }) => !isView)
  const views = relations.filter(({ isView }) => isView)
  const routines = [...cache.routines.values()].filter(([first]) => first?.schema === schemaName)
  return `${HEADER}
export type Database = {
  // Sets the version of the query grammar that the client assumes.
  __InternalSupabase: { PostgrestVersion: '14' }
  ${keyed(schemaName)}: {
    Tables: ${members(tables, (table) => relationType(table, source), 4)}
    Views: ${members(views, (view) => relationType(view, source), 4)}
    Functions: ${members(
      routines.flatMap(([first]) => (first === undefined ? [] : [first])).sort(byName),
      ({ schema, name }) => functionType(overloads(source, schema, name), source),
      4,
    )}
    Enums: ${members(
      [...facts.enums].map(([name, labels]) => ({ name, labels })),
      ({ labels }) => labels.map((label) => JSON.stringify(label)).join(' | ') || 'never',
      4,
    )}
    CompositeTypes: { [_ in never]: never }
  }
}
`
}

function overloads({ cache }: Source, schema: string, name: string): readonly Routine[] {
  return cache.routines.get(`${schema}\0${name}`) ?? []
}

function relationType(table: Table, source: Source): string {
  const columns = [...table.columns.values()]
  const row = columns.map((column) => ({
    name: column.name,
    type: orNull(columnType(column, source), column.isNullable),
  }))
  const writable = (isOptional: (column: Column) => boolean) =>
    columns.map((column) => {
      const isReadOnly = source.facts.readOnlyColumns.has(`${table.name}.${column.name}`)
      const type = isReadOnly ? 'never' : orNull(columnType(column, source), column.isNullable)
      return { name: column.name, type, isOptional: isReadOnly || isOptional(column) }
    })
  const insert = writable(
    ({ defaultExpression, isNullable }) =>
      table.isView || isNullable || defaultExpression !== undefined,
  )
  const parts = [
    `Row: ${record(row, 8)}`,
    ...(table.isInsertable ? [`Insert: ${record(insert, 8)}`] : []),
    ...(table.isUpdatable
      ? [
          `Update: ${record(
            writable(() => true),
            8,
          )}`,
        ]
      : []),
    `Relationships: ${relationshipTypes(table, source)}`,
  ]
  return block(parts, 6)
}

function columnType(column: Column, source: Source): string {
  return typeScriptOf(column.baseType, source)
}

function relationshipTypes(table: Table, { cache, rows }: Source): string {
  const own = [...(cache.relationships.get(`${table.schema}\0${table.name}`) ?? [])]
  const written = own
    .filter(({ foreignTable }) => rows.has(foreignTable.name))
    .flatMap((relationship) => relationshipType(relationship))
  return written.length === 0 ? '[]' : `[\n          ${written.join(',\n          ')},\n        ]`
}

// Writes only relationships from a table to its parents. The client derives the opposite direction.
function relationshipType(relationship: Relationship): readonly string[] {
  if (relationship.kind === 'computed') return []
  const { cardinality, foreignTable } = relationship
  const isHolder =
    cardinality.kind === 'manyToOne' || (cardinality.kind === 'oneToOne' && !cardinality.isParent)
  if (!isHolder) return []
  const { columns, constraint, kind } = cardinality
  const names = (which: 0 | 1) =>
    `[${columns.map((pair) => JSON.stringify(pair[which])).join(', ')}]`
  return [
    `{ foreignKeyName: ${JSON.stringify(constraint)}; columns: ${names(0)}; isOneToOne: ${kind === 'oneToOne'}; referencedRelation: ${JSON.stringify(foreignTable.name)}; referencedColumns: ${names(1)} }`,
  ]
}

function functionType(routines: readonly Routine[], source: Source): string {
  return routines.map((routine) => oneFunction(routine, source)).join(' | ')
}

function oneFunction(routine: Routine, source: Source): string {
  const args = routine.parameters.map(({ isRequired, name, type }) => ({
    name,
    type: typeScriptOf(type, source),
    isOptional: !isRequired,
  }))
  const { isSet, type } = routine.returns
  const isOwn = type.schema === source.schemaName
  const one =
    (isOwn ? ownTypeNamed(type.name, source) : undefined) ?? returnedBuiltIn(type.name, source)
  const isRows = isOwn && source.rows.has(type.name)
  return block(
    [
      `Args: ${args.length === 0 ? 'never' : record(args, 8)}`,
      `Returns: ${isSet ? `${one.includes(' ') ? `(${one})` : one}[]` : one}`,
      ...(isRows ? [setOption(routine, source)] : []),
    ],
    6,
  )
}

// Clients can select from the rows that a function returns. A function that takes a table's row is also a computed column of
// the table.
function setOption({ parameters, returns }: Routine, { cache, schemaName }: Source): string {
  const [first] = parameters
  const from = [...cache.tables.values()].find(
    (table) => first !== undefined && first.type === `${schemaName}.${table.name}`,
  )
  const computed =
    from === undefined
      ? undefined
      : cache.relationships
          .get(`${from.schema}\0${from.name}`)
          ?.find((one) => one.kind === 'computed' && isSameName(one.foreignTable, returns.type))
  const isToOne = computed?.kind === 'computed' ? computed.isToOne : !returns.isSet
  return `SetofOptions: { from: ${JSON.stringify(from?.name ?? '*')}; to: ${JSON.stringify(returns.type.name)}; isOneToOne: ${isToOne}; isSetofReturn: ${returns.isSet} }`
}

// The name of an array type starts with an underscore in pg_type.
function returnedBuiltIn(name: string, source: Source): string {
  return typeScriptOf(name.startsWith('_') ? `${name.slice(1)}[]` : name, source)
}

interface Member {
  readonly name: string
  readonly type: string
  readonly isOptional?: boolean
}

function members<Item extends { readonly name: string }>(
  items: readonly Item[],
  typeOf: (item: Item) => string,
  indent: number,
): string {
  if (items.length === 0) return '{ [_ in never]: never }'
  const lines = items.map((item) => `${' '.repeat(indent + 2)}${keyed(item.name)}: ${typeOf(item)}`)
  return `{\n${lines.join('\n')}\n${' '.repeat(indent)}}`
}

function record(fields: readonly Member[], indent: number): string {
  return block(
    fields.map(
      ({ isOptional = false, name, type }) => `${keyed(name)}${isOptional ? '?' : ''}: ${type}`,
    ),
    indent,
  )
}

function block(lines: readonly string[], indent: number): string {
  if (lines.length === 0) return '{}'
  const space = ' '.repeat(indent + 2)
  return `{\n${lines.map((line) => space + line).join('\n')}\n${' '.repeat(indent)}}`
}

function keyed(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function orNull(type: string, isNullable: boolean): string {
  return isNullable ? `${type} | null` : type
}

function byName(first: { readonly name: string }, second: { readonly name: string }): number {
  return first.name < second.name ? -1 : 1
}
