// One page of a table's rows as somebody sees them, and how many there are on all pages.

import type { z } from 'zod'
import type { RowsPage, RowsRequest } from '../../contract/tables.ts'
import type { RowColumn } from '../../contract/values.ts'
import { cellText, rowsLeftOut } from '../../database/engine.ts'
import { EMPTY, identifier, join, type Sql, sql } from '../../database/sql.ts'
import { tableOf } from './list-tables.ts'
import { type RowAccess, type RowAccessDeps, readAs } from './row-access.ts'
import { filterCondition, findColumn } from './row-conditions.ts'
import type { ColumnRecord, TableRecord } from './table-records.ts'

/** Of one page's cells; the number of rows alone says little. */
const MAX_BYTES = { maxResultBytes: 32 << 20 } as const

/** @throws {InspectorError} `invalid_request` @throws {SqlError} */
export async function readRows(
  deps: RowAccessDeps,
  access: RowAccess,
  request: z.output<typeof RowsRequest>,
): Promise<RowsPage> {
  const { table } = access
  const from = tableOf(access.schemaName, table)
  const where = filterCondition(table, request.filters)
  const statements = [
    sql`select count(*) from ${from} where ${where}`,
    sql`select ${columnList(table.columns)} from ${from} where ${where}${orderBy(table, request.order)}
      limit ${request.limit}::bigint offset ${request.offset}::bigint`,
  ]
  const [counted, rows] = await readAs(deps, access, statements, MAX_BYTES)
  return {
    columns: table.columns.map(rowColumn),
    rows: (rows?.rows ?? []).map((row) => row.map((cell) => cellText(cell) ?? null)),
    rows_left_out: rowsLeftOut(rows),
    total: Number(cellText(counted?.rows[0]?.[0]) ?? 0),
  }
}

/** What stands between `select` and `from`; nothing for a table without columns. */
export function columnList(columns: readonly ColumnRecord[]): Sql {
  return join(columns.map(({ name }) => identifier(name)))
}

function rowColumn({ name, type, isKey }: ColumnRecord): RowColumn {
  return { name, type, is_key: isKey }
}

// Without a wish the key's order, so that pages do not overlap.
function orderBy(table: TableRecord, order: z.output<typeof RowsRequest>['order']): Sql {
  const wished = order.map(({ column, descending }, index) => ({
    name: findColumn(table, column, `order.${index}.column`).name,
    descending,
  }))
  const names = new Set(wished.map(({ name }) => name))
  const key = table.columns.filter(({ isKey, name }) => isKey && !names.has(name))
  const terms = [...wished, ...key.map(({ name }) => ({ name, descending: false }))]
  if (terms.length === 0) return EMPTY
  return sql` order by ${join(
    terms.map(({ name, descending }) =>
      descending ? sql`${identifier(name)} desc nulls last` : sql`${identifier(name)}`,
    ),
  )}`
}
