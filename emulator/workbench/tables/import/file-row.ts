// What a file gives row by row: the rows, what is wrong with them, and who takes them.
import type { JsonObject } from '../../../core/json.ts'

export interface FileRow {
  /** 1-based. */
  readonly line: number
  /** Columns in the table's order. */
  readonly columns: readonly string[]
  /** JSON object whose members are the columns. */
  readonly json: string
  /** Columns that hold JSON's own null, which is another than SQL's. None unless told. */
  readonly jsonNulls?: readonly string[]
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
