// One queue in front of the one backend: order, deadlines, cancelling, and what becomes of the jobs when it dies.
import type { Cancel, Clock } from '../core/clock.ts'
import { type BackendReply, firstError, parseBackendMessages } from './backend-messages.ts'
import { SqlError, type StatementResult } from './engine.ts'
import type { DoneReply, RefusedReply, WorkerRequest } from './pglite-worker/worker-protocol.ts'
import type { WorkerHost } from './worker-host.ts'

type WithoutId<Request> = Request extends WorkerRequest ? Omit<Request, 'id'> : never

export interface Job {
  readonly request: WithoutId<WorkerRequest>
  /** Wall milliseconds from the moment the worker begins; `undefined` for platform work. */
  readonly timeoutMillis?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface JobOutcome {
  readonly reply: BackendReply
  readonly bytes: Uint8Array
  readonly committed: boolean
  readonly changes: StatementResult | undefined
  readonly durationMillis: number
}

type CancelReason = 'timeout' | 'abort'

interface QueuedJob extends Job {
  id: number
  cancelled: CancelReason | undefined
  /** Wall milliseconds at which a cancelled job costs the engine its life. */
  killAtMillis: number | undefined
  readonly resolve: (outcome: JobOutcome) => void
  readonly reject: (error: SqlError) => void
  readonly forgetSignal: () => void
}

// Hides the way to the worker and back: the next job is already there when one ends.
const POSTED_AHEAD = 4
const KILL_AFTER_MILLIS = 2_000
const TRY_CANCEL_AGAIN_MILLIS = 2
// Leaves a function that catches its cancel time to clear up.
const RAISE_AGAIN_MILLIS = 50
// Wasm memory never shrinks; its hard limit is 2 GB.
const RECYCLE_ABOVE_BYTES = 768 << 20
const CLOSE_WITHIN_MILLIS = 1_500

export class EngineQueue {
  readonly #host: WorkerHost
  readonly #wallClock: Clock
  #waiting: QueuedJob[] = []
  #posted: QueuedJob[] = []
  #nextId = 1
  #disarm: Cancel = () => {}
  #state: 'open' | 'restarting' | 'closed' = 'open'
  #restarts = 0
  #heapBytes = 0
  #lastCancelled = 0
  #onIdle: (() => void) | undefined

  constructor(host: WorkerHost, wallClock: Clock) {
    this.#host = host
    this.#wallClock = wallClock
    host.listen({
      onReply: (reply) => this.#onReply(reply),
      onDeath: (reason) => this.#onDeath(reason),
    })
  }

  get queued(): number {
    return this.#waiting.length + this.#posted.length
  }

  get heapBytes(): number {
    return this.#heapBytes
  }

  get restarts(): number {
    return this.#restarts
  }

