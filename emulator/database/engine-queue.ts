// One queue in front of the one backend: order, deadlines, cancelling, and what becomes of the jobs when it dies.
import type { Cancel, Clock } from '../core/clock.ts'
import { parseBackendMessages } from './backend-messages.ts'
import { SqlError } from './engine.ts'
import { EngineHold } from './engine-hold.ts'
import type { Job, JobOutcome } from './engine-job.ts'
import { FrontendMessages } from './frontend-messages.ts'
import { ownBytes } from './own-bytes.ts'
import { ParkedJobs } from './parked-jobs.ts'
import type { LockWait } from './pglite-worker/advisory-locking.ts'
import type {
  DoneReply,
  PartialReply,
  RefusedReply,
  Resumption,
  WorkerRequest,
} from './pglite-worker/worker-protocol.ts'
import {
  CANCELLED,
  type CancelReason,
  cancelError,
  closedError,
  diedError,
} from './queue-errors.ts'
import { READ_AS } from './read-answers.ts'
import type { WorkerHost } from './worker-host.ts'

interface QueuedJob extends Job {
  id: number
  cancelled: CancelReason | undefined
  /** Wall milliseconds at which a cancelled job costs the engine its life. */
  killAtMillis: number | undefined
  /** The worker stands still until its client sends data. */
  isStarved: boolean
  /** It waited for an advisory lock and is sent again, also when it is cancelled: the worker gives its locks back. */
  again?: { readonly resumes: Resumption }
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
const COPY_FAIL = ownBytes(new FrontendMessages().copyFail('the statement was cancelled').bytes())

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
  /** The client whose transaction is open, or whose COPY waits for data. */
  #hold: EngineHold | undefined
  readonly #parked: ParkedJobs<QueuedJob>
  /** Clients that a restart of the engine would cost their sessions. */
  clients = 0

