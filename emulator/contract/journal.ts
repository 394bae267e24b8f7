// GET /_emulator/v1/journal: what happened, newest first; requests of the emulator's own API are left out.
//      ?limit&before&after&request_id&schema_name&service&method&role&status=<404 or 4xx>&search
// GET /_emulator/v1/journal/facets: how many there are of each kind, under the same conditions.

export interface JournalEntry {
  /** Rises by one with every entry. */
  readonly sequence: number
  readonly request_id: string
  readonly service: string
  readonly method: string
  readonly target: string
  readonly status: number
  /** ISO 8601 UTC, platform time. */
  readonly received_at: string
  /** Wall milliseconds. */
  readonly duration_ms: number
  readonly schema_name: string | null
  /** `schema_name` is what a refused credential claims: nothing has verified it. */
  readonly schema_is_claimed: boolean
  readonly group_id: string | null
  readonly role: string | null
  readonly subject: string | null
  readonly credential_kind: string | null
  readonly statement: string | null
  readonly row_count: number | null
  readonly error_code: string | null
  readonly error_message: string | null
  /** Id of the fault on order that it met. */
  readonly fault: string | null
}

export interface JournalPage {
  readonly entries: readonly JournalEntry[]
}

/** Counts by value, the most frequent first. */
export interface JournalFacets {
  readonly total: number
  readonly services: Readonly<Record<string, number>>
  readonly methods: Readonly<Record<string, number>>
  /** By class: `2xx`. */
  readonly statuses: Readonly<Record<string, number>>
  readonly roles: Readonly<Record<string, number>>
  readonly schemas: Readonly<Record<string, number>>
}
