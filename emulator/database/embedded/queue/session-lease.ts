// How long a session of the Postgres port may keep the one backend for its open transaction while other jobs wait, in wall
// time. The limits apply only while other work is queued.
import type { Cancel, Clock } from '../../../core/clock.ts'

export interface LeaseFacts {
  /** The engine waits for the client. */
  readonly isIdle: boolean
  readonly othersWait: boolean
}

export type LeaseExpiry = 'idleInTransaction' | 'transactionTooLong'

/** Wall milliseconds that other jobs wait for an idle client. */
const IDLE_MILLIS = 10_000
/** Wall milliseconds after which a transaction ends when other jobs wait. */
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

  /** Starts or stops the idle limit. Called after every change of the queue. */
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
