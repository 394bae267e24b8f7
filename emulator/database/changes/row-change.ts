// Row changes and their subscription (docs/wire/realtime.md#changes). The change feed produces these records; the
// realtime service checks policies and delivers them.

import type { SchemaName } from '../../core/names.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import type { EpochMillis } from '../../core/time.ts'

export type ChangeKind = 'INSERT' | 'UPDATE' | 'DELETE'

export interface WatchedColumn {
  readonly name: string
  /** `pg_type.typname`: `int8`, `_text`, `timestamptz`, or the name of the tenant's own type. */
  readonly type: string
  /** The type's name in SQL, qualified when the type is not built in: `bigint`, `proj_x.mood`. */
  readonly sqlType: string
  readonly isKey: boolean
  /** Whether an UPDATE or DELETE captures the column's old value, as for key columns and REPLICA IDENTITY FULL. */
  readonly isIdentity: boolean
  /** Roles that may SELECT the column. */
  readonly readers: ReadonlySet<PrincipalRole>
}

export interface WatchedPolicy {
  readonly name: string
  readonly isPermissive: boolean
  /** The roles of requests that the policy applies to. */
  readonly roles: ReadonlySet<PrincipalRole>
  /** The USING expression as SQL with qualified names; absent when the policy has none. */
  readonly using?: string
  /**
   * Other relations that the USING expression names directly. Realtime treats a policy that reads other relations as false
   * (docs/wire/realtime.md#changes).
   */
  readonly otherRelations: readonly string[]
}

/** A table as realtime sees it; all changes share one object until the schema changes. */
export interface WatchedTable {
  readonly oid: number
  readonly schemaName: SchemaName
  readonly name: string
  readonly hasRowSecurity: boolean
  /** The columns in the table's order, without virtual generated columns. */
  readonly columns: readonly WatchedColumn[]
  /** The primary key as indexes into `columns`; empty without a primary key. */
  readonly key: readonly number[]
  /** The table's policies FOR SELECT and FOR ALL. */
  readonly policies: readonly WatchedPolicy[]
}

/** A row: its cells in the order of its table's columns. */
export interface ChangedRow {
  /** Each cell is in Postgres's text format (ISO dates, UTC), null for SQL's null, or `undefined` when not captured. */
  readonly texts: readonly (string | null | undefined)[]
  /** JSON text of one cell, as `to_jsonb` renders it: `12345678901234567890`, `"2026-01-01T00:00:00+00:00"`, `null`. */
  jsonOf(column: number): string
}

/** One row that was changed by committed work. */
export interface RowChange {
  /** The change's number in this process, in commit order, without gaps. */
  readonly number: number
  readonly table: WatchedTable
  readonly kind: ChangeKind
  /** The platform time of the commit. */
  readonly committedAt: EpochMillis
  /** The wall time of the commit, for measuring latency. */
  readonly committedWallAt: EpochMillis
  /** See `TenantWork.requestId`. */
  readonly requestId?: string
  /** Absent on DELETE. */
  readonly row?: ChangedRow
  /** The old row's cells of columns with `isIdentity`; an INSERT has no old row. */
  readonly oldRow?: ChangedRow
  /** Returns the old row with all columns, which subscribers do not get. */
  wholeOldRow(): ChangedRow | undefined
  /** The size of both rows as text, in bytes. */
  readonly sizeBytes: number
}

export interface ChangeListener {
  /**
   * Receives the changes of one job, at least one, in order. The feed calls this function before the job's caller gets its
   * result; the function must return at once.
   */
  onChanges(changes: readonly RowChange[]): void
  /** Resolves when the listener has judged or dropped every received change. `undefined` when it is judging no change now. */
  judged?(): Promise<void> | undefined
  /**
   * Called when changes may have been missed, for example because the engine died during a write. The subscription has ended.
   */
  onInterrupted(reason: string): void
  /** Called after a committed schema change: tables may be new, changed or gone. */
  onTablesChanged?(tables: ReadonlyMap<string, WatchedTable>): void
}

export interface ChangeSubscription {
  /** The tables that are captured for this subscription now, by name. Tables that do not exist are left out. */
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
