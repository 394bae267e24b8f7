// Why a row is shown, hidden, accepted or refused.
//   POST /_emulator/v1/projects/:ref/explain          ExplainRequest → Explanation: rows of one table as one identity meets them
//   POST /_emulator/v1/projects/:ref/explain/matrix   MatrixRequest → VerdictMatrix: rows × identities, verdicts only
//   POST /_emulator/v1/projects/:ref/explain/suggested-fixes   SuggestedFixesRequest → SuggestedFixes: changes that reverse one row's verdict
//   GET  /_emulator/v1/projects/:ref/policies         PolicyOverview: every table's policies, grants and warnings
//   GET  /_emulator/v1/projects/:ref/identities       IdentityChoices: who can be looked through
//   GET  /_emulator/v1/journal/:request_id/chain      AccessChain of a recorded request

/** Through whose eyes. */
export type IdentityReference =
  | { readonly kind: 'anon' }
  | { readonly kind: 'service_role' }
  /** An end user, by id or e-mail address; `claims` are added to those a fresh session of theirs would carry. */
  | {
      readonly kind: 'user'
      readonly user: string
      readonly claims?: Readonly<Record<string, unknown>>
    }
  /** Anyone, as their claims say. */
  | {
      readonly kind: 'claims'
      readonly role: 'anon' | 'authenticated' | 'service_role'
      readonly claims: Readonly<Record<string, unknown>>
    }
  /** Whoever made a recorded request. */
  | { readonly kind: 'request'; readonly request_id: string }

export interface Identity {
  /** For people: an e-mail address, `anon`, `service_role`. */
  readonly label: string
  readonly role: 'anon' | 'authenticated' | 'service_role'
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
}

export interface IdentityChoices {
  readonly identities: readonly {
    readonly reference: IdentityReference
    readonly label: string
    readonly role: Identity['role']
  }[]
}

export type RowCommand = 'select' | 'insert' | 'update' | 'delete'

export interface ExplainRequest {
  /** Table or view of the tenant's schema, by its bare name. */
  readonly relation: string
  readonly identity: IdentityReference
  readonly command: RowCommand
  /** Only these rows, by primary key (or by every column where there is none); texts as Postgres writes them. */
  readonly keys?: readonly Readonly<Record<string, string | null>>[]
  /** INSERT: the row. UPDATE: the columns that change. */
  readonly new_row?: Readonly<Record<string, unknown>>
  /** Rows given, 100 unless told, at most 10,000 and those that fit in 16 MB. */
  readonly limit?: number
  readonly offset?: number
  readonly order?: readonly { readonly column: string; readonly descending?: boolean }[]
  /** Rows kept, as the inspector sees them; all must hold. */
  readonly filters?: readonly RowFilter[]
  /** `verdicts` leaves sentences, trees and leaves out, for long lists. `full` unless told. */
  readonly detail?: 'verdicts' | 'full'
}

export interface RowFilter {
  readonly column: string
  readonly operator:
    | 'eq'
    | 'neq'
    | 'lt'
    | 'lte'
    | 'gt'
    | 'gte'
    | 'like'
    | 'ilike'
    | 'is_null'
    | 'is_not_null'
  /** As Postgres reads it; left out where the operator wants none. */
  readonly value?: string
}

/** What became of the table as a whole before any row was looked at. */
export type TableVerdict =
  /** Policies decide row by row. */
  | 'policies_decide'
  /** The role bypasses row-level security. */
  | 'bypasses_policies'
  /** Row-level security is off: every row is open to whoever has the grant. */
  | 'rls_off'
  /** No privilege on the schema, the table or a column that is needed. */
  | 'missing_grant'
  /** One of the platform's own `auth_*` tables, closed to every project credential. */
  | 'closed_table'
  /** Row-level security is on and no policy speaks of this command and role. */
  | 'no_policy'
  | 'unknown_relation'
  /** A view: whose rights count is said in `sentence`. */
  | 'view'
  /** The policies cannot be evaluated at all (endless recursion, a function that is gone). */
  | 'error'

