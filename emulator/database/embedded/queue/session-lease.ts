// Limits how long a session of the Postgres port may keep the one backend for its open transaction, in wall time. The lease
// limits a session only while other jobs wait.
import type { Cancel, Clock } from '../../../core/clock.ts'

export interface LeaseFacts {
  /** True while the engine waits for the client. */
  readonly isIdle: boolean
  readonly othersWait: boolean
}

export type LeaseExpiry = 'idleInTransaction' | 'transactionTooLong'

/** Wall-clock milliseconds that a client with an open transaction may be idle while other jobs wait. */
const IDLE_MILLIS = 10_000
/** Wall-clock milliseconds that a transaction may take while other jobs wait. */
const TRANSACTION_MILLIS = 120_000

export class SessionLease {
  readonly client: number
  readonly #expire: (why: LeaseExpiry) => void
  readonly #wallClock: Clock
  #stopIdle: Cancel | undefined
  #stopLong: Cancel
  #isTooLong = false

  constructor(client: number, wallClock: Clock, expire: (why: LeaseExpiry) => void) {
    this.client = client
    this.#expire = expire
    this.#wallClock = wallClock
    this.#stopLong = wallClock.after(TRANSACTION_MILLIS, () => {
      this.#isTooLong = true
    })
  }

  /** Starts or stops the idle limit. The queue calls this method after each of its changes. */
  updateLimit({ isIdle, othersWait }: LeaseFacts): void {
    if (this.#isTooLong && othersWait) {
      this.end()
      this.#expire('transactionTooLong')
      return
    }
    if (!(isIdle && othersWait)) {
      this.#stopIdle?.()
      this.#stopIdle = undefined
      return
    }
    this.#stopIdle ??= this.#wallClock.after(IDLE_MILLIS, () => {
      this.end()
      this.#expire('idleInTransaction')
    })
  }

  end(): void {
    this.#stopIdle?.()
    this.#stopLong()
    this.#stopIdle = undefined
    this.#stopLong = () => {}
    this.#isTooLong = false
  }
}