  constructor(host: WorkerHost, wallClock: Clock) {
    this.#host = host
    this.#wallClock = wallClock
    this.#parked = new ParkedJobs(wallClock, (job, resumes) => {
      job.again = { resumes }
      this.#waiting.unshift(job)
      this.#pump()
    })
    this.#listen()
  }

  #listen(): void {
    this.#host.listen({
      onReply: (reply) => this.#onReply(reply),
      onPartial: (reply) => this.#onPartial(reply),
      onGranted: (tickets) => this.#parked.grant(tickets),
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
        isStarved: false,
        resolve,
        reject,
        forgetSignal: () => job.signal?.removeEventListener('abort', onAbort),
      }
      job.signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(queued)
      this.#pump()
    })
  }

  /** Hands data to the client's turn that stands still for it. */
  feed(client: number, messages: Uint8Array): void {
    const job = this.#posted[0]
    if (job === undefined || clientOf(job) !== client || !job.isStarved) return
    job.isStarved = false
    this.#host.feed(messages)
    this.#lookAtHold()
  }

  /** Finishes what is queued, then lets the worker write everything out and stop. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return
    for (const job of this.#parked.takeAll()) this.#settle(job, () => job.reject(closedError()))
    if (this.queued > 0 || this.#state === 'restarting')
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    await this.#stopWorker()
    this.#state = 'closed'
  }

  #refusal(job: Job): SqlError | undefined {
    if (this.#state === 'closed') return closedError()
    return job.signal?.aborted === true ? cancelError('abort') : undefined
  }

  #pump(): void {
    if (this.#state !== 'open') return
    while (this.#posted.length < POSTED_AHEAD) {
      const job = this.#next()
      if (job === undefined) break
      job.id = this.#nextId++
      this.#posted.push(job)
      this.#host.post({ ...job.request, ...job.again, id: job.id } as WorkerRequest)
      if (this.#posted.length === 1) this.#arm(job)
    }
    if (this.queued === 0) this.#idle()
    if (this.#hold !== undefined) this.#lookAtHold()
  }

  // Nothing is sent behind a turn: whether others may follow is known when it has ended.
  #next(): QueuedJob | undefined {
    const last = this.#posted.at(-1)
    if (last !== undefined && last.request.kind === 'turn') return undefined
    if (this.#hold === undefined) return this.#waiting.shift()
    const { client } = this.#hold
    const place = this.#waiting.findIndex((job) => clientOf(job) === client)
    return place < 0 ? undefined : this.#waiting.splice(place, 1)[0]
  }

  #onPartial({ bytes, id, wantsInput }: PartialReply): void {
    const job = this.#posted[0]
    if (job === undefined || job.id !== id) return
    job.isStarved = wantsInput
    if (wantsInput) this.#holdFor(job)
    job.turn?.onPartial(bytes, wantsInput)
    if (job.cancelled !== undefined) this.#stopCopy(job)
    this.#lookAtHold()
  }

  // It reads no flag while it waits for data.
  #stopCopy(job: QueuedJob): void {
    const client = clientOf(job)
    if (job.isStarved && client !== undefined) this.feed(client, COPY_FAIL)
  }

  #holdFor(job: QueuedJob): void {
    const client = clientOf(job)
    if (client === undefined || this.#hold?.client === client) return
    this.#hold = new EngineHold(client, this.#wallClock, (why) => job.turn?.onExpired(why))
  }

  #isHeldBy(job: QueuedJob): boolean {
    return this.#hold !== undefined && this.#hold.client === clientOf(job)
  }

  #endHold(): void {
    this.#hold?.end()
    this.#hold = undefined
  }

  #lookAtHold(): void {
    const [running] = this.#posted
    this.#hold?.look({
      isIdle: running === undefined || running.isStarved,
      someoneWaits: this.#waiting.length > 0,
    })
  }

  #idle(): void {
    if (this.#onIdle !== undefined) this.#onIdle()
    else if (this.#host.isDurable && this.clients === 0 && this.#heapBytes > RECYCLE_ABOVE_BYTES) {
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
    if (place >= 0 && job.again === undefined && !this.#isHeldBy(job)) {
      this.#waiting.splice(place, 1)
      job.reject(cancelError('abort'))
      if (this.queued === 0) this.#idle()
    } else if (this.#posted[0] === job) this.#cancelRunning(job)
    else this.#parked.cancel(job)
  }

  // Postgres ignores a cancel that comes while it reads its next message: it is raised until the job ends.
  #cancelRunning(job: QueuedJob): void {
    if (this.#posted[0] !== job) return
    this.#disarm()
    this.#stopCopy(job)
    if (!this.#host.mayCancel) {
      this.#kill(job, cancelError(job.cancelled ?? 'timeout'))
      return
    }
    const now = this.#wallClock.now()
    if (this.#host.hasBegun(job.id)) job.killAtMillis ??= now + KILL_AFTER_MILLIS
    if (job.killAtMillis !== undefined && now >= job.killAtMillis) {
      this.#kill(job, diedError('a statement that could not be cancelled', this.#host.isDurable))
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
    if (clientOf(job) !== undefined) this.#afterTurn(job, answer)
    if (answer.kind === 'refused')
      this.#settle(job, () => job.reject(new SqlError(answer.sqlState, answer.message)))
    else if (answer.waits !== undefined) this.#park(job, answer.waits)
    else this.#onDone(job, answer)
    this.#pump()
  }

  #afterTurn(job: QueuedJob, answer: DoneReply | RefusedReply): void {
    if (answer.kind === 'done' && answer.isHeld === true) this.#holdFor(job)
    else if (this.#isHeldBy(job)) this.#endHold()
  }

  #onDone(job: QueuedJob, answer: DoneReply): void {
    this.#heapBytes = answer.heapBytes
    const reply = READ_AS[job.request.kind](answer.bytes)
    const { bytes, committed, durationMillis, isHeld = false } = answer
    const changes =
      answer.changes === undefined ? undefined : parseBackendMessages(answer.changes).results[0]
    const outcome = { reply, bytes, committed, changes, isHeld, durationMillis }
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

  // A client waits as long as its own settings say.
  #park(job: QueuedJob, waits: LockWait): void {
    this.#parked.park(job, waits, job.request.kind === 'turn' ? undefined : job.timeoutMillis)
    if (job.cancelled !== undefined) this.#parked.cancel(job)
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
    this.#endHold()
    const started = this.#wallClock.now()
    const begun = this.#posted.filter((job) => this.#host.hasBegun(job.id))
    const unbegun = this.#posted.filter((job) => !begun.includes(job))
    this.#waiting = [...unbegun, ...this.#waiting, ...this.#parked.takeAll()]
    for (const job of this.#waiting) delete job.again
    this.#posted = []
    for (const job of begun)
      this.#settle(job, () => job.reject(diedError(reason, this.#host.isDurable)))
    try {
      await stop()
      await this.#host.start()
      this.#restarts++
      const durationMillis = this.#wallClock.now() - started
      this.#host.observe({ kind: 'engineRestarted', reason, durationMillis })
    } catch (error) {
      const failure =
        error instanceof SqlError ? error : diedError(String(error), this.#host.isDurable)
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
        this.#listen()
        this.#host.terminate().then(resolve, () => resolve())
      }
      const stopWaiting = this.#wallClock.after(CLOSE_WITHIN_MILLIS, finish)
      this.#host.listen({ onReply: finish, onDeath: finish })
      this.#host.post({ kind: 'close', id: this.#nextId++ })
    })
  }
}

function clientOf({ request }: Job): number | undefined {
  return request.kind === 'turn' || request.kind === 'disconnect' ? request.client : undefined
}
