// The rows an explanation is about: each as the text of its record, from which its cells are taken and from which Postgres
// makes the row again to evaluate expressions on.
import { InspectorError } from '../../api-kit/errors.ts'
import { cellText, SqlError, type StatementResult } from '../../database/engine.ts'
import type { RowReader } from '../../database/row-reader.ts'
import { type Sql, sql } from '../../database/sql.ts'
import { parseRecordText } from '../../database/values/row-text.ts'
import { type Cells, type RowSelection, selectionStatements } from '../../tables/select-rows.ts'
import type { Table } from '../../tables/table.ts'

export interface StoredRow {
  /** Postgres's text of the whole record, in the order of the table's columns. */
  readonly text: string
  readonly cells: Cells
  /** The primary key's cells, or all of them where there is none. */
  readonly key: Cells
}

export interface StoredRows {
  readonly rows: readonly StoredRow[]
  /** Number of selected rows on all pages. */
  readonly total: number
}

/** Rows beyond this size of one explanation are left out, as if the limit were lower. */
const MAX_BYTES = { maxResultBytes: 16 << 20 } as const

/**
 * Reads rows of a table or materialised view, whatever its policies say. Views are read as the identity.
 * @throws {InspectorError} `invalid_request` for an unknown column or a value that its type does not take
 * @throws {SqlError}
 */
export async function readRows(
  reader: RowReader,
  table: Table,
  selection: RowSelection,
): Promise<StoredRows> {
  const statements = recordStatements(table, selection)
  return storedRows(
    table,
    await reader.read(table.schemaName, statements, MAX_BYTES).catch(refuseValue),
  )
}

/** The statements whose results `storedRows` takes. @throws {InspectorError} */
export function recordStatements(table: Table, selection: RowSelection): readonly Sql[] {
  return selectionStatements(table, selection, sql`pg_catalog.textin(pg_catalog.record_out(t.*))`)
}

export function storedRows(table: Table, [counted, read]: readonly StatementResult[]): StoredRows {
  const rows = (read?.rows ?? []).map(([cell]) => storedRow(table, cellText(cell) ?? '()'))
  return { rows, total: Number(cellText(counted?.rows[0]?.[0])) }
}

/** A row from the text of its record. */
export function storedRow(table: Table, text: string): StoredRow {
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

const NOT_COMPARABLE = new Set(['42883', '42704', '42725', '42804'])

/** Says what is wrong with a filter's or key's value. @throws {InspectorError} `invalid_request` */
export function refuseValue(error: unknown): never {
  if (error instanceof SqlError && (error.code.startsWith('22') || NOT_COMPARABLE.has(error.code)))
    throw new InspectorError('invalid_request', `Postgres cannot compare that: ${error.message}.`, {
      cause: error,
    })
  throw error
}
