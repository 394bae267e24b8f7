// Restarts the engine when the engine died, grew too large or could not cancel a statement. When a start fails, the engine is
// down, and the next attempts follow with increasing delays.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { SqlError } from '../../engine.ts'
import { downError } from '../../queue-errors.ts'
import type { EngineWorker } from '../host/engine-worker.ts'

export interface LifeListener {
  /** Called when the engine has ended. The queue must take the engine's jobs back. */
  onStopped(reason: string): void
  /** Called when another engine has started. */
  onStarted(): void
  /** Called with the reason when the engine does not start; waiting jobs fail with that reason. */
  onDown(error: SqlError): void
}

const CLOSE_WITHIN_MILLIS = 1_500
/** Wall-clock milliseconds until the next attempt to start, by the number of failed attempts. The last value repeats. */
const BACK_OFF_MILLIS = [1_000, 2_000, 5_000, 10_000, 30_000] as const
const LONGEST_BACK_OFF_MILLIS = 30_000

export class EngineLife {
  readonly #host: EngineWorker
  readonly #wallClock: Clock
  readonly #listener: LifeListener
  #state: 'open' | 'restarting' | 'down' | 'closed' = 'open'
  #restarts = 0
  #failures = 0
  #down: { readonly reason: string; readonly retryAt: number } | undefined
  #stopRetry: Cancel = () => {}

  constructor(host: EngineWorker, wallClock: Clock, listener: LifeListener) {
    this.#host = host
    this.#wallClock = wallClock
    this.#listener = listener
  }

  get state(): 'open' | 'restarting' | 'down' | 'closed' {
    return this.#state
  }

  get restarts(): number {
    return this.#restarts
  }

  /** The error of new jobs while the engine is down, with the seconds until the next attempt to start. */
  get down(): SqlError | undefined {
    if (this.#down === undefined) return undefined
    const leftMillis = this.#down.retryAt - this.#wallClock.now()
    return downError(this.#down.reason, Math.max(1, Math.ceil(leftMillis / 1_000)))
  }

  onDeath(reason: string): void {
    if (this.#state === 'open') void this.#restart(reason, async () => {})
  }

  /** Ends the engine at once and starts a new one. */
  kill(reason: string): void {
    if (this.#state === 'open') void this.#restart(reason, () => this.#host.terminate())
  }

  /** Lets the engine flush everything and starts a new one. @param id id of the request that ends the engine */
  recycle(reason: string, id: number): void {
    if (this.#state === 'open') void this.#restart(reason, () => this.#stop(id))
  }

  /** Lets the engine flush everything and ends it. @param id id of the request that ends the engine */
  async close(id: number): Promise<void> {
    this.#stopRetry()
    const isRunning = this.#state === 'open'
    this.#state = 'closed'
    if (isRunning) await this.#stop(id)
    else await this.#host.terminate()
  }

  async #restart(reason: string, stop: () => Promise<void>): Promise<void> {
    this.#state = 'restarting'
    const started = this.#wallClock.now()
    this.#listener.onStopped(reason)
    try {
      await stop()
    } finally {
      await this.#start(reason, started)
    }
  }

  async #start(reason: string, started: number): Promise<void> {
    try {
      await this.#host.start()
    } catch (error) {
      this.#onFailure(reason, error, started)
      return
    }
    if (this.#isClosed) {
      await this.#host.terminate()
      return
    }
    this.#restarts++
    this.#failures = 0
    this.#down = undefined
    this.#state = 'open'
    const durationMillis = this.#wallClock.now() - started
    this.#host.observe({ kind: 'engineRestarted', reason, durationMillis })
    this.#listener.onStarted()
  }

  #onFailure(reason: string, error: unknown, started: number): void {
    if (this.#isClosed) return
    const retryMillis = BACK_OFF_MILLIS[this.#failures] ?? LONGEST_BACK_OFF_MILLIS
    this.#failures++
    const message = error instanceof Error ? error.message : String(error)
    this.#down = { reason: message, retryAt: this.#wallClock.now() + retryMillis }
    this.#state = 'down'
    this.#host.observe({ kind: 'engineDown', reason: message, retryMillis })
    this.#stopRetry = this.#wallClock.after(retryMillis, () => void this.#start(reason, started))
    this.#listener.onDown(downError(message, Math.ceil(retryMillis / 1_000)))
  }

  get #isClosed(): boolean {
    return this.#state === 'closed'
  }

  #stop(id: number): Promise<void> {
    return this.#host.stop(id, CLOSE_WITHIN_MILLIS)
  }
}
