// The work that waits for connections, in the order of its arrival at each login.
import type { StopSignal } from '../../../core/stop-signal.ts'
import type { PreciseClock } from '../../../core/stopwatch.ts'
import type { SqlError } from '../../engine.ts'
import { cancelError, DEFAULT_BOUNDS } from '../../queue-errors.ts'
import type { Pooled, Seat, Waiter } from './seat.ts'

export class WaitingWork {
  readonly #preciseNow: PreciseClock
  readonly #onLeft: () => void
  /** The logins with waiting work. A login for which a connection is opened moves to the end. */
  readonly #seats = new Set<Seat>()
  #size = 0

  /** @param onLeft called when work ended its wait without a connection */
  constructor(preciseNow: PreciseClock, onLeft: () => void) {
    this.#preciseNow = preciseNow
    this.#onLeft = onLeft
  }

  get size(): number {
    return this.#size
  }

  get seats(): readonly Seat[] {
    return [...this.#seats]
  }

  /** Adds work of a login. The promise rejects when the signal aborts. */
  add(seat: Seat, signal: StopSignal | undefined): Promise<Pooled> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        if (!this.#remove(seat, waiter)) return
        reject(cancelError('abort', DEFAULT_BOUNDS))
        this.#onLeft()
      }
      const waiter: Waiter = {
        arrivedAt: this.#preciseNow(),
        resolve: (pooled) => {
          signal?.removeEventListener('abort', onAbort)
          resolve(pooled)
        },
        reject: (error) => {
          signal?.removeEventListener('abort', onAbort)
          reject(error)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      seat.waiting.push(waiter)
      this.#seats.add(seat)
      this.#size += 1
    })
  }

  /** Takes the first waiting work of a login. */
  take(seat: Seat): Waiter | undefined {
    const [waiter] = seat.waiting
    if (waiter !== undefined) this.#remove(seat, waiter)
    return waiter
  }

  /** Refuses the work of a login that has waited for at least `millis`. */
  refuse(seat: Seat, error: SqlError, millis = 0): void {
    const before = this.#preciseNow() - millis
    for (const waiter of [...seat.waiting])
      if (waiter.arrivedAt <= before && this.#remove(seat, waiter)) waiter.reject(error)
    this.#onLeft()
  }

  /** Moves the login to the end, so that other logins are served before it. */
  moveLast(seat: Seat): void {
    if (this.#seats.delete(seat)) this.#seats.add(seat)
  }

  /** Whether a login that `isServable` accepts has waiting work and no connection. */
  isStarving(isServable: (seat: Seat) => boolean): boolean {
    for (const seat of this.#seats) if (seat.isStarving && isServable(seat)) return true
    return false
  }

  #remove(seat: Seat, waiter: Waiter): boolean {
    const place = seat.waiting.indexOf(waiter)
    if (place < 0) return false
    seat.waiting.splice(place, 1)
    this.#size -= 1
    if (seat.waiting.length === 0) this.#seats.delete(seat)
    return true
  }
}
