// Keeps the latest entries of each kind from the event stream, up to a limit. live.ts stores the result. Pure.
import type { LiveEvent } from '../../emulator/contract/events.ts'
import type { JournalEntry } from '../../emulator/contract/journal.ts'
import type { MailboxMessage } from '../../emulator/contract/mailbox.ts'
import type { JudgedChange, RealtimeConnectionEvent } from '../../emulator/contract/realtime.ts'
import type { ClockReading } from './time.ts'

export type LiveConnection = 'connecting' | 'live' | 'reconnecting'

export interface LiveSnapshot {
  readonly connection: LiveConnection
  readonly bootId: string | undefined
  readonly version: string | undefined
  /** Requests, oldest first. The other lists have the same order. */
  readonly requests: readonly JournalEntry[]
  readonly changes: readonly JudgedChange[]
  readonly messages: readonly MailboxMessage[]
  readonly realtime: readonly RealtimeConnectionEvent[]
  readonly clock: ClockReading | undefined
  readonly armedFaults: number
  /**
   * Counts how often the page may have missed events: before the stream opened, in a gap, or over a restart of the emulator.
   * Screens then reload.
   */
  readonly lost: number
}

/** Maximum number of entries that the buffer keeps of each kind. */
export const LIVE_LIMITS = { requests: 10_000, changes: 2_000, messages: 500, realtime: 2_000 }

export const EMPTY_SNAPSHOT: LiveSnapshot = {
  connection: 'connecting',
  bootId: undefined,
  version: undefined,
  requests: [],
  changes: [],
  messages: [],
  realtime: [],
  clock: undefined,
  armedFaults: 0,
  lost: 0,
}

/**
 * Returns the snapshot after these events. `wallMillis` is the time when the events arrived. `seen` is the number of events
 * before the page's first request; `undefined` when the number is unknown.
 */
export function applyEvents(
  before: LiveSnapshot,
  events: readonly LiveEvent[],
  wallMillis: number,
  seen?: number,
): LiveSnapshot {
  let snapshot = before
  const requests: JournalEntry[] = []
  const changes: JudgedChange[] = []
  const messages: MailboxMessage[] = []
  const realtime: RealtimeConnectionEvent[] = []
  for (const event of events) {
    if (event.kind === 'request') requests.push(event.entry)
    else if (event.kind === 'change') changes.push(event.change)
    else if (event.kind === 'message') messages.push(event.message)
    else if (event.kind === 'realtime') realtime.push(event.event)
    else if (event.kind === 'hello') snapshot = greet(snapshot, event, seen)
    else snapshot = applyRare(snapshot, event, wallMillis)
  }
  return {
    ...snapshot,
    requests: keepLatest(snapshot.requests, requests, LIVE_LIMITS.requests),
    changes: keepLatest(snapshot.changes, changes, LIVE_LIMITS.changes),
    messages: keepLatest(snapshot.messages, messages, LIVE_LIMITS.messages),
    realtime: keepLatest(snapshot.realtime, realtime, LIVE_LIMITS.realtime),
  }
}

function applyRare(snapshot: LiveSnapshot, event: LiveEvent, wallMillis: number): LiveSnapshot {
  switch (event.kind) {
    case 'gap':
      return { ...snapshot, lost: snapshot.lost + 1 }
    case 'clock':
      return { ...snapshot, clock: { state: event.clock, readAt: wallMillis } }
    case 'faults':
      return { ...snapshot, armedFaults: event.armed }
    default:
      return snapshot
  }
}

// Drops the old entries when the emulator restarted, because its sequence numbers then restart. The first `hello` counts as a
// gap when there were events after the page's first request. A screen may lack their effects, and receives no event for them.
function greet(
  snapshot: LiveSnapshot,
  hello: Extract<LiveEvent, { readonly kind: 'hello' }>,
  seen: number | undefined,
): LiveSnapshot {
  const known = { bootId: hello.boot_id, version: hello.version, connection: 'live' } as const
  if (snapshot.bootId === hello.boot_id) return { ...snapshot, ...known }
  const kept = snapshot.bootId === undefined ? snapshot : EMPTY_SNAPSHOT
  const missedNone = snapshot.bootId === undefined && seen === hello.events
  return { ...kept, ...known, lost: snapshot.lost + (missedNone ? 0 : 1) }
}

/** Returns the same list when no entry arrived, so that components don't render again. */
export function keepLatest<Entry>(
  kept: readonly Entry[],
  arrived: readonly Entry[],
  limit: number,
): readonly Entry[] {
  if (arrived.length === 0) return kept
  return [...kept, ...arrived].slice(-limit)
}
