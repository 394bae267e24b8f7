// GET and POST /_emulator/v1/clock: platform time (everything with an expiry, created_at, SQL's now()).

export interface ClockState {
  /** ISO 8601 UTC. */
  readonly now: string
  readonly frozen: boolean
  /** Milliseconds between platform and wall time. */
  readonly offset_ms: number
}

/** What to do; exactly one member. */
export type ClockCommand =
  | { readonly advance_ms: number }
  | { readonly set: string }
  | { readonly freeze: true | string }
  | { readonly resume: true }
  | { readonly reset: true }
