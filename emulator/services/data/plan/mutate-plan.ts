// Plans writes: the columns, the values, the rows to change, and the columns to return (PostgREST, "Tables and Views"). Pure.
import { DataError } from '../errors.ts'
import type { ApiRequest, Mutation } from '../request/api-request.ts'
import type { SchemaCache, Table } from '../schema-cache/schema-cache.ts'
import { planFilter } from './conditions.ts'
import type { MutatePlan, PlannedField, PlannedLogic, ReadPlan } from './plan.ts'
import { resolveInput } from './resolve-field.ts'

/** @throws {DataError} PGRST105 when the filters of a PUT are not exactly the primary key, PGRST204 for an unknown column */
export function planMutate(
  cache: SchemaCache,
  request: ApiRequest,
  table: Table,
  mutation: Mutation,
  read: ReadPlan,
): MutatePlan {
  if (mutation === 'singleUpsert' && !namesExactlyTheKey(request, table)) throw notTheKey()
  const target = { schema: table.schema, name: table.name }
  const { preferences, payload } = request
  const isReturned =
    preferences.representation !== undefined && preferences.representation !== 'minimal'
  const returning = isReturned ? neededColumns(read, table.keyColumns) : []
  const where = conditions(cache, request, table)
  if (mutation === 'delete') return { kind: 'delete', target, where, returning }
  const body = payload === undefined || !('text' in payload) ? '[]' : payload.text
  const columns = request.columns.map((name) => inputColumn(cache, table, name))
  const appliesDefaults = preferences.missing === 'default'
  if (mutation === 'update')
    return { kind: 'update', target, columns, body, where, returning, appliesDefaults }
  const insert = { kind: 'insert', target, columns, body, returning } as const
  const { keyColumns } = table
  if (mutation === 'singleUpsert') {
    const conflict = { resolution: 'merge-duplicates', columns: keyColumns } as const
    return { ...insert, keyColumns: [], conflict, conditions: where, appliesDefaults: false }
  }
  const { resolution } = preferences
  const conflictColumns = request.query.onConflict ?? keyColumns
  const conflict = resolution && { resolution, columns: conflictColumns }
  return { ...insert, keyColumns, conflict, conditions: [], appliesDefaults }
}

// Uses only the filters on the changed table itself. Filters of embeds apply to the rows that are read back.
function conditions(
  cache: SchemaCache,
  request: ApiRequest,
  table: Table,
): readonly PlannedLogic[] {
  const { filters, logic } = request.query
  const simple = filters
    .filter(({ path }) => path.length === 0)
    .map(({ value }) => planFilter(cache, table, { kind: 'filter', filter: value }))
  return [
    ...simple,
    ...logic
      .filter(({ path }) => path.length === 0)
      .map(({ value }) => planFilter(cache, table, value)),
  ]
}

function inputColumn(cache: SchemaCache, table: Table, name: string): PlannedField {
  const field = resolveInput(cache, table, name)
  if (field !== undefined) return field
  throw new DataError(
    'PGRST204',
    `Could not find the '${name}' column of '${table.name}' in the schema cache`,
  )
}

function namesExactlyTheKey(request: ApiRequest, table: Table): boolean {
  const { filters, filterNames, logic } = request.query
  const named = new Set(filterNames)
  if (logic.length > 0 || table.keyColumns.length === 0) return false
  if (named.size !== table.keyColumns.length) return false
  if (!table.keyColumns.every((column) => named.has(column))) return false
  return filters.every(({ value: { isNegated, operation } }) => {
    if (isNegated || operation.kind !== 'quantifiable') return false
    return operation.operator === 'eq' && operation.quantifier === undefined
  })
}

function notTheKey(): DataError {
  return new DataError(
    'PGRST105',
    "Filters must include all and only primary key columns with 'eq' operators",
  )
}

/** Columns that a mutation or a function must return: those needed for the body, for joins and for the `Location` header. */
export function neededColumns(read: ReadPlan, keyColumns: readonly string[]): readonly string[] {
  const selected = read.select.map(({ field }) => field.name)
  if (selected.includes('*')) return ['*']
  const needed = new Set(selected)
  for (const { relationship } of read.children) {
    if (relationship === undefined) continue
    // The function of a computed relationship gets the whole row, so it may read any column.
    if (relationship.kind === 'computed') return ['*']
    const { cardinality } = relationship
    const columns =
      cardinality.kind === 'manyToMany' ? cardinality.junction.sourceColumns : cardinality.columns
    for (const [column] of columns) needed.add(column)
  }
  for (const column of keyColumns) needed.add(column)
  return [...needed].sort()
}
