// Limits of one socket, channel or project (docs/wire/limits.md#realtime), and the windows that count them. Windows are of wall
// time, so that a frozen platform is protected, too. Pure: the instant is an argument.
import { type EpochMillis, SECOND_MILLIS } from '../core/time.ts'

export interface RealtimeLimits {
  /** Larger frames close the socket with code 1009. */
  readonly frameBytes: number
  /** Of one broadcast or presence payload. */
  readonly payloadBytes: number
  readonly socketsPerProject: number
  readonly channelsPerSocket: number
  readonly joinsPerSecond: number
  readonly messagesPerSecond: number
  /** Row changes of one project; more are skipped. */
  readonly changesPerSecond: number
  /** Calls of one channel in PRESENCE_WINDOW_MILLIS. */
  readonly presenceCalls: number
  /** Bytes that may wait for a peer for BACKLOG_MILLIS before its socket is closed as too slow. */
  readonly bufferedBytes: number
  /** Bytes that may wait at any moment: a burst that the network has not taken yet. */
  readonly maxBufferedBytes: number
  /** Wall milliseconds without any frame after which a socket is closed. */
  readonly idleMillis: number
}

/**
 * Upstream's defaults. ours: `joinsPerSecond` and `messagesPerSecond` are counted per socket, not per tenant, and far more
 * sockets are admitted: a laptop's load test comes from one address. Row changes have no limit unless one is set: upstream
 * skips them silently above its message rate, which would make tests flicker.
 */
export const DEFAULT_LIMITS: RealtimeLimits = {
  frameBytes: 5_000_000,
  payloadBytes: 3_000 * 1_000 + 500,
  socketsPerProject: 10_000,
  channelsPerSocket: 100,
  joinsPerSecond: 100,
  messagesPerSecond: 100,
  changesPerSecond: Number.POSITIVE_INFINITY,
  presenceCalls: 5,
  bufferedBytes: 8_000_000,
  maxBufferedBytes: 32_000_000,
  idleMillis: 60 * SECOND_MILLIS,
}

/** How long a peer may lag behind by more than `bufferedBytes`. */
export const BACKLOG_MILLIS: number = 5 * SECOND_MILLIS

export const PRESENCE_WINDOW_MILLIS: number = 30 * SECOND_MILLIS

/** Rates are averages over this period: a shorter burst is allowed. */
export const RATE_WINDOW_MILLIS: number = 5 * SECOND_MILLIS

/** Counts in consecutive windows of fixed length. */
export class CountingWindow {
  #start: number = Number.NEGATIVE_INFINITY
  #count = 0

  /** Counts `weight` more; `false` when that is more than `limit` in the window of `now`. */
  admits(now: EpochMillis, windowMillis: number, limit: number, weight = 1): boolean {
    // A wall clock that was set back must not keep a window open for hours.
    if (now - this.#start >= windowMillis || now < this.#start) {
      this.#start = now
      this.#count = 0
    }
    this.#count += weight
    return this.#count <= limit
  }
}
