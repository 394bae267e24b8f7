// The queue in front of the one backend. The queue decides the order of jobs, limits their waits, and fails or repeats jobs when
// the backend dies.
import type { Cancel, Clock } from '../../../core/clock.ts'
import { SqlError } from '../../engine.ts'
import {
  busyError,
  CANCELLED,
  cancelError,
  closedError,
  DEFAULT_BOUNDS,
  diedError,
  type EngineBounds,
} from '../../queue-errors.ts'
import { shareOf } from '../../waiting-share.ts'
import type { EngineWorker } from '../host/engine-worker.ts'
import type {
  DoneReply,
  LockWait,
  PartialReply,
  RefusedReply,
  StatementReply,
  WorkerRequest,
} from '../worker-protocol.ts'
import { EngineLife } from './engine-life.ts'
import { FairQueue } from './fair-queue.ts'
import { ParkedJobs } from './parked-jobs.ts'
import {
  clientOf,
  hasFailedToWait,
  type Job,
  type JobOutcome,
  laneOf,
  outcomeOf,
  type QueuedJob,
  settle,
} from './queued-job.ts'
import { RunningJob } from './running-job.ts'
import { SessionLease } from './session-lease.ts'

// The number of jobs posted to the worker in advance, so that the worker never waits for its next job.
const POSTED_AHEAD = 4
// Kinds of jobs that are never refused after a long wait, because other jobs depend on them.
const WAITS_WITHOUT_BOUND = new Set<WorkerRequest['kind']>(['disconnect', 'setTime', 'state'])

export class EngineQueue {
  readonly #host: EngineWorker
  readonly wallClock: Clock
  readonly #bounds: EngineBounds
  readonly #life: EngineLife
  readonly #running: RunningJob
  readonly #parked: ParkedJobs<QueuedJob>
  readonly #waiting = new FairQueue<QueuedJob>(laneOf)
  #posted: QueuedJob[] = []
  #nextId = 1
  #submitted = 0
  #isClosed = false
  #heapBytes = 0
  #waitedMillis = 0
  #workedMillis = 0
  #stopWaiting: Cancel | undefined
  #onIdle: (() => void) | undefined
  /** Time limits of the client whose transaction is open or whose COPY waits for data. */
  #lease: SessionLease | undefined
  /** Number of sessions of the Postgres port. A restart of the engine would end them. */
  clients = 0