  /** Runs a job after those before it. @throws {SqlError} 57014 cancelled, 57P02 the engine died or is closed */
  submit(job: Job): Promise<JobOutcome> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal(job)
      if (refusal !== undefined) {
        reject(refusal)
        return
      }
      const onAbort = () => this.#abort(queued)
      const queued: QueuedJob = {
        ...job,
        id: 0,
        cancelled: undefined,
        killAtMillis: undefined,
        resolve,
        reject,
        forgetSignal: () => job.signal?.removeEventListener('abort', onAbort),
      }
      job.signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(queued)
      this.#pump()
    })
  }

  /** Finishes what is queued, then lets the worker write everything out and stop. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return
    if (this.queued > 0 || this.#state === 'restarting')
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    await this.#stopWorker()
    this.#state = 'closed'
  }

  #refusal(job: Job): SqlError | undefined {
    if (this.#state === 'closed') return new SqlError('57P02', 'the database is closed')
    return job.signal?.aborted === true ? cancelError('abort') : undefined
  }

  #pump(): void {
    if (this.#state !== 'open') return
    while (this.#posted.length < POSTED_AHEAD) {
      const job = this.#waiting.shift()
      if (job === undefined) break
      job.id = this.#nextId++
      this.#posted.push(job)
      this.#host.post({ ...job.request, id: job.id } as WorkerRequest)
      if (this.#posted.length === 1) this.#arm(job)
    }
    if (this.queued === 0) this.#idle()
  }

  #idle(): void {
    if (this.#onIdle !== undefined) this.#onIdle()
    else if (this.#host.isDurable && this.#heapBytes > RECYCLE_ABOVE_BYTES) {
      this.#heapBytes = 0
      void this.#restart('its memory had grown', () => this.#stopWorker())
    }
  }

  // Counted from here because the job before has just ended: the worker begins this one now.
  #arm(job: QueuedJob): void {
    this.#disarm()
    this.#disarm = () => {}
    if (job.cancelled !== undefined) this.#cancelRunning(job)
    else if (job.timeoutMillis !== undefined)
      this.#disarm = this.#wallClock.after(job.timeoutMillis, () => {
        job.cancelled = 'timeout'
        this.#cancelRunning(job)
      })
  }

  #abort(job: QueuedJob): void {
    const place = this.#waiting.indexOf(job)
    job.cancelled ??= 'abort'
    if (place >= 0) {
      this.#waiting.splice(place, 1)
      job.reject(cancelError('abort'))
      if (this.queued === 0) this.#idle()
    } else if (this.#posted[0] === job) this.#cancelRunning(job)
  }

  // Postgres ignores a cancel that comes while it reads its next message: it is raised until the job ends.
  #cancelRunning(job: QueuedJob): void {
    if (this.#posted[0] !== job) return
    this.#disarm()
    if (!this.#host.mayCancel) {
      this.#kill(job, cancelError(job.cancelled ?? 'timeout'))
      return
    }
    const now = this.#wallClock.now()
    if (this.#host.hasBegun(job.id)) job.killAtMillis ??= now + KILL_AFTER_MILLIS
    if (job.killAtMillis !== undefined && now >= job.killAtMillis) {
      this.#kill(job, diedError('a statement that could not be cancelled', this.#host))
      return
    }
    const isRaised = this.#host.cancel(job.id)
    if (isRaised) this.#lastCancelled = job.id
    this.#disarm = this.#wallClock.after(
      isRaised ? RAISE_AGAIN_MILLIS : TRY_CANCEL_AGAIN_MILLIS,
      () => this.#cancelRunning(job),
    )
  }

  #kill(job: QueuedJob, error: SqlError): void {
    if (this.#posted[0] !== job) return
    this.#posted.shift()
    this.#settle(job, () => job.reject(error))
    void this.#restart('a statement could not be cancelled', () => this.#host.terminate())
  }

  #onReply(answer: DoneReply | RefusedReply): void {
    const job = this.#posted.shift()
    if (job === undefined || job.id !== answer.id) return
    this.#disarm()
    this.#disarm = () => {}
    const next = this.#posted[0]
    if (next !== undefined) this.#arm(next)
    if (answer.kind === 'refused')
      this.#settle(job, () => job.reject(new SqlError(answer.sqlState, answer.message)))
    else this.#onDone(job, answer)
    this.#pump()
  }

  #onDone(job: QueuedJob, answer: DoneReply): void {
    this.#heapBytes = answer.heapBytes
    const reply =
      job.request.kind === 'ask' ? onlyError(answer.bytes) : parseBackendMessages(answer.bytes)
    const { bytes, committed, durationMillis } = answer
    const changes =
      answer.changes === undefined ? undefined : parseBackendMessages(answer.changes).results[0]
    const outcome = { reply, bytes, committed, changes, durationMillis }
    const wasCancelled = reply.error?.code === CANCELLED
    // Questions that were answered in time are answered.
    const isRejected = job.cancelled !== undefined && job.request.kind !== 'ask'
    if (!wasCancelled) this.#settle(job, () => job.resolve(outcome))
    else if (isRejected)
      this.#settle(job, () => job.reject(cancelError(job.cancelled ?? 'timeout')))
    // Hit by a cancel that was meant for the job before it; its transaction was rolled back.
    else if (job.id === this.#lastCancelled + 1) this.#waiting.unshift(job)
    else this.#settle(job, () => job.resolve(outcome))
  }

  #settle(job: QueuedJob, tell: () => void): void {
    job.forgetSignal()
    tell()
  }

  #onDeath(reason: string): void {
    if (this.#state === 'open') void this.#restart(reason, async () => {})
  }

  // Jobs the worker had begun may have had effects: they fail. The others have not: they wait.
  async #restart(reason: string, stop: () => Promise<void>): Promise<void> {
    this.#state = 'restarting'
    this.#disarm()
    const started = this.#wallClock.now()
    const begun = this.#posted.filter((job) => this.#host.hasBegun(job.id))
    this.#waiting = [...this.#posted.filter((job) => !begun.includes(job)), ...this.#waiting]
    this.#posted = []
    for (const job of begun) this.#settle(job, () => job.reject(diedError(reason, this.#host)))
    try {
      await stop()
      await this.#host.start()
      this.#restarts++
      const durationMillis = this.#wallClock.now() - started
      this.#host.observe({ kind: 'engineRestarted', reason, durationMillis })
    } catch (error) {
      const failure = error instanceof SqlError ? error : diedError(String(error), this.#host)
      const lost = this.#waiting
      this.#waiting = []
      for (const job of lost) this.#settle(job, () => job.reject(failure))
    }
    this.#state = 'open'
    this.#pump()
  }

  #stopWorker(): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        stopWaiting()
        this.#host.listen({
          onReply: (reply) => this.#onReply(reply),
          onDeath: (reason) => this.#onDeath(reason),
        })
        this.#host.terminate().then(resolve, () => resolve())
      }
      const stopWaiting = this.#wallClock.after(CLOSE_WITHIN_MILLIS, finish)
      this.#host.listen({ onReply: finish, onDeath: finish })
      this.#host.post({ kind: 'close', id: this.#nextId++ })
    })
  }
}

const CANCELLED = '57014'

// Answers are read by who asked.
function onlyError(bytes: Uint8Array): BackendReply {
  return { results: [], notices: [], error: firstError(bytes), ready: undefined }
}

function cancelError(reason: CancelReason): SqlError {
  return new SqlError(
    CANCELLED,
    reason === 'timeout'
      ? 'canceling statement due to statement timeout'
      : 'canceling statement due to user request',
  )
}

function diedError(reason: string, host: WorkerHost): SqlError {
  return host.isDurable
    ? new SqlError('57P02', `the database engine was restarted: ${reason}`, {
        hint: 'Committed data is intact; try again.',
      })
    : new SqlError('57P02', `the in-memory database was lost: ${reason}`, {
        hint: 'All its data is gone; start again, with a data directory if the data must survive.',
      })
}
