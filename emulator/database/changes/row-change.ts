// What the platform knows of a row that changed, and where to ask for changes (docs/wire/realtime.md#changes).
// Types only: change-feed.ts makes them, realtime judges and delivers them.

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
  /** Part of what an UPDATE or DELETE tells of the row before: the key, or all columns with REPLICA IDENTITY FULL. */
  readonly isIdentity: boolean
  /** Roles that may SELECT it. */
  readonly readers: ReadonlySet<PrincipalRole>
}

export interface WatchedPolicy {
  readonly name: string
  readonly isPermissive: boolean
  /** Request roles it applies to. */
  readonly roles: ReadonlySet<PrincipalRole>
  /** Its USING expression as SQL with qualified names; absent when it has none. */
  readonly using?: string
  /** Relations that its expression names directly; such a policy counts as false in realtime (docs/wire/realtime.md#changes). */
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
  /** Those that decide who may read: FOR SELECT and FOR ALL. */
  readonly policies: readonly WatchedPolicy[]
}

/** A row: its cells in the order of its table's columns. */
export interface ChangedRow {
  /** Postgres's text format (ISO dates, UTC); null is SQL's null, `undefined` a cell that is not told. */
  readonly texts: readonly (string | null | undefined)[]
  /** JSON text of one cell, typed as `to_jsonb` types it: `12345678901234567890`, `"2026-01-01T00:00:00+00:00"`, `null`. */
  jsonOf(column: number): string
}

/** One row that was changed by committed work. */
export interface RowChange {
  /** Rises by one with each change of this process, in commit order. */
  readonly number: number
  readonly table: WatchedTable
  readonly kind: ChangeKind
  /** Platform time. */
  readonly committedAt: EpochMillis
  /** Wall time of the same moment, which latency is counted from. */
  readonly committedWallAt: EpochMillis
  /** As `TenantWork` said. */
  readonly requestId?: string
  /** Absent on DELETE. */
  readonly row?: ChangedRow
  /** Only the columns with `isIdentity`; absent on INSERT. */
  readonly oldRow?: ChangedRow
  /** Bytes of both rows as text. */
  readonly sizeBytes: number
}

export interface ChangeListener {
  /** Changes of one piece of work, at least one, in order; called before the work's caller hears of its end. Must return at once. */
  onChanges(changes: readonly RowChange[]): void
  /** Changes may have been missed (the engine died under a write): the subscription is over. */
  onInterrupted(reason: string): void
  /** A schema change was committed: tables may have come, gone or changed. */
  onTablesChanged?(tables: ReadonlyMap<string, WatchedTable>): void
}

export interface ChangeSubscription {
  /** The tables that are captured for this subscription now, by name; wanted ones that do not exist are missing. */
  readonly tables: ReadonlyMap<string, WatchedTable>
  /** Ends it; nothing is told afterwards. Safe to repeat. */
  close(): void
}

export interface ChangeSource {
  /**
   * Begins to capture. Once the promise is fulfilled no change committed from then on is missed.
   * @param tables names inside the project's schema, or all of them, also those still to come
   * @throws {SqlError} when the engine refuses
   */
  subscribe(
    schemaName: SchemaName,
    tables: 'all' | ReadonlySet<string>,
    listener: ChangeListener,
  ): Promise<ChangeSubscription>
}
