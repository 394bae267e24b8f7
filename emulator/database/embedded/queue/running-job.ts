// Enforces the running job's deadline, its limit while other jobs wait, and its cancel. Postgres ignores a cancel that arrives
// while Postgres reads its next message. This code therefore repeats the cancel until the job ends.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { SqlError } from '../../engine.ts'
import { type CancelReason, cancelError, diedError, type EngineBounds } from '../../queue-errors.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import type { EngineWorker } from '../host/engine-worker.ts'
import type { StatementReply } from '../worker-protocol.ts'
import { ownBytes } from '../worker-protocol.ts'
import type { QueuedJob } from './queued-job.ts'

// The milliseconds that a job may continue after its cancel. The engine is killed when the job continues longer. Postgres does
// not check for a cancel while it sends a row. A row of 64 MB takes a fraction of a second, but over 2 seconds on a busy machine.
const KILL_AFTER_MILLIS = 5_000
const TRY_CANCEL_AGAIN_MILLIS = 2
// The milliseconds between repeated cancels. A function that catches its cancel has this delay to clean up.
const RAISE_AGAIN_MILLIS = 50
const COPY_FAIL = ownBytes(new FrontendMessages().copyFail('the statement was cancelled').bytes())
const NOTHING: Cancel = () => {}

export interface RunningJobDeps {
  readonly host: EngineWorker
  readonly wallClock: Clock
  readonly bounds: EngineBounds
  /** Ends the engine, because the job cannot be cancelled. */
  kill(job: QueuedJob, error: SqlError): void
}

export class RunningJob {
  readonly #deps: RunningJobDeps
  #job: QueuedJob | undefined
  /** Stops the timer of the job's own limit, or the timer of the next attempt to cancel the job. */
  #stopDeadline: Cancel = NOTHING
  #stopStatement: Cancel = NOTHING
  #stopBlocking: Cancel | undefined
  #lastCancelled = 0

  constructor(deps: RunningJobDeps) {
    this.#deps = deps
  }

  /** The id of the last job that a cancel was raised for. */
  get lastCancelled(): number {
    return this.#lastCancelled
  }

  /** Starts watching a job that the worker begins now. */
  begin(job: QueuedJob): void {
    this.end()
    // The worker skips a withdrawn job.
    if (job.isSettled) return
    this.#job = job
    if (job.cancelled !== undefined) this.#raise(job)
    else if (job.timeoutMillis !== undefined)
      this.#stopDeadline = this.#deps.wallClock.after(job.timeoutMillis, () =>
        this.cancel(job, 'timeout'),
      )
  }

  end(): void {
    this.#stopDeadline()
    this.#stopStatement()
    this.#stopBlocking?.()
    this.#stopDeadline = NOTHING
    this.#stopStatement = NOTHING
    this.#stopBlocking = undefined
    this.#job = undefined
  }

  /** Starts or stops the limit that applies while other jobs wait. The queue calls this method after each of its changes. */
  updateLimit(othersWait: boolean): void {
    const job = this.#job
    if (job === undefined) return
    if (!othersWait || !isBounded(job)) {
      this.#stopBlocking?.()
      this.#stopBlocking = undefined
    } else
      this.#stopBlocking ??= this.#deps.wallClock.after(this.#deps.bounds.blockingMillis, () =>
        this.cancel(job, 'blocking'),
      )
  }

  /** Starts the session's own statement_timeout for a statement of the job that has begun. */
  onStatement({ sequence, timeoutMillis }: StatementReply): void {
    const job = this.#job
    this.#stopStatement()
    this.#stopStatement = NOTHING
    if (job === undefined || timeoutMillis === 0) return
    this.#stopStatement = this.#deps.wallClock.after(timeoutMillis, () => {
      if (this.#deps.host.isAtStatement(job.id, sequence)) this.cancel(job, 'timeout')
    })
  }

  cancel(job: QueuedJob, reason: CancelReason): void {
    if (job.cancelled === undefined) {
      job.cancelled = reason
      if (reason !== 'abort') job.turn?.onCancelled(cancelError(reason, this.#deps.bounds))
    }
    this.#raise(job)
  }

  /** Ends the COPY of a cancelled turn. A COPY that waits for data does not notice a cancel. */
  stopCopy(job: QueuedJob): void {
    if (!job.isStarved) return
    job.isStarved = false
    this.#deps.host.feed(COPY_FAIL)
  }

  #raise(job: QueuedJob): void {
    if (this.#job !== job) return
    const { host, wallClock, bounds, kill } = this.#deps
    this.#stopDeadline()
    this.stopCopy(job)
    if (!host.mayCancel) {
      kill(job, cancelError(job.cancelled ?? 'timeout', bounds))
      return
    }
    const now = wallClock.now()
    if (host.hasBegun(job.id)) job.killAtMillis ??= now + KILL_AFTER_MILLIS
    if (job.killAtMillis !== undefined && now >= job.killAtMillis) {
      kill(job, diedError('a statement that could not be cancelled', host.isDurable))
      return
    }
    const isRaised = host.cancel(job.id)
    if (isRaised) this.#lastCancelled = job.id
    this.#stopDeadline = wallClock.after(
      isRaised ? RAISE_AGAIN_MILLIS : TRY_CANCEL_AGAIN_MILLIS,
      () => this.#raise(job),
    )
  }
}

const BOUNDED = new Set<QueuedJob['request']['kind']>(['run', 'ask', 'rehearse', 'turn'])

function isBounded({ request, mayKeepOthersWaiting }: QueuedJob): boolean {
  if (mayKeepOthersWaiting === true) return false
  return BOUNDED.has(request.kind)
}
