// Which rows are meant: the caller's filters and keys as SQL. Values are parameters, read as their column's type. Pure.

import { InspectorError } from '../../api-kit/errors.ts'
import type { RowFilter } from '../../contract/values.ts'
import { identifier, join, type Sql, sql } from '../../database/sql.ts'
import { type ColumnRecord, keyColumns, type TableRecord } from './table-records.ts'

/** The rows that all filters hold for. @throws {InspectorError} `invalid_request` */
export function filterCondition(table: TableRecord, filters: readonly RowFilter[]): Sql {
  if (filters.length === 0) return sql`true`
  const conditions = filters.map((filter, index) => oneFilter(table, filter, `filters.${index}`))
  return sql`(${join(conditions, ') and (')})`
}

const COMPARISONS = {
  eq: sql`=`,
  neq: sql`<>`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
  like: sql`like`,
  ilike: sql`ilike`,
} as const

function oneFilter(
  table: TableRecord,
  { column: name, operator, value }: RowFilter,
  path: string,
): Sql {
  const column = findColumn(table, name, `${path}.column`)
  const named = identifier(name)
  if (operator === 'is_null') return sql`${named} is not distinct from null`
  if (operator === 'is_not_null') return sql`${named} is distinct from null`
  if (value === undefined)
    throw invalid(`${path}.value: the operator ${operator} compares with a value`)
  const comparison = COMPARISONS[operator]
  const isText = operator === 'like' || operator === 'ilike' || column.typeSql === 'json'
  return isText
    ? sql`${named} is distinct from null and ${textOf(column)} ${comparison} ${value}::text`
    : sql`${named} ${comparison} ${value}`
}

type Key = Readonly<Record<string, string | null>>

/** Exactly the row of this key. @throws {InspectorError} `invalid_request` when other columns are given than name a row */
export function keyCondition(table: TableRecord, key: Key, path: string): Sql {
  const columns = keyColumns(table)
  const wanted = columns.map(({ name }) => name)
  const given = Object.keys(key)
  if (given.length !== wanted.length || !wanted.every((name) => Object.hasOwn(key, name)))
    throw invalid(
      `${path}: a row of ${table.name} is named by ${hasKey(table) ? 'its primary key' : 'all its columns, for it has no primary key'}: ${wanted.join(', ')}`,
    )
  return join(
    columns.map((column) => equals(column, key[column.name] ?? null)),
    ' and ',
  )
}

/** Whether keys are unique by a promise of the table. */
export function hasKey(table: TableRecord): boolean {
  return table.columns.some(({ isKey }) => isKey)
}

/** @throws {InspectorError} `invalid_request` */
export function findColumn(table: TableRecord, name: string, path: string): ColumnRecord {
  const found = table.columns.find((column) => column.name === name)
  if (found !== undefined) return found
  const names = table.columns.map((column) => column.name).join(', ')
  throw invalid(`${path}: ${table.name} has no column "${name}"; it has ${names}`)
}

// A type need not have an operator for equality, and a cast to text is not always what Postgres writes (`true`, `t`):
// outside a primary key the texts are compared.
function equals(column: ColumnRecord, value: string | null): Sql {
  const named = identifier(column.name)
  if (value === null) return sql`${named} is not distinct from null`
  return column.isKey
    ? sql`${named} = ${value}`
    : sql`(${named} is distinct from null and ${textOf(column)} = ${value}::text)`
}

function textOf({ name }: ColumnRecord): Sql {
  return sql`pg_catalog.format('%s', ${identifier(name)})`
}

function invalid(problem: string): InspectorError {
  return new InspectorError('invalid_request', `The request is not valid. ${problem}.`)
}
