// Keeps the latest row changes in memory, with realtime's verdict for each subscriber. The log computes a change's API form on
// first use, and caches the form.
import type { JudgedChange } from '../../../contract/realtime.ts'
import type { ChangeJudged, Observation } from '../../../core/observation.ts'
import { toIso } from '../../../core/time.ts'

/** A judged change. `onWire` returns its form in the API, computed on first use. */
export interface LoggedChange {
  readonly judged: ChangeJudged
  onWire(): JudgedChange
}

export interface ChangeQuery {
  readonly schemaName?: string
  readonly requestId?: string
  /** Selects only changes with a lower number. */
  readonly before?: number
  readonly limit: number
}

/** Number of changes that the log keeps. The log keeps fewer changes when the changes are large. */
export const CHANGES_KEPT = 500
const CAPACITY = { changes: CHANGES_KEPT, bytes: 8 << 20 }

export class ChangeLog {
  readonly #listeners: ((change: LoggedChange) => void)[] = []
  #kept: LoggedChange[] = []
  #bytes = 0
  #hasDropped = false

  /** An observer (`Observer`) that records judged changes. */
  observe(observation: Observation): void {
    if (observation.kind !== 'changeJudged') return
    const change = loggedOf(observation)
    for (const listener of this.#listeners) listener(change)
    this.#kept.push(change)
    this.#bytes += observation.sizeBytes
    if (this.#kept.length > CAPACITY.changes + SLACK || this.#bytes > CAPACITY.bytes)
      this.#makeRoom()
  }

  /** Calls the listener for each judged change when the change arrives. */
  listen(listener: (change: LoggedChange) => void): void {
    this.#listeners.push(listener)
  }

  /** Whether the log has dropped changes since it was cleared. */
  get hasDropped(): boolean {
    return this.#hasDropped
  }

  clear(): void {
    this.#kept = []
    this.#bytes = 0
    this.#hasDropped = false
  }

  /** Returns matching changes, newest first. */
  find(query: ChangeQuery): readonly JudgedChange[] {
    this.#makeRoom()
    return this.#kept
      .filter(({ judged }) => isMeant(judged, query))
      .slice(-query.limit)
      .reverse()
      .map((change) => change.onWire())
  }

  #makeRoom(): void {
    let dropped = 0
    for (const { judged } of this.#kept) {
      if (this.#kept.length - dropped <= CAPACITY.changes && this.#bytes <= CAPACITY.bytes) break
      this.#bytes -= judged.sizeBytes
      dropped += 1
    }
    // Drops all old entries with one `slice`, because each `shift` would move all remaining entries.
    if (dropped === 0) return
    this.#kept = this.#kept.slice(dropped)
    this.#hasDropped = true
  }
}

/** Number of changes above the capacity at which the log drops the oldest changes, all at once. */
const SLACK = 100

function isMeant(judged: ChangeJudged, { schemaName, requestId, before }: ChangeQuery): boolean {
  return (
    (schemaName === undefined || judged.schemaName === schemaName) &&
    (requestId === undefined || judged.requestId === requestId) &&
    (before === undefined || judged.number < before)
  )
}

function loggedOf(judged: ChangeJudged): LoggedChange {
  let shown: JudgedChange | undefined
  return {
    judged,
    onWire: () => {
      shown ??= show(judged)
      return shown
    },
  }
}

function show(judged: ChangeJudged): JudgedChange {
  return {
    number: judged.number,
    schema_name: judged.schemaName,
    table: judged.table,
    event: judged.change,
    committed_at: toIso(judged.committedAt),
    request_id: judged.requestId ?? null,
    row: judged.row() ?? null,
    old_row: judged.oldRow() ?? null,
    verdicts: judged.verdicts().map((verdict) => ({
      topic: verdict.topic,
      role: verdict.role,
      subject: verdict.subject,
      verdict: verdict.verdict,
      policies: verdict.policies,
      reason: verdict.reason ?? null,
      latency_ms: verdict.latencyMillis ?? null,
    })),
  }
}
