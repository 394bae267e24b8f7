// Defines rows and problems of an imported file, and the interfaces between file readers and the importer.
import type { JsonObject } from '../../../../core/json.ts'

export interface FileRow {
  /** Line in the file, starting at 1. */
  readonly line: number
  /** Names of the given columns, in the table's order. */
  readonly columns: readonly string[]
  /** The row as a JSON object, with the columns as members. */
  readonly json: string
  /** Columns to set to JSON's null instead of SQL's null (default: none). */
  readonly jsonNulls?: readonly string[]
}

export interface ImportProblem extends JsonObject {
  readonly line: number | null
  readonly column: string | null
  readonly message: string
}

/** Receives the rows and problems of a file. */
export interface RowSink {
  row(row: FileRow): void
  problem(problem: ImportProblem): void
}

export const MAX_PROBLEMS = 100

/** Parses text in chunks. Callers call `end` after the last chunk. */
export interface RowSource {
  push(text: string): void
  end(): void
}
