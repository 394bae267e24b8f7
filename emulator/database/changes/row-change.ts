// Row changes and their subscription (docs/wire/realtime.md#changes). Types only: change-feed.ts creates the changes; the
// realtime service checks policies and delivers them.

import type { SchemaName } from '../../core/names.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import type { EpochMillis } from '../../core/time.ts'

export type ChangeKind = 'INSERT' | 'UPDATE' | 'DELETE'

export interface WatchedColumn {
  readonly name: string
  /** `pg_type.typname`: `int8`, `_text`, `timestamptz`, or the name of the tenant's own type. */
  readonly type: string
  /** The type as SQL writes it, qualified where it is not built in: `bigint`, `proj_x.mood`. */
  readonly sqlType: string
  readonly isKey: boolean
  /** Whether an UPDATE or DELETE captures the column's old value: key columns, or all columns with REPLICA IDENTITY FULL. */
  readonly isIdentity: boolean
  /** Roles that may SELECT the column. */
  readonly readers: ReadonlySet<PrincipalRole>
}

export interface WatchedPolicy {
  readonly name: string
  readonly isPermissive: boolean
  /** Request roles that the policy applies to. */
  readonly roles: ReadonlySet<PrincipalRole>
  /** The USING expression as SQL with qualified names; absent when the policy has none. */
  readonly using?: string
  /**
   * Relations that the USING expression names directly. Realtime treats such a policy as false (docs/wire/realtime.md#changes).
   */
  readonly otherRelations: readonly string[]
}

/** A table as realtime sees it; the same object for all changes until the schema changes. */
export interface WatchedTable {
  readonly oid: number
  readonly schemaName: SchemaName
  readonly name: string
  readonly hasRowSecurity: boolean
  /** In the table's order; virtual generated columns are left out. */
  readonly columns: readonly WatchedColumn[]
  /** Indexes into `columns`, in the primary key's order; empty without one. */
  readonly key: readonly number[]
  /** Policies FOR SELECT and FOR ALL. */
  readonly policies: readonly WatchedPolicy[]
}

/** A row: its cells in the order of its table's columns. */
export interface ChangedRow {
  /** Postgres's text format (ISO dates, UTC); null is SQL's null, `undefined` a cell that was not captured. */
  readonly texts: readonly (string | null | undefined)[]
  /** JSON text of one cell, typed as `to_jsonb` types it: `12345678901234567890`, `"2026-01-01T00:00:00+00:00"`, `null`. */
  jsonOf(column: number): string
}

/** One row that was changed by committed work. */
export interface RowChange {
  /** Increases by one with each change of this process, in commit order. */
  readonly number: number
  readonly table: WatchedTable
  readonly kind: ChangeKind
  /** Platform time of the commit. */
  readonly committedAt: EpochMillis
  /** Wall time of the commit, for measuring latency. */
  readonly committedWallAt: EpochMillis
  /** See `TenantWork.requestId`. */
  readonly requestId?: string
  /** Absent on DELETE. */
  readonly row?: ChangedRow
  /** Only the columns with `isIdentity`; absent on INSERT. */
  readonly oldRow?: ChangedRow
  /** Bytes of both rows as text. */
  readonly sizeBytes: number
}

export interface ChangeListener {
  /** At least one change of one job, in order. Called before the job's caller gets its result; must return at once. */
  onChanges(changes: readonly RowChange[]): void
  /** Changes may have been missed, for example when the engine died during a write. The subscription has ended. */
  onInterrupted(reason: string): void
  /** A schema change was committed: tables may be new, changed or gone. */
  onTablesChanged?(tables: ReadonlyMap<string, WatchedTable>): void
}

export interface ChangeSubscription {
  /** The tables that are captured for this subscription now, by name. Tables that do not exist are missing. */
  readonly tables: ReadonlyMap<string, WatchedTable>
  /** Ends the subscription. Safe to repeat. */
  close(): void
}

export interface ChangeSource {
  /**
   * Starts capturing. The listener gets every change that is committed after the promise is fulfilled.
   * @param tables names inside the project's schema, or `all` tables, including tables that are created later
   * @throws {SqlError} when the engine refuses
   */
  subscribe(
    schemaName: SchemaName,
    tables: 'all' | ReadonlySet<string>,
    listener: ChangeListener,
  ): Promise<ChangeSubscription>
}
