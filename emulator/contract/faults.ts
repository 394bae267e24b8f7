// /_emulator/v1/faults: injected faults.
//   GET    /faults             FaultList
//   POST   /faults             FaultOrder → ArmedFault
//   DELETE /faults/:id         disarms one          DELETE /faults      disarms all
//   GET    /faults/catalogue   FaultCatalogue: every error the platform documents, and where it can be produced

/** Which requests a fault meets; absent members match all. */
export interface FaultScope {
  readonly service?: FaultService
  /** One of the catalogue's operations, e.g. `tenant.provision`, `object.upload`, `signin.password`. */
  readonly operation?: string
  /** Slug, schema name or id. Of management routes: the project itself, or the template of the group it is about. */
  readonly project?: string
  /** As the credential's claims say, sound or not. `subject` is a user's id or e-mail address, or `apikey:anon`. */
  readonly identity?: { readonly role?: string; readonly subject?: string }
}

export type FaultService = 'control' | 'auth' | 'data' | 'storage' | 'realtime'

/** What happens instead, or besides. */
export type FaultEffect =
  /**
   * The platform's own error, with its documented body and state. It meets only operations that document the code; nothing
   * else is done, except what the code itself leaves behind (`clone_incompleto`, `pendente`).
   */
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

/** What is to happen. */
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
  /** Newest first. */
  readonly faults: readonly ArmedFault[]
}

/** Answer of DELETE /faults. */
export interface FaultsDisarmed {
  readonly disarmed: number
}

export interface FaultCatalogue {
  readonly operations: readonly {
    readonly service: FaultService
    readonly operation: string
    readonly title: string
    /** Method and path, e.g. `POST /groups/v1/:group_id/tenants`; `null` for what happens on an open socket. */
    readonly route: string | null
    /** Codes of `errors` that it documents. */
    readonly codes: readonly string[]
    /** What can happen to it. */
    readonly effects: readonly FaultEffect['kind'][]
  }[]
  readonly errors: readonly {
    readonly service: FaultService
    readonly code: string
    /** 101 for refusals of a join, which are replies on an open socket; TUS and S3 send the logical status instead. */
    readonly status: number
    /** One sentence: when the platform says so. */
    readonly sentence: string
  }[]
}
