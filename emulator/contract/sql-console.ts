// POST /_emulator/v1/projects/:ref/sql: runs SQL as anyone of the project, in one transaction. What is refused is refused
//      as in `db/exec`: transaction control, changes of role, schemas of others (its code is then `error.code`), and COPY.
// GET  /_emulator/v1/projects/:ref/completions: names for the editor.
import type { IdentityReference } from './explain.ts'

export interface SqlRequest {
  readonly sql: string
  /** `owner`: the project's owner, who may change its structure. */
  readonly identity: IdentityReference | 'owner'
  /** Rows given per result, 1,000 unless told, at most 10,000; more are counted and left out. */
  readonly max_rows?: number
  /** `explain` runs EXPLAIN (ANALYZE, VERBOSE) of one statement and takes its effects back. */
  readonly mode?: 'run' | 'rollback' | 'explain'
  /** 30,000 unless told, at most 120,000. */
  readonly timeout_ms?: number
}

export interface SqlAnswer {
  readonly results: readonly SqlResult[]
  /** What Postgres says beside the results; severity `ADVICE` is the emulator's own, e.g. a table without row security. */
  readonly notices: readonly { readonly severity: string; readonly message: string }[]
  readonly duration_ms: number
  /** Set when a statement failed; everything before it was taken back. */
  readonly error: SqlFailure | null
}

export interface SqlResult {
  readonly command_tag: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly (string | null)[])[]
  /**
   * Rows beyond `max_rows`, and beyond the first 32 MB of all results together. A SELECT without LIMIT is stopped after 50,000
   * rows: what is beyond is not counted.
   */
  readonly rows_left_out: number
}

export interface SqlFailure {
  /** SQLSTATE, or the code of a refusal such as `role_change_blocked`. */
  readonly code: string
  readonly message: string
  readonly detail: string | null
  readonly hint: string | null
  /** 1-based offset into the SQL, in the units of JavaScript's strings. */
  readonly position: number | null
}

export interface SqlCompletions {
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[]
  readonly functions: readonly string[]
}
