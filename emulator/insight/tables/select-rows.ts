// Builds SQL that selects rows of a table by filters, keys, order and page. Reading as the owner, as an identity and for
// explanations uses this SQL. The table's alias is `t`, and values are parameters. Pure.
import type { RowFilter } from '../../contract/values.ts'
import { EMPTY, identifier, join, type Sql, sql } from '../../database/sql.ts'
import { type Column, findColumn, invalid, keyColumns, type Table, tableOf } from './table.ts'

/** Values by column, as Postgres's text. SQL's null is `null`. */
export type Cells = Readonly<Record<string, string | null>>

export interface RowSelection {
  /** Selects only the rows with these keys. */
  readonly keys?: readonly Cells[]
  /** Selects only rows that match all filters. */
  readonly filters?: readonly RowFilter[]
  /** Rows with equal values are sorted by key, so that pages do not overlap. */
  readonly order?: readonly { readonly column: string; readonly descending?: boolean }[]
  readonly limit: number
  readonly offset: number
}

/**
 * Builds two statements: one counts the selected rows on all pages, one selects the page.
 * @param cells the select list for each row
 * @throws {InspectorError} `invalid_request` for an unknown column or a filter without its value
 */
export function selectionStatements(
  table: Table,
  selection: RowSelection,
  cells: Sql,
): readonly [count: Sql, page: Sql] {
  const source = sql`from ${tableOf(table.schemaName, table)} as t where ${conditionOf(table, selection)}`
  const { limit, offset } = selection
  return [
    sql`select pg_catalog.count(*) ${source}`,
    sql`select ${cells} ${source}${orderOf(table, selection)} limit ${limit}::pg_catalog.int8 offset ${offset}::pg_catalog.int8`,
  ]
}

/**
 * Matches the row with this key. If `key` has more columns, they must match, too. @throws {InspectorError} `invalid_request`
 */
export function keyCondition(table: Table, key: Cells, path: string): Sql {
  const missing = table.key.find((name) => !Object.hasOwn(key, name))
  if (missing !== undefined) throw invalid(`${path}: a key of ${table.name} has to name ${missing}`)
  return sameCells(table, key, path)
}

/** Matches rows whose cells have exactly these values. Is never null. @throws {InspectorError} `invalid_request` */
export function sameCells(table: Table, cells: Cells, path: string): Sql {
  const conditions = Object.entries(cells).map(([name, value]) =>
    equals(findColumn(table, name, path), value),
  )
  return conditions.length === 0 ? sql`true` : sql`(${join(conditions, ' and ')})`
}

/** Returns the columns as a select list, which is empty for a table without columns. */
export function columnList(columns: readonly Column[]): Sql {
  return join(columns.map(cellOf))
}

function conditionOf(table: Table, { keys, filters = [] }: RowSelection): Sql {
  const conditions = filters.map((filter, index) =>
    filterCondition(table, filter, `filters.${index}`),
  )
  const rows = keys?.map((key, index) => keyCondition(table, key, `keys.${index}`))
  if (rows !== undefined)
    conditions.push(rows.length === 0 ? sql`false` : sql`(${join(rows, ' or ')})`)
  return conditions.length === 0 ? sql`true` : sql`${join(conditions, ' and ')}`
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

function filterCondition(
  table: Table,
  { column: name, operator, value }: RowFilter,
  path: string,
): Sql {
  const column = findColumn(table, name, `${path}.column`)
  if (operator === 'is_null') return isNull(column)
  if (operator === 'is_not_null') return isNotNull(column)
  if (value === undefined)
    throw invalid(`${path}.value: the operator ${operator} compares with a value`)
  const comparison = COMPARISONS[operator]
  const isPattern = operator === 'like' || operator === 'ilike'
  return isPattern || isComparedAsText(column)
    ? sql`(${isNotNull(column)} and ${textOf(column)} ${comparison} ${value}::pg_catalog.text)`
    : sql`${cellOf(column)} ${comparison} ${value}`
}

// Compares texts, because json has no equality operator and Postgres cannot parse a literal of an anonymous composite type.
function isComparedAsText({ shape }: Column): boolean {
  return shape === 'json' || shape === 'composite'
}

// Compares texts, because a column outside the primary key may have a type without an equality operator. The collation "C" also
// distinguishes texts that the column's own collation treats as equal.
function equals(column: Column, value: string | null): Sql {
  if (value === null) return isNull(column)
  return column.isKey && !isComparedAsText(column)
    ? sql`${cellOf(column)} = ${value}`
    : sql`(${isNotNull(column)} and ${textOf(column)} = ${value}::pg_catalog.text collate pg_catalog."C")`
}

// Avoids IS NULL, which is also true for a composite value whose fields are all null.
function isNull(column: Column): Sql {
  return sql`${cellOf(column)} is not distinct from null`
}

function isNotNull(column: Column): Sql {
  return sql`${cellOf(column)} is distinct from null`
}

// Uses format(), which calls the type's output function. A cast to text could run a tenant's code, and gives other text than
// Postgres's output (`true` instead of `t`).
function textOf(column: Column): Sql {
  return sql`pg_catalog.format('%s', ${cellOf(column)})`
}

function cellOf({ name }: Pick<Column, 'name'>): Sql {
  return identifier('t', name)
}

function orderOf(table: Table, { order = [] }: RowSelection): Sql {
  const terms = order.map(({ column: name, descending = false }, index) => {
    const cell = cellOf(findColumn(table, name, `order.${index}.column`))
    return descending ? sql`${cell} desc nulls last` : cell
  })
  const named = new Set(order.map(({ column }) => column))
  const key = table.key.length === 0 ? [] : keyColumns(table)
  terms.push(...key.filter(({ name }) => !named.has(name)).map(cellOf))
  return terms.length === 0 ? EMPTY : sql` order by ${join(terms)}`
}