/** Three-valued logic, and what Postgres never got to. */
export type TruthValue = 'true' | 'false' | 'null' | 'error'

export interface Explanation {
  readonly identity: Identity
  readonly relation: string
  readonly command: RowCommand
  readonly table: {
    readonly verdict: TableVerdict
    /** What it means, in one sentence. */
    readonly sentence: string
    /** SQL that fixes it, where there is one. */
    readonly suggested_fix: string | null
    readonly rls_enabled: boolean
    readonly rls_forced: boolean
    /** The statement's privileges the role has on the table, e.g. `SELECT`, and column grants as `SELECT (name)`. */
    readonly grants: readonly string[]
  }
  /** Columns in the table's order. */
  readonly columns: readonly RowColumn[]
  readonly rows: readonly RowVerdict[]
  /** Rows that match, on all pages. */
  readonly total: number
  /** Of `total`: how many the identity may; absent when only a page was judged. */
  readonly allowed_total?: number
  /** Policies of the table with how each relates to this command and role. */
  readonly policies: readonly PolicyState[]
  /** Milliseconds of wall time it took. */
  readonly duration_ms: number
}

export interface RowColumn {
  readonly name: string
  /** As Postgres writes the type. */
  readonly type: string
  readonly is_key: boolean
}

export interface PolicyState {
  readonly name: string
  readonly permissive: boolean
  /** `all`, or the one command it applies to. */
  readonly command: 'all' | RowCommand
  readonly roles: readonly string[]
  /** As Postgres writes them. */
  readonly using: string | null
  readonly check: string | null
  readonly applies: boolean
  /** Why not. */
  readonly skipped_because: 'command' | 'role' | null
}

export interface RowVerdict {
  /** Primary key columns (all columns where there is no key); texts as Postgres writes them. */
  readonly key: Readonly<Record<string, string | null>>
  /** Every column, as Postgres writes it. */
  readonly row: Readonly<Record<string, string | null>>
  /** UPDATE and INSERT: the row as it would become. */
  readonly new_row: Readonly<Record<string, string | null>> | null
  readonly allowed: boolean
  /** Short: fits a chip, e.g. `own_patients: clinic_id = … is false`. */
  readonly reason: string
  /** One or two sentences for people. Empty with detail `verdicts` where policies decide. */
  readonly sentence: string
  /** Names of the policies that decided. */
  readonly deciding: readonly string[]
  /** One per clause that was asked: SELECT and DELETE ask `using`, INSERT `check`, UPDATE both. Empty with detail `verdicts`. */
  readonly clauses: readonly ClauseVerdict[]
}

/** Policies of one clause joined as Postgres joins them: (permissive OR …) AND restrictive AND …. */
export interface ClauseVerdict {
  readonly clause: 'using' | 'check'
  /** The command whose policies these are: an UPDATE that reads also asks those of SELECT. */
  readonly command: RowCommand
  /** Whether it was asked of the row as it is or as it would become. */
  readonly of: 'old_row' | 'new_row'
  readonly value: TruthValue
  readonly allowed: boolean
  readonly policies: readonly PolicyVerdict[]
}

export interface PolicyVerdict {
  readonly name: string
  readonly permissive: boolean
  readonly value: TruthValue
  /** Whether this policy settled the clause. */
  readonly decided: boolean
  /** The whole expression as Postgres writes it. */
  readonly text: string
  readonly tree: ConditionNode
}

/** The expression as a tree of AND, OR and NOT over leaves. */
export type ConditionNode =
  | {
      readonly kind: 'and' | 'or' | 'not'
      readonly text: string
      readonly value: TruthValue
      readonly decided: boolean
      readonly children: readonly ConditionNode[]
    }
  | ConditionLeaf

