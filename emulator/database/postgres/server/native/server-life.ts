// Starts the native server again when it died. When a start fails, the next attempts follow with increasing delays.
import type { Cancel, Clock } from '../../../../core/clock.ts'
import type { Observer } from '../../../../core/observation.ts'
import type { RunningServer } from '../running-server.ts'
import type { ServerProcess } from './server-process.ts'

export interface ServerLifeOptions {
  readonly start: () => Promise<ServerProcess>
  readonly wallClock: Clock
  readonly observe: Observer
}

/** Wall-clock milliseconds until the next attempt to start, by the number of failed attempts. The last value repeats. */
const BACK_OFF_MILLIS = [1_000, 2_000, 5_000, 10_000, 30_000] as const
const LONGEST_BACK_OFF_MILLIS = 30_000
/** Seconds after which callers may retry while a start is under way. */
const RETRY_SECONDS = 1

export class ServerLife {
  readonly #options: ServerLifeOptions
  readonly #listeners = new Set<(reason: string) => void>()
  #process: ServerProcess | undefined
  #starting: Promise<void> = Promise.resolve()
  #down: { readonly reason: string; readonly retryAt: number } | undefined
  #restarts = 0
  #failures = 0
  #isClosed = false
  #stopRetry: Cancel = () => {}

  constructor(options: ServerLifeOptions) {
    this.#options = options
  }

  get restarts(): number {
    return this.#restarts
  }

  get down(): RunningServer['down'] {
    if (this.#down === undefined) return undefined
    const leftMillis = this.#down.retryAt - this.#options.wallClock.now()
    const retryAfterSeconds = Math.max(RETRY_SECONDS, Math.ceil(leftMillis / 1_000))
    return { reason: this.#down.reason, retryAfterSeconds }
  }

  onDown(listener: (reason: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Starts the server for the first time. @throws {ServerError} */
  async begin(): Promise<void> {
    this.#watch(await this.#options.start())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopRetry()
    await this.#starting
    await this.#process?.stop()
  }

  #watch(process: ServerProcess): void {
    this.#process = process
    process.ended
      .then((why) => {
        if (!this.#isClosed) this.#onDeath(`the database server ended: ${why}`)
      })
      .catch((error: unknown) =>
        this.#options.observe({ kind: 'internalFailure', requestId: 'server', error }),
      )
  }

  #onDeath(reason: string): void {
    this.#process = undefined
    const { wallClock } = this.#options
    this.#down = { reason, retryAt: wallClock.now() }
    this.#starting = this.#restart(reason, wallClock.now())
    for (const listener of this.#listeners) listener(reason)
  }

  async #restart(reason: string, since: number): Promise<void> {
    const { start, wallClock, observe } = this.#options
    let process: ServerProcess
    try {
      process = await start()
    } catch (error) {
      this.#onFailure(reason, error, since)
      return
    }
    this.#restarts++
    this.#failures = 0
    this.#down = undefined
    this.#watch(process)
    observe({ kind: 'engineRestarted', reason, durationMillis: wallClock.now() - since })
  }

  #onFailure(reason: string, error: unknown, since: number): void {
    if (this.#isClosed) return
    const { wallClock, observe } = this.#options
    const retryMillis = BACK_OFF_MILLIS[this.#failures] ?? LONGEST_BACK_OFF_MILLIS
    this.#failures++
    const message = error instanceof Error ? error.message : String(error)
    this.#down = { reason: message, retryAt: wallClock.now() + retryMillis }
    observe({ kind: 'engineDown', reason: message, retryMillis })
    this.#stopRetry = wallClock.after(retryMillis, () => {
      this.#starting = this.#restart(reason, since)
    })
  }
}
