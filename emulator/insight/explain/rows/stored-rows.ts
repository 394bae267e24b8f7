// Reads the rows to explain. Each row is the text of a record. Cells are parsed from this text, and Postgres recreates the
// row from this text to evaluate expressions.

import { cellText, SqlError, type StatementResult } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import { parseRecordText } from '../../../database/values/row-text.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import { type Cells, type RowSelection, selectionStatements } from '../../tables/select-rows.ts'
import type { Table } from '../../tables/table.ts'

export interface StoredRow {
  /** Postgres's text for the whole record, with the columns in the table's order. */
  readonly text: string
  readonly cells: Cells
  /** Cells of the primary key, or all cells if the table has no primary key. */
  readonly key: Cells
}

export interface StoredRows {
  readonly rows: readonly StoredRow[]
  /** Number of selected rows on all pages. */
  readonly total: number
}

/** Maximum size of an explanation's rows (16 MiB). Further rows are left out, as if `limit` were lower. */
const MAX_BYTES = { maxResultBytes: 16 << 20 } as const

/**
 * Reads rows of a table or materialised view, without applying its policies. Views are read as the identity instead
 * (rows-as-identity.ts).
 * @throws {InspectorError} `invalid_request` for an unknown column or a value that does not fit the column's type
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

/** Builds the statements for `storedRows`, which reads their results. @throws {InspectorError} */
export function recordStatements(
  table: Table,
  selection: RowSelection,
): readonly [count: Sql, page: Sql] {
  return selectionStatements(table, selection, sql`pg_catalog.textin(pg_catalog.record_out(t.*))`)
}

export function storedRows(table: Table, [counted, read]: readonly StatementResult[]): StoredRows {
  const rows = (read?.rows ?? []).map(([cell]) => storedRow(table, cellText(cell) ?? '()'))
  return { rows, total: Number(cellText(counted?.rows[0]?.[0])) }
}

/** Parses the text of a record into a row. */
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

/** Reports an invalid value of a filter or key; rethrows other errors. @throws {InspectorError} `invalid_request` */
export function refuseValue(error: unknown): never {
  if (error instanceof SqlError && (error.code.startsWith('22') || NOT_COMPARABLE.has(error.code)))
    throw new InspectorError(
      'invalid_request',
      `Postgres cannot compare the column with this value: ${error.message}.`,
      {
        cause: error,
      },
    )
  throw error
}
