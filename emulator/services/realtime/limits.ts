// Defines the limits of sockets, channels and projects (docs/wire/limits.md#realtime), and counts uses in windows of time.
// Windows use wall time, so that the limits also work while platform time is frozen. Pure: callers pass the time.
import { type EpochMillis, SECOND_MILLIS } from '../../core/time.ts'

export interface RealtimeLimits {
  /** Maximum size of a frame. A larger frame closes the socket with code 1009. */
  readonly frameBytes: number
  /** Maximum size of one broadcast or presence payload. */
  readonly payloadBytes: number
  readonly socketsPerProject: number
  readonly channelsPerSocket: number
  readonly joinsPerSecond: number
  readonly messagesPerSecond: number
  /** Maximum row changes per project. Realtime skips further changes. */
  readonly changesPerSecond: number
  /** Maximum presence calls of one channel during PRESENCE_WINDOW_MILLIS. */
  readonly presenceCalls: number
  /** Realtime closes a socket as too slow when more bytes than this wait for its peer for BACKLOG_MILLIS. */
  readonly bufferedBytes: number
  /**
   * Realtime closes a socket immediately when more bytes than this wait for its peer. The limit allows bursts that the network
   * has not sent yet.
   */
  readonly maxBufferedBytes: number
  /** Realtime closes a socket that receives no frame for this many wall-clock milliseconds. */
  readonly idleMillis: number
}

/**
 * The limits have upstream's defaults, with three differences. `joinsPerSecond` and `messagesPerSecond` apply per socket, not
 * per tenant. A project may have far more sockets, because a local load test comes from one address. Row changes have no
 * limit, because upstream silently skips changes above its message rate, which would make tests unreliable.
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

/** Maximum time that more than `bufferedBytes` may wait for a peer. */
export const BACKLOG_MILLIS: number = 5 * SECOND_MILLIS

export const PRESENCE_WINDOW_MILLIS: number = 30 * SECOND_MILLIS

/** Realtime averages rates over this period, so that shorter bursts are allowed. */
const RATE_WINDOW_MILLIS = 5 * SECOND_MILLIS

/** Counts uses in consecutive windows of fixed length. */
export class CountingWindow {
  #start: number = Number.NEGATIVE_INFINITY
  #count = 0

  /** Counts toward a rate per second, which is averaged over RATE_WINDOW_MILLIS. Returns false above the rate. */
  admitsRate(now: EpochMillis, perSecond: number, weight = 1): boolean {
    const limit = (perSecond * RATE_WINDOW_MILLIS) / 1_000
    return this.admits(now, RATE_WINDOW_MILLIS, limit, weight)
  }

  /** Adds `weight` to the count of the current window. Returns false when the count then exceeds `limit`. */
  admits(now: EpochMillis, windowMillis: number, limit: number, weight = 1): boolean {
    // If the wall clock was set back, a new window starts, because the old one could last for hours.
    if (now - this.#start >= windowMillis || now < this.#start) {
      this.#start = now
      this.#count = 0
    }
    this.#count += weight
    return this.#count <= limit
  }
}
