// One session's operations on the advisory lock table. A statement cannot pause inside the engine. When a lock is not free, the
// worker rolls back everything since the client's last answer. The rolled-back statements run again once the lock is granted;
// the session does not repeat their lock operations.
import type { LockOwner, LockRequest, LockTable } from './lock-table.ts'

export type LockOperation =
  | { readonly kind: 'lock'; readonly request: LockRequest; readonly waits: boolean }
  | { readonly kind: 'unlock'; readonly request: LockRequest }
  | { readonly kind: 'unlockAll' }

/** The Postgres error that states why a lock was not granted. */
export interface LockFailure {
  readonly sqlState: string
  readonly message: string
  readonly hint?: string
}

export type LockAnswer =
  | { readonly kind: 'done'; readonly value: boolean }
  | { readonly kind: 'failed'; readonly failure: LockFailure }
  /** The lock is not free: the statement must be rolled back and runs again later. */
  | { readonly kind: 'wait' }

interface Remembered {
  readonly operation: LockOperation
  readonly answer: Exclude<LockAnswer, { readonly kind: 'wait' }>
}

/** The limit of lock operations that a session remembers. A turn beyond this limit cannot wait for locks. */
const MAX_REMEMBERED = 10_000

const DEADLOCK: LockFailure = {
  sqlState: '40P01',
  message: 'deadlock detected',
  hint: 'Each of the sessions waits for an advisory lock that another one of them holds.',
}
const TABLE_FULL: LockFailure = {
  sqlState: '53200',
  message: 'out of shared memory: too many advisory locks',
  hint: 'Release advisory locks that are no longer needed.',
}
const CANNOT_WAIT: LockFailure = {
  sqlState: '55P03',
  message:
    'could not wait for the advisory lock: the transaction has changes that waiting would undo',
  hint: 'Take the lock in the first statement of the transaction, take it before the transaction with pg_advisory_lock, or use a pg_try_advisory_ function and try again.',
}
const DONE: Remembered['answer'] = { kind: 'done', value: true }

export class LockSession implements LockOwner {
  readonly project: string
  /** The number that identifies the session to the main thread. */
  readonly ticket: number
  readonly #table: LockTable
  readonly #onGranted: (ticket: number) => void
  #remembered: Remembered[] = []
  /** Number of remembered operations that the current run of the turn has reached. */
  #met = 0
  #wantedOperation: LockOperation | undefined
  #isOverflown = false

  constructor(
    project: string,
    ticket: number,
    table: LockTable,
    onGranted: (ticket: number) => void,
  ) {
    this.project = project
    this.ticket = ticket
    this.#table = table
    this.#onGranted = onGranted
  }

  /** True while the session waits for a lock, with its statement rolled back. */
  get isWaiting(): boolean {
    return this.#wantedOperation !== undefined
  }

  get hasTransactionLocks(): boolean {
    return this.#table.hasTransactionLocks(this)
  }

  /**
   * Starts the same turn of the client again. @param end the error that ended the wait; ignored when the lock was granted
   * meanwhile
   */
  again(end?: LockFailure): void {
    this.#met = 0
    const operation = this.#wantedOperation
    if (operation === undefined || end === undefined) return
    this.stopWaiting()
    this.#remembered.push({ operation, answer: { kind: 'failed', failure: end } })
  }

  /**
   * Ends the client's current turn. A turn that still waits for a lock is not repeated. Releases the locks that only an earlier
   * run of the turn took.
   */
  finish(): void {
    if (this.isWaiting) this.#met = 0
    this.stopWaiting()
    this.#undoRest()
    this.#forget()
  }

  /** @param mayWait whether everything since the client's last answer can be run again */
  perform(operation: LockOperation, mayWait: boolean): LockAnswer {
    // The statement caught the error that ended its wait, and continues without the lock.
    if (this.isWaiting) this.stopWaiting()
    const known = this.#nextRemembered(operation)
    if (known !== undefined) return known
    const answer = this.#performNow(operation, mayWait && !this.#isOverflown)
    if (answer.kind !== 'wait') this.#remember({ operation, answer })
    return answer
  }

