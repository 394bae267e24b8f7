// Jobs that wait for an advisory lock. Waiting jobs leave the engine's queue, so that other jobs can run. A job is queued again
// when its lock is granted or when an error ends its wait.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { LockFailure } from '../advisory-locks/lock-session.ts'
import type { LockWait, Resumption } from '../worker-protocol.ts'

interface ParkedJob<Job> {
  readonly job: Job
  readonly ticket: number
  readonly stopWaiting: Cancel
}

export class ParkedJobs<Job> {
  readonly #wallClock: Clock
  readonly #resume: (job: Job, resumption: Resumption) => void
  readonly #parked = new Map<number, ParkedJob<Job>>()

  /** @param resume queues a job again */
  constructor(wallClock: Clock, resume: (job: Job, resumption: Resumption) => void) {
    this.#wallClock = wallClock
    this.#resume = resume
  }

  /** @param deadlineMillis the job's own deadline, in wall-clock milliseconds from now */
  park(job: Job, wait: LockWait, deadlineMillis: number | undefined): void {
    const { ticket, lockTimeoutMillis, statementTimeoutMillis } = wait
    const limits = [
      { millis: lockTimeoutMillis, end: LOCK_TIMEOUT },
      { millis: statementTimeoutMillis, end: STATEMENT_TIMEOUT },
      { millis: deadlineMillis ?? 0, end: STATEMENT_TIMEOUT },
    ]
    const [first] = limits.filter(({ millis }) => millis > 0).sort((a, b) => a.millis - b.millis)
    const stopWaiting =
      first === undefined
        ? () => {}
        : this.#wallClock.after(first.millis, () => this.#bringBack(ticket, first.end))
    this.#parked.set(ticket, { job, ticket, stopWaiting })
  }

  /** Queues the jobs whose locks were granted. */
  grant(tickets: readonly number[]): void {
    for (const ticket of tickets) this.#bringBack(ticket, undefined)
  }

  /** Ends a cancelled job's wait for its lock. Returns false when the job does not wait for a lock. */
  cancel(job: Job): boolean {
    const found = [...this.#parked.values()].find((parked) => parked.job === job)
    if (found !== undefined) this.#bringBack(found.ticket, CANCELLED)
    return found !== undefined
  }

  /** Removes and returns all jobs, because the engine with their locks has ended. */
  takeAll(): readonly Job[] {
    const all = [...this.#parked.values()]
    this.#parked.clear()
    for (const { stopWaiting } of all) stopWaiting()
    return all.map(({ job }) => job)
  }

  #bringBack(ticket: number, end: LockFailure | undefined): void {
    const parked = this.#parked.get(ticket)
    if (parked === undefined) return
    this.#parked.delete(ticket)
    parked.stopWaiting()
    this.#resume(parked.job, end === undefined ? { ticket } : { ticket, end })
  }
}

const LOCK_TIMEOUT: LockFailure = {
  sqlState: '55P03',
  message: 'canceling statement due to lock timeout',
}
const STATEMENT_TIMEOUT: LockFailure = {
  sqlState: '57014',
  message: 'canceling statement due to statement timeout',
}
const CANCELLED: LockFailure = {
  sqlState: '57014',
  message: 'canceling statement due to user request',
}