  constructor(host: EngineWorker, wallClock: Clock, bounds: EngineBounds = DEFAULT_BOUNDS) {
    this.#host = host
    this.wallClock = wallClock
    this.#bounds = bounds
    this.#running = new RunningJob({
      host,
      wallClock,
      bounds,
      kill: (job, error) => this.#kill(job, error),
    })
    this.#parked = new ParkedJobs(wallClock, (job, resumes) => {
      job.again = { resumes }
      this.#waiting.putFirst(job)
      this.#pump()
    })
    this.#life = new EngineLife(host, wallClock, {
      onStopped: (reason) => this.#recall(reason),
      onStarted: () => this.#pump(),
      onDown: (error) => this.#failAll(error),
    })
    host.listen({
      onReply: (reply) => this.#onReply(reply),
      onPartial: (reply) => this.#onPartial(reply),
      onStatement: (reply) => this.#onStatement(reply),
      onGranted: (tickets) => this.#parked.grant(tickets),
      onDeath: (reason) => this.#life.onDeath(reason),
    })
  }

  get queued(): number {
    return this.#waiting.size + this.#posted.length
  }

  /** Number of jobs that were submitted since the start. */
  get submitted(): number {
    return this.#submitted
  }

  /** True when a new job would begin at once. */
  get isIdle(): boolean {
    return this.#life.state === 'open' && this.queued === 0 && this.#lease === undefined
  }

  get heapBytes(): number {
    return this.#heapBytes
  }

  get restarts(): number {
    return this.#life.restarts
  }

  /** See `EngineStats.waitingShare`. */
  get waitingShare(): number {
    return shareOf(this.#waitedMillis, this.#workedMillis)
  }

  /** The reason why the engine is down; `undefined` while it runs. */
  get down(): string | undefined {
    return this.#life.down?.message
  }

  /**
   * Queues a job and runs it in its turn.
   * @throws {SqlError} 57014 cancelled, 53300 not begun in time, 57P02 the engine died or is closed, 57P03 the engine is down
   */
  submit(job: Job): Promise<JobOutcome> {
    this.#submitted += 1
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
        arrivedAt: this.wallClock.now(),
        cancelled: undefined,
        killAtMillis: undefined,
        isStarved: false,
        isSettled: false,
        resolve,
        reject,
        forgetSignal: () => job.signal?.removeEventListener('abort', onAbort),
      }
      job.signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(queued)
      this.#pump()
    })
  }

  /** Passes COPY data to the client's turn that waits for the data. */
  feed(client: number, messages: Uint8Array): void {
    const job = this.#posted[0]
    if (job === undefined || clientOf(job) !== client || !job.isStarved) return
    job.isStarved = false
    this.#host.feed(messages)
    this.#updateLimits()
  }

  /** Finishes queued jobs, then lets the worker flush everything and stop. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    if (this.queued > 0 || this.#life.state === 'restarting')
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    this.#isClosed = true
    for (const job of this.#parked.takeAll()) settle(job, closedError())
    await this.#life.close(this.#nextId++)
  }

  #refusal(job: Job): SqlError | undefined {
    if (this.#isClosed) return closedError()
    return job.signal?.aborted === true ? cancelError('abort', this.#bounds) : this.#life.down
  }

  #pump(): void {
    if (this.#life.state === 'open') {
      this.#post()
      if (this.queued === 0) this.#idle()
    }
    this.#updateLimits()
  }

  #post(): void {
    while (this.#posted.length < POSTED_AHEAD) {
      const job = this.#next()
      if (job === undefined) return
      job.id = this.#nextId++
      this.#posted.push(job)
      this.#host.post({ ...job.request, ...job.again, id: job.id } as WorkerRequest)
      if (this.#posted.length === 1) this.#running.begin(job)
    }
  }

  // Never posts a job behind a client's turn: the turn may leave a transaction open, and then no other job may run.
  #next(): QueuedJob | undefined {
    const last = this.#posted.at(-1)
    if (last !== undefined && last.request.kind === 'turn') return undefined
    if (this.#lease === undefined) return this.#waiting.take()
    const { client } = this.#lease
    for (const job of this.#waiting)
      if (clientOf(job) === client && this.#waiting.remove(job)) return job
    return undefined
  }

  #onPartial({ bytes, id, wantsInput }: PartialReply): void {
    const job = this.#posted[0]
    if (job === undefined || job.id !== id) return
    job.isStarved = wantsInput
    if (wantsInput) this.#leaseTo(job)
    job.turn?.onPartial(bytes, wantsInput)
    if (job.cancelled !== undefined) this.#running.stopCopy(job)
    this.#updateLimits()
  }

  #onStatement(reply: StatementReply): void {
    const job = this.#posted[0]
    if (job === undefined || job.id !== reply.id) return
    this.#running.onStatement(reply)
    if (reply.transactionMillis !== undefined) job.turn?.onTransactionBegun(reply.transactionMillis)
  }

  #leaseTo(job: QueuedJob): void {
    const client = clientOf(job)
    if (client === undefined || this.#lease?.client === client) return
    this.#lease = new SessionLease(client, this.wallClock, {
      onExpired: (why, since) => job.turn?.onExpired(why, since),
      onHeld: (since) => {
        for (const waiting of this.#waiting) waiting.turn?.onWaits(since)
      },
    })
  }

  #hasLease(job: QueuedJob): boolean {
    return this.#lease !== undefined && this.#lease.client === clientOf(job)
  }

  #endLease(): void {
    this.#lease?.end()
    this.#lease = undefined
  }

  // The running job has a limit only while other jobs wait. Waiting jobs have a limit only while another job runs.
  #updateLimits(): void {
    const [running, ...ahead] = this.#posted
    const othersWait = this.#waiting.size > 0 || ahead.some(({ isSettled }) => !isSettled)
    this.#running.updateLimit(othersWait)
    this.#lease?.updateLimit({
      isIdle: running === undefined || running.isStarved,
      othersWait: this.#waiting.size > 0,
    })
    if (othersWait) this.#stopWaiting ??= this.#watchWaiting()
  }

  // All waiting jobs share one timer, set for the oldest job.
  #watchWaiting(): Cancel | undefined {
    const bounded = this.#boundedJobs()
    if (bounded.length === 0) return undefined
    const oldest = Math.min(...bounded.map(({ arrivedAt }) => arrivedAt))
    const left = oldest + this.#bounds.queueMillis - this.wallClock.now()
    return this.wallClock.after(Math.max(0, left), () => {
      this.#stopWaiting = undefined
      this.#expireWaiting()
      this.#pump()
    })
  }

  #boundedJobs(): readonly QueuedJob[] {
    return [...this.#posted.slice(1), ...this.#waiting].filter(
      (job) =>
        !job.isSettled &&
        job.again === undefined &&
        !WAITS_WITHOUT_BOUND.has(job.request.kind) &&
        !this.#hasLease(job),
    )
  }

  #expireWaiting(): void {
    const lateBefore = this.wallClock.now() - this.#bounds.queueMillis
    const refusal = busyError(this.#bounds)
    for (const job of this.#boundedJobs())
      if (job.arrivedAt <= lateBefore && this.#takeOut(job)) settle(job, refusal)
  }

  /**
   * Removes a job from the queue if the job has not begun. Returns false when the job has begun, or when the job waited for a
   * lock that the worker may have granted.
   */
  #takeOut(job: QueuedJob): boolean {
    if (job.again !== undefined) return false
    const isRemoved = this.#waiting.remove(job)
    // A withdrawn job stays in the list of posted jobs, because the worker answers every posted job.
    return isRemoved || this.#host.withdraw(job.id)
  }

  #idle(): void {
    if (this.#onIdle !== undefined) this.#onIdle()
    else if (this.#clientsAllow && this.#heapBytes > this.#host.recycleAboveBytes) {
      this.#heapBytes = 0
      this.#life.recycle('its memory had grown', this.#nextId++)
    }
  }

  get #clientsAllow(): boolean {
    return this.#host.isDurable && this.clients === 0
  }

  #abort(job: QueuedJob): void {
    job.cancelled ??= 'abort'
    if (this.#posted[0] === job) this.#running.cancel(job, 'abort')
    else if (!this.#parked.cancel(job) && !this.#hasLease(job) && this.#takeOut(job)) {
      settle(job, cancelError('abort', this.#bounds))
      this.#pump()
    }
  }

  #kill(job: QueuedJob, error: SqlError): void {
    if (this.#posted[0] !== job) return
    this.#posted.shift()
    settle(job, error)
    this.#life.kill('a statement could not be cancelled')
  }

  #onReply(answer: DoneReply | RefusedReply): void {
    const job = this.#posted.shift()
    if (job === undefined || job.id !== answer.id) return
    this.#running.end()
    const next = this.#posted[0]
    if (next !== undefined) this.#running.begin(next)
    if (clientOf(job) !== undefined) this.#afterTurn(job, answer)
    if (answer.kind === 'refused') settle(job, new SqlError(answer.sqlState, answer.message))
    else if (answer.waits !== undefined) this.#park(job, answer.waits)
    else this.#onDone(job, answer)
    this.#pump()
  }

  #afterTurn(job: QueuedJob, answer: DoneReply | RefusedReply): void {
    if (answer.kind === 'done' && answer.keepsBackend === true) this.#leaseTo(job)
    else if (this.#hasLease(job)) this.#endLease()
  }

  #onDone(job: QueuedJob, answer: DoneReply): void {
    this.#heapBytes = answer.heapBytes
    this.#workedMillis += answer.durationMillis
    this.#waitedMillis += Math.max(0, this.wallClock.now() - job.arrivedAt - answer.durationMillis)
    const outcome = outcomeOf(job, answer)
    const wasCancelled = outcome.reply.error?.code === CANCELLED
    // A cancelled job of the kind 'ask' still returns its complete answers.
    const isRejected = job.cancelled !== undefined && job.request.kind !== 'ask'
    if (!wasCancelled) settle(job, outcome)
    else if (isRejected) settle(job, cancelError(job.cancelled ?? 'timeout', this.#bounds))
    // A late cancel of the previous job hit this job. The job's transaction was rolled back, so the job runs again.
    else if (job.id === this.#running.lastCancelled + 1 && !hasFailedToWait(job)) {
      delete job.again
      this.#waiting.putFirst(job)
    } else settle(job, outcome)
  }

  // Sets a job aside until its lock is granted. The job's deadline and its session's timeouts continue. A client's turn has no
  // deadline while it waits for a lock.
  #park(job: QueuedJob, waits: LockWait): void {
    job.killAtMillis = undefined
    if (this.#onIdle !== undefined) {
      settle(job, closedError())
      return
    }
    this.#parked.park(job, waits, job.request.kind === 'turn' ? undefined : job.timeoutMillis)
    if (job.cancelled !== undefined) this.#parked.cancel(job)
  }

  // Fails the jobs that the worker had begun, because they may have had effects. Jobs that waited for a lock fail too, because
  // the lock is gone. Jobs that had not begun wait for the next engine.
  #recall(reason: string): void {
    this.#running.end()
    this.#endLease()
    const lost = diedError(reason, this.#host.isDurable)
    const begun = new Set(this.#posted.filter(({ id }) => this.#host.hasBegun(id)))
    const queued = [...this.#posted.splice(0), ...this.#waiting.takeAll()]
    for (const job of this.#parked.takeAll()) settle(job, lost)
    for (const job of queued)
      if (begun.has(job) || job.again !== undefined) settle(job, lost)
      else if (!job.isSettled) this.#waiting.push(job)
    this.#updateLimits()
  }

  #failAll(error: SqlError): void {
    for (const job of this.#waiting.takeAll()) settle(job, error)
    if (this.#onIdle !== undefined) this.#onIdle()
  }
}
