// Reads one page of a table's rows as the owner or an identity, and counts the rows on all pages.
import type { z } from 'zod'
import type { RowsPage, RowsRequest } from '../../../contract/tables.ts'
import { cellText, rowsLeftOut } from '../../../database/engine.ts'
import { columnList, selectionStatements } from '../../tables/select-rows.ts'
import { type RowAccess, type RowAccessDeps, readAs } from './row-access.ts'

/** Maximum size of a page's cells: 32 MiB. Further rows of the page are left out. */
const MAX_BYTES = { maxResultBytes: 32 << 20 } as const

/** @throws {InspectorError} `invalid_request` @throws {SqlError} */
export async function readRows(
  deps: RowAccessDeps,
  access: RowAccess,
  selection: z.output<typeof RowsRequest>,
): Promise<RowsPage> {
  const { columns } = access.table
  const statements = selectionStatements(access.table, selection, columnList(columns))
  const [counted, rows] = await readAs(deps, access, statements, MAX_BYTES)
  return {
    columns: columns.map(({ name, type, isKey }) => ({ name, type, is_key: isKey })),
    rows: (rows?.rows ?? []).map((row) => row.map((cell) => cellText(cell) ?? null)),
    rows_left_out: rowsLeftOut(rows),
    total: Number(cellText(counted?.rows[0]?.[0]) ?? 0),
  }
}
