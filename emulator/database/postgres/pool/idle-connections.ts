// The idle connections of the pool: reset when they stay idle, and closed when no work has used them for a while.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { Pooled, Seat } from './seat.ts'

/** Wall-clock milliseconds after which idle sessions are reset, all at once. */
const TIDY_MILLIS = 2
const IDLE_MILLIS = 60_000
const SWEEP_MILLIS = 15_000

export class IdleConnections {
  readonly #wallClock: Clock
  readonly #close: (pooled: Pooled) => void
  /** The least recently used connection is the first. */
  readonly #all = new Set<Pooled>()
  /** Connections that became idle since the last reset. */
  readonly #untidy = new Set<Pooled>()
  #stopTidying: Cancel | undefined
  #stopSweep: Cancel | undefined

  /** @param close called with a connection that was idle for too long */
  constructor(wallClock: Clock, close: (pooled: Pooled) => void) {
    this.#wallClock = wallClock
    this.#close = close
  }

  get all(): readonly Pooled[] {
    return [...this.#all]
  }

  add(pooled: Pooled): void {
    pooled.idleSince = this.#wallClock.now()
    pooled.seat.idle.push(pooled)
    this.#all.add(pooled)
    this.#untidy.add(pooled)
    this.#stopTidying ??= this.#wallClock.after(TIDY_MILLIS, () => this.#tidy())
    this.#stopSweep ??= this.#wallClock.after(SWEEP_MILLIS, () => this.#sweep())
  }

  /** Takes the login's most recently used idle connection. */
  take({ idle }: Seat): Pooled | undefined {
    const pooled = idle.pop()
    if (pooled !== undefined) this.#all.delete(pooled)
    return pooled
  }

  remove(pooled: Pooled): void {
    if (this.#all.delete(pooled)) pooled.seat.removeIdle(pooled)
  }

  /** Returns the least recently used connection that `isWanted` accepts. */
  find(isWanted: (seat: Seat) => boolean): Pooled | undefined {
    for (const pooled of this.#all) if (isWanted(pooled.seat)) return pooled
    return undefined
  }

  /** Stops all timers. */
  stop(): void {
    this.#stopTidying?.()
    this.#stopSweep?.()
  }

  // Resets idle sessions, so that advisory locks of functions are released soon. Sessions that are in use again are reset by
  // their next work.
  #tidy(): void {
    this.#stopTidying = undefined
    for (const pooled of this.#untidy) if (this.#all.has(pooled)) pooled.connection.tidy()
    this.#untidy.clear()
  }

  #sweep(): void {
    this.#stopSweep = undefined
    const before = this.#wallClock.now() - IDLE_MILLIS
    for (const pooled of this.#all) {
      if (pooled.idleSince > before) break
      this.#close(pooled)
    }
    if (this.#all.size > 0)
      this.#stopSweep = this.#wallClock.after(SWEEP_MILLIS, () => this.#sweep())
  }
}
