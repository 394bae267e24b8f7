// How long a client of the Postgres port may keep the one backend to itself while others wait: a transaction is a lease of
// the engine. In wall time; nobody is hurried while nobody waits.
import type { Cancel, Clock } from '../../../core/clock.ts'

/** What the queue is asked about the client that has the engine. */
export interface HoldFacts {
  /** It has nothing to do for the engine: the client is thinking. */
  readonly isIdle: boolean
  readonly someoneWaits: boolean
}

export type HoldExpiry = 'idleInTransaction' | 'transactionTooLong'

/** Wall milliseconds that others wait for a client that does nothing. */
const IDLE_MILLIS = 10_000
/** Wall milliseconds of a whole transaction after which others need not wait any more. */
const TRANSACTION_MILLIS = 120_000

export class EngineHold {
  readonly client: number
  readonly #expire: (why: HoldExpiry) => void
  readonly #wallClock: Clock
  #stopIdle: Cancel | undefined
  #stopLong: Cancel
  #isTooLong = false

  constructor(client: number, wallClock: Clock, expire: (why: HoldExpiry) => void) {
    this.client = client
    this.#expire = expire
    this.#wallClock = wallClock
    this.#stopLong = wallClock.after(TRANSACTION_MILLIS, () => {
      this.#isTooLong = true
    })
  }

  /** Looks at what is the case now; to be called after every change. */
  look({ isIdle, someoneWaits }: HoldFacts): void {
    if (this.#isTooLong && someoneWaits) {
      this.end()
      this.#expire('transactionTooLong')
      return
    }
    if (!(isIdle && someoneWaits)) {
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
