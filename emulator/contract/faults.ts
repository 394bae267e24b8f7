// /_emulator/v1/faults: failures on order.
//   GET    /faults             FaultList
//   POST   /faults             FaultOrder → ArmedFault
//   DELETE /faults/:id         disarms one          DELETE /faults      disarms all
//   GET    /faults/catalogue   FaultCatalogue: every error the platform documents, and where it can be produced

/** Which requests a fault meets; absent members match all. */
export interface FaultScope {
  readonly service?: FaultService
  /** One of the catalogue's operations, e.g. `tenant.provision`, `object.upload`, `signin.password`. */
  readonly operation?: string
  /** Slug, schema name or id. */
  readonly project?: string
  readonly identity?: { readonly role?: string; readonly subject?: string }
}

export type FaultService = 'control' | 'auth' | 'data' | 'storage' | 'realtime'

/** What happens instead, or besides. */
export type FaultEffect =
  /** The platform's own error, with its documented body; nothing else is done. */
  | { readonly kind: 'error'; readonly code: string }
  /** The answer comes later; wall milliseconds. */
  | { readonly kind: 'latency'; readonly ms: number; readonly jitter_ms?: number }
  /** The work is done and committed, and the connection ends without an answer. */
  | { readonly kind: 'answer_lost' }
  /** The connection ends before any work is done. */
  | { readonly kind: 'connection_dropped' }
  /** Storage: no byte more can be written. */
  | { readonly kind: 'disk_full' }
  /** Realtime: open sockets in scope are closed, and new ones too while it holds. */
  | { readonly kind: 'realtime_disconnect' }
  | { readonly kind: 'realtime_delay'; readonly ms: number }
  | { readonly kind: 'realtime_duplicate' }

export interface FaultOrder {
  readonly scope: FaultScope
  readonly effect: FaultEffect
  /** How often it fires before it disarms itself; without end unless told. */
  readonly count?: number
  /** 0 … 1; 1 unless told. */
  readonly probability?: number
}

export interface ArmedFault extends FaultOrder {
  readonly id: string
  /** ISO 8601, platform time. */
  readonly armed_at: string
  readonly fired: number
  /** Requests it fired for, newest first, at most 20. */
  readonly request_ids: readonly string[]
}

export interface FaultList {
  readonly faults: readonly ArmedFault[]
}

export interface FaultCatalogue {
  readonly operations: readonly {
    readonly service: FaultService
    readonly operation: string
    readonly title: string
    /** Codes of `errors` that it documents. */
    readonly codes: readonly string[]
  }[]
  readonly errors: readonly {
    readonly service: FaultService
    readonly code: string
    readonly status: number
    /** One sentence: when the platform says so. */
    readonly sentence: string
  }[]
}
