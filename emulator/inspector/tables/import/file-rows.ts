// Rows of an imported file, taken out of its text as it arrives: each with the line on which it begins, each as the JSON
// object that Postgres will read.
import type { JsonObject } from '../../../core/json.ts'
import type { FileFormat } from '../shapes.ts'
import type { TableRecord } from '../table-records.ts'
import { CsvRows } from './csv-rows.ts'
import { JsonRows } from './json-rows.ts'

export interface FileRow {
  /** 1-based. */
  readonly line: number
  /** Columns in the table's order. */
  readonly columns: readonly string[]
  /** JSON object whose members are the columns. */
  readonly json: string
}

export interface ImportProblem extends JsonObject {
  readonly line: number | null
  readonly column: string | null
  readonly message: string
}

/** Collects rows and what is wrong with the file; more than `MAX_PROBLEMS` are not told. */
export interface RowSink {
  row(row: FileRow): void
  problem(problem: ImportProblem): void
}

export const MAX_PROBLEMS = 100

/** Reads text piece by piece; `end` says that there is no more. */
export interface RowSource {
  push(text: string): void
  end(): void
}

export function rowSource(format: FileFormat, table: TableRecord, sink: RowSink): RowSource {
  return format === 'csv' ? new CsvRows(table, sink) : new JsonRows(table, sink)
}
