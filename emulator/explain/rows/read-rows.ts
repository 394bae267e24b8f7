// Reads the rows an explanation is about, whatever the policies say (database/row-reader.ts): each as the text of its
// record, from which its cells are taken and from which Postgres makes the row again to evaluate expressions on.

import { InspectorError } from '../../api-kit/errors.ts'
import type { RowFilter } from '../../contract/explain.ts'
import { cellText, SqlError, type StatementResult } from '../../database/engine.ts'
import type { RowReader } from '../../database/row-reader.ts'
import { EMPTY, identifier, join, type Sql, sql, verbatim } from '../../database/sql.ts'
import { parseRecordText } from '../../database/values/row-text.ts'
import type { TableFacts } from './table-facts.ts'

export type Cells = Readonly<Record<string, string | null>>

export interface StoredRow {
  /** Postgres's text of the whole record, in the order of the table's columns. */
  readonly text: string
  /** By column; texts as Postgres writes them. */
  readonly cells: Cells
  /** The primary key's cells, or all of them where there is none. */
  readonly key: Cells
}

export interface RowSelection {
  readonly keys?: readonly Cells[]
  readonly filters?: readonly RowFilter[]
  readonly order?: readonly { readonly column: string; readonly descending?: boolean }[]
  readonly limit: number
  readonly offset: number
}

export interface StoredRows {
  readonly rows: readonly StoredRow[]
  /** Rows that are meant, on all pages. */
  readonly total: number
}

/** Of the rows of one explanation: those after them are left out, as if the limit were lower. */
const MAX_BYTES = { maxResultBytes: 16 << 20 } as const

/**
 * Reads rows of a table or materialised view, never of a view.
 * @throws {InspectorError} `invalid_request` for an unknown column or a value that its type does not take
 * @throws {SqlError}
 */
export async function readRows(
  reader: RowReader,
  table: TableFacts,
  selection: RowSelection,
): Promise<StoredRows> {
  const statements = selectionStatements(table, selection)
  return storedRows(
    table,
    await reader.read(table.schemaName, statements, MAX_BYTES).catch(refuseValue),
  )
}

/** The statements whose results `storedRows` reads, for who runs them as somebody else. @throws {InspectorError} */
export function selectionStatements(table: TableFacts, selection: RowSelection): readonly Sql[] {
  const source = sql`from ${identifier(table.schemaName, table.name)} as t ${whereOf(table, selection)}`
  const { limit, offset } = selection
  return [
    sql`select pg_catalog.count(*) ${source}`,
    sql`select pg_catalog.textin(pg_catalog.record_out(t.*)) ${source} ${orderOf(table, selection)}
limit ${verbatim(String(limit))} offset ${verbatim(String(offset))}`,
  ]
}

export function storedRows(
  table: TableFacts,
  [counted, read]: readonly StatementResult[],
): StoredRows {
  const rows = (read?.rows ?? []).map(([cell]) => storedRow(table, cellText(cell) ?? '()'))
  return { rows, total: Number(cellText(counted?.rows[0]?.[0])) }
}

/** A row from the text of its record. */
export function storedRow(table: TableFacts, text: string): StoredRow {
  const texts = parseRecordText(text)
  const cells = Object.fromEntries(
    table.columns.map(({ name }, index) => [name, texts[index] ?? null]),
  )
  const key =
    table.key.length === 0
      ? cells
      : Object.fromEntries(table.key.map((name) => [name, cells[name] ?? null]))
  return { text, cells, key }
}

const SYMBOLS = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: '~~',
  ilike: '~~*',
} as const

/** The condition that all filters hold, over the alias `t`. @throws {InspectorError} `invalid_request` */
export function filterCondition(table: TableFacts, { column, operator, value }: RowFilter): Sql {
  const cell = cellOf(table, column)
  if (operator === 'is_null') return sql`${cell} is null`
  if (operator === 'is_not_null') return sql`${cell} is not null`
  if (value === undefined)
    throw new InspectorError('invalid_request', `The filter on ${column} wants a value.`)
  // What a type of the project's own casts itself to is its own code; format() asks its output function alone.
  if (operator === 'like' || operator === 'ilike')
    return sql`pg_catalog.format('%s', ${cell}) ${verbatim(SYMBOLS[operator])} ${value}`
  // Types of extensions bring operators of their own, which lie in another schema.
  return sql`${cell} ${verbatim(SYMBOLS[operator])} ${value}`
}

function whereOf(table: TableFacts, { keys, filters = [] }: RowSelection): Sql {
  const conditions = filters.map((filter) => filterCondition(table, filter))
  if (keys !== undefined)
    conditions.push(
      keys.length === 0
        ? sql`false`
        : sql`(${join(
            keys.map((key) => isRow(table, key)),
            ' or ',
          )})`,
    )
  return conditions.length === 0 ? EMPTY : sql`where ${join(conditions, ' and ')}`
}

function isRow(table: TableFacts, key: Cells): Sql {
  const missing = table.key.find((name) => !Object.hasOwn(key, name))
  if (missing !== undefined)
    throw new InspectorError('invalid_request', `A key of ${table.name} has to name ${missing}.`)
  const conditions = Object.entries(key).map(([column, value]) => isCell(table, column, value))
  return conditions.length === 0 ? sql`true` : sql`(${join(conditions, ' and ')})`
}

// Not every type can be compared: outside the key, texts are.
function isCell(table: TableFacts, column: string, value: string | null): Sql {
  const cell = cellOf(table, column)
  if (value === null) return sql`${cell} is null`
  if (table.key.includes(column)) return sql`${cell} = ${value}`
  return sql`pg_catalog.format('%s', ${cell}) operator(pg_catalog.=) ${value} and ${cell} is not null`
}

function orderOf(table: TableFacts, { order = [] }: RowSelection): Sql {
  const asked = order.map(
    ({ column, descending = false }) =>
      sql`${cellOf(table, column)} ${verbatim(descending ? 'desc' : 'asc')}`,
  )
  const byKey = table.key.map((name) => sql`${cellOf(table, name)}`)
  const all = [...asked, ...byKey]
  return all.length === 0 ? EMPTY : sql`order by ${join(all)}`
}

function cellOf(table: TableFacts, column: string): Sql {
  if (!table.columns.some(({ name }) => name === column))
    throw new InspectorError('invalid_request', `${table.name} has no column ${column}.`)
  return identifier('t', column)
}

const NOT_COMPARABLE = new Set(['42883', '42704', '42725', '42804'])

/** Tells what Postgres found wrong with a filter's or key's value. @throws {InspectorError} `invalid_request` */
export function refuseValue(error: unknown): never {
  if (error instanceof SqlError && (error.code.startsWith('22') || NOT_COMPARABLE.has(error.code)))
    throw new InspectorError('invalid_request', `Postgres cannot compare that: ${error.message}.`, {
      cause: error,
    })
  throw error
}
