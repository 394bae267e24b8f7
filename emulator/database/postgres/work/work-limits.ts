// Cancels running work at its deadline and when its caller aborts it. All work shares one timer.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { StopSignal } from '../../../core/stop-signal.ts'
import type { SqlError } from '../../engine.ts'
import { CANCELLED, type CancelReason, cancelError, DEFAULT_BOUNDS } from '../../queue-errors.ts'
import type { ServerConnection } from '../connections/server-connection.ts'

export interface WorkLimits {
  /** Wall-clock milliseconds from the beginning; `undefined` for platform work. */
  readonly timeoutMillis?: number | undefined
  readonly signal?: StopSignal | undefined
}

/** One piece of work that runs on a connection. */
export interface Running {
  /** Why the work was cancelled. */
  readonly cancelled: CancelReason | undefined
  /** Returns the error that the caller gets for an error of Postgres: a cancel is reported with its reason. */
  explain(error: SqlError): SqlError
  /** Ends the limits. */
  end(): void
}

// A cancel request can arrive before the statement begins, and a statement can catch the error and continue. Cancel requests are
// therefore repeated, with pauses that double.
const CANCEL_AGAIN_MILLIS = 20
const LONGEST_PAUSE_MILLIS = 1_000
/** Milliseconds after which the connection of work that ignores cancel requests is ended. */
const KILL_AFTER_MILLIS = 10_000

class Limited implements Running {
  readonly connection: ServerConnection
  /** The wall-clock time of the next cancel request. */
  dueAt: number
  cancelled: CancelReason | undefined
  killAt = Number.POSITIVE_INFINITY
  pauseMillis = CANCEL_AGAIN_MILLIS
  readonly #end: (work: Limited) => void

  constructor(connection: ServerConnection, dueAt: number, end: (work: Limited) => void) {
    this.connection = connection
    this.dueAt = dueAt
    this.#end = end
  }

  explain(error: SqlError): SqlError {
    if (this.cancelled === undefined || error.code !== CANCELLED) return error
    return cancelError(this.cancelled, DEFAULT_BOUNDS)
  }

  end(): void {
    this.#end(this)
  }
}

export class LimitedWork {
  readonly #wallClock: Clock
  readonly #kill: (connection: ServerConnection) => void
  readonly #running = new Set<Limited>()
  #timerAt = Number.POSITIVE_INFINITY
  #stopTimer: Cancel = () => {}

  /** @param kill ends the session of a connection whose work cannot be cancelled */
  constructor(wallClock: Clock, kill: (connection: ServerConnection) => void) {
    this.#wallClock = wallClock
    this.#kill = kill
  }

  begin(connection: ServerConnection, { timeoutMillis, signal }: WorkLimits): Running {
    const dueAt =
      timeoutMillis === undefined ? Number.POSITIVE_INFINITY : this.#wallClock.now() + timeoutMillis
    const onAbort = () => this.#cancel(work, 'abort')
    const work = new Limited(connection, dueAt, () => {
      signal?.removeEventListener('abort', onAbort)
      this.#running.delete(work)
    })
    this.#running.add(work)
    if (dueAt < this.#timerAt) this.#arm(dueAt)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) onAbort()
    return work
  }

  close(): void {
    this.#stopTimer()
  }

  #cancel(work: Limited, reason: CancelReason): void {
    const now = this.#wallClock.now()
    if (work.cancelled === undefined) {
      work.cancelled = reason
      work.killAt = now + KILL_AFTER_MILLIS
    }
    if (now >= work.killAt) this.#kill(work.connection)
    else work.connection.cancel()
    work.dueAt = now + work.pauseMillis
    work.pauseMillis = Math.min(2 * work.pauseMillis, LONGEST_PAUSE_MILLIS)
    if (work.dueAt < this.#timerAt) this.#arm(work.dueAt)
  }

  // The timer can fire before the first deadline, because it is not moved when work ends.
  #arm(at: number): void {
    this.#stopTimer()
    this.#timerAt = at
    this.#stopTimer = this.#wallClock.after(at - this.#wallClock.now(), () => this.#onTimer())
  }

  #onTimer(): void {
    this.#timerAt = Number.POSITIVE_INFINITY
    const now = this.#wallClock.now()
    for (const work of [...this.#running]) if (work.dueAt <= now) this.#cancel(work, 'timeout')
    const next = Math.min(...Array.from(this.#running, ({ dueAt }) => dueAt))
    if (next < this.#timerAt) this.#arm(next)
  }
}