  /** Stops waiting for the lock, after a timeout or when the statement caught the error of its wait. */
  stopWaiting(): void {
    this.#wantedOperation = undefined
    this.#table.stopWaiting(this)
  }

  onGranted(): void {
    const operation = this.#wantedOperation
    this.#wantedOperation = undefined
    if (operation !== undefined) this.#remember({ operation, answer: DONE })
    this.#met = 0
    this.#onGranted(this.ticket)
  }

  endTransaction(): void {
    this.#table.releaseAll(this, 'transaction')
  }

  rollBackTo(level: number): void {
    this.#table.rollBackTo(this, level)
  }

  mergeInto(parent: number): void {
    this.#table.mergeInto(this, parent)
  }

  releaseSession(): void {
    this.#table.releaseAll(this, 'session')
  }

  /** Ends the session and releases its locks. */
  end(): void {
    this.#wantedOperation = undefined
    this.#table.end(this)
    this.#forget()
  }

  #performNow(operation: LockOperation, mayWait: boolean): LockAnswer {
    if (operation.kind === 'unlockAll') {
      this.releaseSession()
      return DONE
    }
    const { request } = operation
    if (operation.kind === 'unlock')
      return { kind: 'done', value: this.#table.release(this, request) }
    const outcome = this.#table.acquire(this, request)
    if (outcome === 'full') return { kind: 'failed', failure: TABLE_FULL }
    if (outcome === 'granted') return DONE
    if (!operation.waits) return { kind: 'done', value: false }
    if (this.#table.wait(this, request) === 'deadlock') return { kind: 'failed', failure: DEADLOCK }
    this.#wantedOperation = operation
    if (mayWait) return { kind: 'wait' }
    this.stopWaiting()
    return { kind: 'failed', failure: CANNOT_WAIT }
  }

  #forget(): void {
    this.#remembered = []
    this.#met = 0
    this.#isOverflown = false
  }

  #remember(remembered: Remembered): void {
    // Forgets all remembered operations once their limit is reached. A repeated run would then repeat operations, so this turn
    // can no longer wait.
    if (this.#remembered.length >= MAX_REMEMBERED) {
      this.#remembered = []
      this.#isOverflown = true
    }
    if (!this.#isOverflown) this.#remembered.push(remembered)
    this.#met = this.#remembered.length
  }

  #nextRemembered(operation: LockOperation): LockAnswer | undefined {
    const next = this.#remembered[this.#met]
    if (next === undefined) return undefined
    if (!isSame(next.operation, operation)) {
      this.#undoRest()
      return undefined
    }
    this.#met++
    return this.#isStillTrue(next) ? next.answer : this.#performNow(operation, false)
  }

  // Whether a remembered lock is still held. Rolling back a savepoint releases the locks taken inside it.
  #isStillTrue({ operation, answer }: Remembered): boolean {
    if (operation.kind !== 'lock' || answer.kind !== 'done' || !answer.value) return true
    const { request } = operation
    return request.scope === 'session' || this.#table.holds(this, request)
  }

  #undoRest(): void {
    for (const { operation, answer } of this.#remembered.splice(this.#met))
      if (operation.kind === 'lock' && answer.kind === 'done' && answer.value)
        this.#table.release(this, operation.request)
  }
}

function isSame(one: LockOperation, other: LockOperation): boolean {
  if (one.kind === 'unlockAll' || other.kind === 'unlockAll') return one.kind === other.kind
  const [first, second] = [one.request, other.request]
  return (
    one.kind === other.kind &&
    first.mode === second.mode &&
    first.level === second.level &&
    first.key.words === second.key.words &&
    first.key.high === second.key.high &&
    first.key.low === second.key.low
  )
}
