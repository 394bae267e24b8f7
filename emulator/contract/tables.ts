// The tables of a project, as its owner sees them, whatever the policies say. Values travel as texts, as Postgres writes
// and reads them: ISO dates in UTC, `\x…` for bytes, `{a,b}` for arrays. `null` is SQL's null, `''` an empty text.
// Without identity, edits and imports run as the project's owner role; where FORCE ROW LEVEL SECURITY binds that role,
// too, as service_role. Triggers and defaults run with that role's rights, never with the platform's.
//   GET    /_emulator/v1/projects/:ref/tables                    TableList
//   GET    /_emulator/v1/projects/:ref/tables/:table             TableStructure
//   POST   /_emulator/v1/projects/:ref/tables/:table/rows        RowsRequest → RowsPage (reads as `identity`, or everything)
//   PATCH  /_emulator/v1/projects/:ref/tables/:table/rows        RowEdits → RowEditsAnswer: all of them or none
//   POST   /_emulator/v1/projects/:ref/tables/:table/import?format=csv|json      body: the file → RowEditsAnswer, or 400 ImportRefusal
//   GET    /_emulator/v1/projects/:ref/tables/:table/export?format=csv|json      streams every row
// CSV (RFC 4180, UTF-8): the first line names the columns; an empty field is null, `""` an empty text. JSON: a list of
// objects, or one object a line; a column that an object leaves out takes its default. Columns that an expression computes
// are left out. Either way all rows are taken in or none, at most 50 MB and a million rows.
//   GET    /_emulator/v1/projects/:ref/structure-diff?with=:ref  StructureDiff
import type { IdentityReference, RowColumn, RowFilter } from './explain.ts'

export interface TableList {
  readonly tables: readonly TableSummary[]
}

export interface TableSummary {
  readonly name: string
  readonly kind: 'table' | 'view' | 'materialized_view' | 'partitioned_table' | 'foreign_table'
  readonly rls_enabled: boolean
  /** One of the platform's own `auth_*` tables: structure only. */
  readonly is_closed: boolean
  readonly policies: number
  /** Exact below 10,000 rows, else Postgres's estimate; `null` for what would have to be run: a view. */
  readonly rows: number | null
  readonly is_exact: boolean
  readonly comment: string | null
}

export interface TableStructure extends TableSummary {
  readonly columns: readonly TableColumn[]
  readonly foreign_keys: readonly ForeignKey[]
  /** Foreign keys of other tables that point here. */
  readonly referenced_by: readonly ForeignKey[]
}

export interface TableColumn extends RowColumn {
  readonly is_nullable: boolean
  readonly default: string | null
  readonly is_generated: boolean
  /** Values of an enum. */
  readonly choices: readonly string[] | null
  readonly comment: string | null
}

export interface ForeignKey {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  readonly target_table: string
  readonly target_columns: readonly string[]
}

export interface RowsRequest {
  /** `null`: as the owner who sees everything. */
  readonly identity: IdentityReference | null
  readonly filters?: readonly RowFilter[]
  readonly order?: readonly { readonly column: string; readonly descending?: boolean }[]
  /** 100 unless told, at most 10,000. */
  readonly limit?: number
  readonly offset?: number
}

export interface RowsPage {
  readonly columns: readonly RowColumn[]
  /** Cells in the order of `columns`, as Postgres writes them. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** Of the page: rows after the first 32 MB. They come with an `offset`. */
  readonly rows_left_out: number
  readonly total: number
}

export interface RowEdits {
  /** `null`: as the owner, whom no policy stops. */
  readonly identity: IdentityReference | null
  /** 1 to 1,000. */
  readonly edits: readonly RowEdit[]
}

/** `key` holds the primary key, or every column where there is none; an edit that would change two rows is refused. */

export type RowEdit =
  | { readonly kind: 'insert'; readonly row: Readonly<Record<string, string | null>> }
  | {
      readonly kind: 'update'
      readonly key: Readonly<Record<string, string | null>>
      readonly changes: Readonly<Record<string, string | null>>
    }
  | { readonly kind: 'delete'; readonly key: Readonly<Record<string, string | null>> }

export interface RowEditsAnswer {
  readonly rows_changed: number
  /** What an identity's policies left untouched. */
  readonly rows_not_found: number
}

/** Body of a refused import: nothing was taken in. */
export interface ImportRefusal {
  readonly error: {
    readonly code: 'import_refused'
    readonly message: string
    /** At most 100, in the file's order. */
    readonly problems: readonly ImportProblem[]
  }
}

export interface ImportProblem {
  /** 1-based line of the file on which the row begins; `null` when it is not one row's. */
  readonly line: number | null
  readonly column: string | null
  readonly message: string
}

/** Seen from the project of the path: `missing` there is something that only `with` has, `extra` the other way round. */
export interface StructureDiff {
  readonly differences: readonly {
    readonly kind: 'missing' | 'extra' | 'different'
    /** e.g. `table`, `column`, `policy`, `index`, `function`. */
    readonly object: string
    readonly name: string
    readonly here: string | null
    readonly there: string | null
  }[]
}
