// Limits how long a session of the Postgres port may keep the one backend for its open transaction, in wall time. The lease
// limits a session only while other jobs wait.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { EpochMillis } from '../../../core/time.ts'

export interface LeaseFacts {
  /** True while the engine waits for the client. */
  readonly isIdle: boolean
  readonly othersWait: boolean
}

export type LeaseExpiry = 'idleInTransaction' | 'transactionTooLong'

/** Both functions receive the wall time at which the session got the backend. */
export interface LeaseEvents {
  /** Called every second while the client is idle and other jobs wait. */
  onHeld(since: EpochMillis): void
  onExpired(why: LeaseExpiry, since: EpochMillis): void
}

/** Wall-clock milliseconds that a client with an open transaction may be idle while other jobs wait. */
const IDLE_MILLIS = 10_000
const HELD_EVERY_MILLIS = 1_000
/** Wall-clock milliseconds that a transaction may take while other jobs wait. */
const TRANSACTION_MILLIS = 120_000

export class SessionLease {
  readonly client: number
  readonly #events: LeaseEvents
  readonly #wallClock: Clock
  readonly #since: EpochMillis
  #stopIdle: Cancel | undefined
  #stopHeld: Cancel | undefined
  #stopLong: Cancel
  #isTooLong = false

  constructor(client: number, wallClock: Clock, events: LeaseEvents) {
    this.client = client
    this.#events = events
    this.#wallClock = wallClock
    this.#since = wallClock.now()
    this.#stopLong = wallClock.after(TRANSACTION_MILLIS, () => {
      this.#isTooLong = true
    })
  }

  /** Starts or stops the idle limit and its reports. The queue calls this method after each of its changes. */
  updateLimit({ isIdle, othersWait }: LeaseFacts): void {
    if (this.#isTooLong && othersWait) {
      this.#expire('transactionTooLong')
      return
    }
    if (!(isIdle && othersWait)) {
      this.#stopWatching()
      return
    }
    this.#stopHeld ??= this.#reportHeld()
    this.#stopIdle ??= this.#wallClock.after(IDLE_MILLIS, () => this.#expire('idleInTransaction'))
  }

  end(): void {
    this.#stopWatching()
    this.#stopLong()
    this.#stopLong = () => {}
    this.#isTooLong = false
  }

  #reportHeld(): Cancel {
    return this.#wallClock.after(HELD_EVERY_MILLIS, () => {
      this.#stopHeld = this.#reportHeld()
      this.#events.onHeld(this.#since)
    })
  }

  #expire(why: LeaseExpiry): void {
    this.end()
    this.#events.onExpired(why, this.#since)
  }

  #stopWatching(): void {
    this.#stopIdle?.()
    this.#stopHeld?.()
    this.#stopIdle = undefined
    this.#stopHeld = undefined
  }
}
