// Generates TypeScript types for a project's tables, views, functions and enums. The reference client accepts them as
// `PostgrestClient<Database>`. Pure.
import { isLedger } from '../../../core/names.ts'
import {
  type Column,
  type Relationship,
  representationKey,
  type SchemaCache,
  type Table,
} from '../../../services/data/schema-cache/schema-cache.ts'
import type { FieldFact, TypeFacts } from './type-facts.ts'
import {
  block,
  fieldTypes,
  keyed,
  labelsOf,
  members,
  orNull,
  record,
  typeScriptOf,
} from './type-texts.ts'
import { type FunctionSource, functionType } from './write-functions.ts'

interface Source extends FunctionSource {
  /** The columns of the schema's relations, by the relation's name. */
  readonly columns: ReadonlyMap<string, readonly FieldFact[]>
}

/** Every generated file begins with this text. `tenantry dev` overwrites only files that begin with it. */
export const TYPES_MARK = '// Made by "tenantry types".'

const HEADER = `${TYPES_MARK} Do not edit: make it again when the schema has changed.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]
`

/** Generates the whole file as text. */
export function writeTypes(schemaName: string, cache: SchemaCache, facts: TypeFacts): string {
  const relations = [...cache.tables.values()]
    .filter(({ schema }) => schema === schemaName)
    .filter(({ name }) => !facts.platformTables.has(name) && !isLedger(name))
    .sort(byName)
  const own = [...facts.types.values()].filter(({ schema }) => schema === schemaName)
  const source: Source = {
    schemaName,
    cache,
    facts,
    types: facts.types,
    columns: new Map(own.map(({ fields, name }) => [name, fields])),
    rows: new Map([
      ...facts.composites.map((name) => [name, 'CompositeTypes'] as const),
      ...relations.map(({ name, isView }) => [name, isView ? 'Views' : 'Tables'] as const),
    ]),
  }
  const tables = relations.filter(({ isView }) => !isView)
  const views = relations.filter(({ isView }) => isView)
  const functions = [...cache.routines.values()].flatMap((overloads) => {
    const [first] = overloads
    return first?.schema === schemaName ? [{ name: first.name, overloads }] : []
  })
  return `${HEADER}
export type Database = {
  // Sets the version of the query grammar that the client assumes.
  __InternalSupabase: { PostgrestVersion: '14' }
  ${keyed(schemaName)}: {
    Tables: ${members(tables, (table) => relationType(table, source), 4)}
    Views: ${members(views, (view) => relationType(view, source), 4)}
    Functions: ${members(functions.sort(byName), ({ overloads }) => functionType(overloads, source), 4)}
    Enums: ${members(
      own.filter(({ kind }) => kind === 'e'),
      labelsOf,
      4,
    )}
    CompositeTypes: ${members(
      own.filter(({ name }) => source.rows.get(name) === 'CompositeTypes'),
      (type) => record(fieldTypes(type, source), 6),
      4,
    )}
  }
}
`
}

function relationType(table: Table, source: Source): string {
  const fields = new Map(source.columns.get(table.name)?.map((field) => [field.name, field]))
  const columns = [...table.columns.values()].map((column) => {
    const fact = fields.get(column.name)
    const type = orNull(columnType(column, fact, source), column.isNullable)
    return { column, isReadOnly: fact?.isReadOnly === true, name: column.name, type }
  })
  const writable = (isOptional: (column: Column) => boolean) =>
    record(
      columns.map(({ column, isReadOnly, name, type }) => ({
        name,
        type: isReadOnly ? 'never' : type,
        isOptional: isReadOnly || isOptional(column),
      })),
      8,
    )
  const isOptionalInNew = ({ defaultExpression, isNullable }: Column) =>
    table.isView || isNullable || defaultExpression !== undefined
  const parts = [
    `Row: ${record(columns, 8)}`,
    ...(table.isInsertable ? [`Insert: ${writable(isOptionalInNew)}`] : []),
    ...(table.isUpdatable ? [`Update: ${writable(() => true)}`] : []),
    `Relationships: ${relationshipTypes(table, source)}`,
  ]
  return block(parts, 6)
}

// Columns of some domains are typed as Json, because a function of the schema creates their JSON (PostgREST, "Domain
// Representations").
function columnType(column: Column, fact: FieldFact | undefined, source: Source): string {
  return source.cache.representations.has(representationKey(column.type, 'json'))
    ? 'Json'
    : typeScriptOf(fact?.type ?? '', source)
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

function byName(first: { readonly name: string }, second: { readonly name: string }): number {
  return first.name < second.name ? -1 : 1
}
