// /_emulator/v1/snapshots: the whole platform at a moment (Postgres, registry, users, files, clock).
//   GET    /snapshots                       SnapshotList, newest first
//   POST   /snapshots                       SnapshotOrder → Snapshot
//   POST   /snapshots/:name/restore         → Snapshot
//   DELETE /snapshots/:name                 → Snapshot, as it was
//   GET    /snapshots/:name/compare?with=   SnapshotDiff; `with` is another's name, or absent for now
//   POST   /reset                           back to the state after the last fixture (or an empty start) → ResetAnswer

export interface SnapshotOrder {
  /** Letters, digits, `-`, `_`, `.`; at most 64 characters. */
  readonly name: string
  readonly note?: string
  /** Takes the place of one of the same name. */
  readonly replace?: boolean
}

export interface Snapshot {
  readonly name: string
  readonly note: string | null
  /** ISO 8601, wall time. */
  readonly saved_at: string
  /** ISO 8601, platform time. */
  readonly platform_time: string
  readonly size_bytes: number
  readonly tenants: number
}

export interface SnapshotList {
  readonly snapshots: readonly Snapshot[]
}

/** From the snapshot to the other one, or to now; what is the same is left out. */
export interface SnapshotDiff {
  readonly tenants: readonly {
    readonly schema_name: string
    readonly change: 'added' | 'removed' | 'changed'
    readonly tables: readonly {
      readonly table: string
      /** By primary key; of a table without one, a changed row is one removed and one added. */
      readonly rows_added: number
      readonly rows_removed: number
      readonly rows_changed: number
      readonly structure_changed: boolean
    }[]
    /** A replaced object is one removed and one added. */
    readonly objects_added: number
    readonly objects_removed: number
    readonly users_added: number
    readonly users_removed: number
  }[]
}

export interface ResetAnswer {
  readonly duration_ms: number
  readonly tenants_reset: number
}