export interface ConditionLeaf {
  readonly kind: 'leaf'
  /** As Postgres writes it. */
  readonly text: string
  readonly value: TruthValue
  /** Whether the verdict hangs on this leaf: without it, or were it otherwise, the row's verdict would flip. */
  readonly decided: boolean
  readonly operator: string | null
  /** What was compared, in the order of the text; empty where the leaf is a bare value or a subquery. */
  readonly operands: readonly Operand[]
  /** The message, when it raised. */
  readonly error: string | null
  /** e.g. `the subquery finds 0 rows as this identity`. */
  readonly note: string | null
}

export interface Operand {
  readonly text: string
  /** As Postgres writes the value; `null` is SQL's null. */
  readonly value: string | null
  /** Where the value comes from: the row, the identity's claims, the text itself, or anything else. */
  readonly from: 'row' | 'identity' | 'constant' | 'expression'
}

export interface MatrixRequest {
  readonly relation: string
  readonly command: RowCommand
  readonly identities: readonly IdentityReference[]
  readonly keys?: ExplainRequest['keys']
  /** Rows, 50 unless told, at most 1,000. */
  readonly limit?: number
  readonly offset?: number
}

export interface VerdictMatrix {
  readonly identities: readonly Identity[]
  readonly rows: readonly {
    readonly key: Readonly<Record<string, string | null>>
    readonly row: Readonly<Record<string, string | null>>
    /** In the order of `identities`. */
    readonly cells: readonly { readonly allowed: boolean; readonly reason: string }[]
  }[]
  readonly total: number
  readonly duration_ms: number
}

export interface SuggestedFixesRequest {
  readonly relation: string
  readonly identity: IdentityReference
  readonly command: RowCommand
  readonly key: Readonly<Record<string, string | null>>
  readonly new_row?: ExplainRequest['new_row']
}

export interface SuggestedFixes {
  /** Smallest exposure first. */
  readonly suggested_fixes: readonly SuggestedFix[]
}

export interface SuggestedFix {
  /** What it does, for people. */
  readonly title: string
  /** A statement the project's owner can run. */
  readonly sql: string
  /** Other rows that this identity may then, and may not now. `null` where it cannot be told. */
  readonly exposes_rows: number | null
  readonly changes: 'policy' | 'row' | 'grant' | 'claims'
}

export interface PolicyOverview {
  readonly tables: readonly {
    readonly name: string
    readonly rls_enabled: boolean
    readonly rls_forced: boolean
    readonly is_closed: boolean
    /** `anon`, `authenticated`, `service_role` → commands granted on the whole table. */
    readonly grants: Readonly<Record<string, readonly string[]>>
    readonly policies: readonly Omit<PolicyState, 'applies' | 'skipped_because'>[]
    readonly warnings: readonly PolicyWarning[]
  }[]
}

export interface PolicyWarning {
  readonly code:
    | 'rls_off_reachable_by_anon'
    | 'rls_off'
    | 'rls_on_no_policy'
    | 'realtime_cannot_evaluate'
    | 'policy_without_role'
    | 'always_true'
    | 'view_bypasses_policies'
  readonly sentence: string
  readonly suggested_fix: string | null
}

/** Any refused request as one line of links: the first broken one is why. */
export interface AccessChain {
  readonly request_id: string
  readonly status: number
  /** Links in this order; a link not reached is `unknown`. */
  readonly links: readonly ChainLink[]
  /** The sentence that helps. */
  readonly sentence: string
  /** SQL that fixes it, where there is one. */
  readonly suggested_fix: string | null
  /** Where in the inspector to go on, e.g. a table viewed as this identity. */
  readonly explain: ExplainRequest | null
}

export interface ChainLink {
  readonly link:
    | 'credential'
    /** Of management: the group a key is for, and what the route is about. */
    | 'group'
    | 'resource'
    | 'project'
    | 'role'
    | 'claims'
    | 'grant'
    | 'policy'
    | 'row'
    | 'request'
    | 'bucket'
    | 'object'
    | 'quota'
    | 'subscription'
    | 'fault'
  readonly state: 'holds' | 'broken' | 'unknown' | 'not_needed'
  readonly title: string
  readonly sentence: string
  /** Facts for the curious, e.g. the decoded claims that matter. */
  readonly facts: Readonly<Record<string, string>>
}
