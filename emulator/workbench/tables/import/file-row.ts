// The rows of an imported file, their problems, and the interfaces between readers and importers.
import type { JsonObject } from '../../../core/json.ts'

export interface FileRow {
  /** 1-based. */
  readonly line: number
  /** Columns in the table's order. */
  readonly columns: readonly string[]
  /** JSON object whose members are the columns. */
  readonly json: string
  /** Columns with JSON's own null instead of SQL's. None by default. */
  readonly jsonNulls?: readonly string[]
}

export interface ImportProblem extends JsonObject {
  readonly line: number | null
  readonly column: string | null
  readonly message: string
}

/** Collects rows and problems of the file, at most `MAX_PROBLEMS`. */
export interface RowSink {
  row(row: FileRow): void
  problem(problem: ImportProblem): void
}

export const MAX_PROBLEMS = 100

/** Reads text in chunks; `end` follows the last one. */
export interface RowSource {
  push(text: string): void
  end(): void
}
