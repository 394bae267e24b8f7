// The tables of a project, as its owner sees them, whatever the policies say.
//   GET    /_emulator/v1/projects/:ref/tables                    TableList
//   GET    /_emulator/v1/projects/:ref/tables/:table             TableStructure
//   POST   /_emulator/v1/projects/:ref/tables/:table/rows        RowsRequest → RowsPage (reads as `identity`, or everything)
//   PATCH  /_emulator/v1/projects/:ref/tables/:table/rows        RowEdits → RowEditsAnswer: all of them or none
//   POST   /_emulator/v1/projects/:ref/tables/:table/import?format=csv|json      body: the file → RowEditsAnswer
//   GET    /_emulator/v1/projects/:ref/tables/:table/export?format=csv|json      streams every row
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
  /** Postgres's estimate; exact below 10,000 rows. */
  readonly rows: number
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
  readonly total: number
}

export interface RowEdits {
  /** `null`: as the owner, whom no policy stops. */
  readonly identity: IdentityReference | null
  readonly edits: readonly RowEdit[]
}

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
