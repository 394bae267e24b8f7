// Realtime as the inspector sees it.
//   GET /_emulator/v1/projects/:ref/realtime            RealtimeOverview
//   GET /_emulator/v1/projects/:ref/realtime/changes    JudgedChangePage: the latest row changes with their verdicts
//        ?before=<number>&limit=<1…500>

export interface RealtimeOverview {
  readonly connections: readonly RealtimeConnection[]
  /** Tables whose changes are captured now, because somebody listens. */
  readonly captured_tables: readonly string[]
}

export interface RealtimeConnection {
  readonly id: string
  readonly role: string
  readonly subject: string
  /** ISO 8601, platform time. */
  readonly connected_at: string
  readonly channels: readonly RealtimeChannel[]
}

export interface RealtimeChannel {
  readonly topic: string
  readonly is_private: boolean
  readonly role: string
  readonly subject: string
  /** ISO 8601; when its token ends. */
  readonly token_expires_at: string | null
  readonly bindings: readonly {
    readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
    readonly schema: string
    readonly table: string
    readonly filter: string | null
  }[]
  readonly presence: Readonly<Record<string, readonly unknown[]>>
}

export interface RealtimeConnectionEvent {
  readonly change: 'closed' | 'refused' | 'frameDropped'
  readonly schema_name: string
  readonly topic: string | null
  readonly reason: string
}

/** A row change and what became of it for each subscriber. */
export interface JudgedChange {
  /** Rises with each change, in commit order. */
  readonly number: number
  readonly schema_name: string
  readonly table: string
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE'
  /** ISO 8601, platform time. */
  readonly committed_at: string
  /** The request whose transaction made it, when it was one of ours. */
  readonly request_id: string | null
  /** The row as it became (DELETE: its key), as sent; `null` when nobody may be shown it here. */
  readonly row: Readonly<Record<string, unknown>> | null
  readonly verdicts: readonly ChangeVerdict[]
}

export interface ChangeVerdict {
  readonly topic: string
  readonly role: string
  readonly subject: string
  readonly verdict:
    | 'delivered'
    | 'filtered'
    | 'hidden'
    | 'rlsOff'
    | 'notEvaluable'
    | 'refused'
    | 'tokenExpired'
    | 'rateLimited'
  readonly policies: readonly string[]
  readonly reason: string | null
  /** Wall milliseconds from the commit to the socket; delivered ones only. */
  readonly latency_ms: number | null
}

export interface JudgedChangePage {
  readonly changes: readonly JudgedChange[]
}
