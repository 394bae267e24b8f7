// Replaces PostgreSQL's advisory lock functions with functions that use our own lock table. PostgreSQL sees all work as one
// session, which would get every lock. Our table treats each client of the Postgres port, and each running request or script,
// as a session.
import { type EpochMillis, epochMillis } from '../../../../core/time.ts'
import {
  type LockAnswer,
  type LockFailure,
  type LockOperation,
  LockSession,
} from '../../advisory-locks/lock-session.ts'
import {
  type LockKey,
  type LockMode,
  type LockScope,
  LockTable,
} from '../../advisory-locks/lock-table.ts'
import type { LockWait } from '../../worker-protocol.ts'
import type { Backend } from '../backend/backend.ts'
import { argumentOf, type Routine, type RoutineTable } from '../backend/routine-table.ts'
import { type Fence, raise, warn } from '../fence/fence.ts'
import { LOCK_ROUTINES, LockMirror, UNLOCK_ALL, UNLOCK_ROUTINES } from './lock-mirror.ts'

const LOCK_STATUS = 1371 // The view pg_locks calls pg_lock_status().
const CURRENT_TRANSACTION = 5060 // pg_current_xact_id_if_assigned()
const NOW = 1299
const MICROS_PER_MILLI = 1_000n
/** PostgreSQL counts time from 2000-01-01 (datatype/timestamp.h). */
const POSTGRES_EPOCH_MILLIS = 946_684_800_000
// A set-returning function sets FmgrInfo.fn_extra at its first call (fmgr.h).
const KEPT_BY_ROUTINE = 16
/**
 * Maximum number of locks that `pg_locks` shows. These locks are copied into Postgres's lock table, which has room for a few
 * hundred locks.
 */
const MAX_SHOWN = 200
const SESSION_LEVEL = 0
const LOCK_NAMES: Readonly<Record<LockMode, string>> = {
  exclusive: 'ExclusiveLock',
  shared: 'ShareLock',
}
// xact.h
const XACT_COMMIT = 0
const XACT_ABORT = 2
const XACT_PRE_COMMIT = 5
const SUBXACT_COMMIT = 1
const SUBXACT_ABORT = 2

export class AdvisoryLocking {
  readonly #backend: Backend
  readonly #fence: Pick<Fence, 'side'>
  readonly #table = new LockTable()
  readonly #sessions = new Map<number, LockSession>()
  #routines: RoutineTable | undefined
  #lockMirror: LockMirror | undefined
  #currentTransaction: Routine | undefined
  #now: Routine | undefined
  #nextTicket = 1
  #granted: number[] = []
  #worker: LockSession | undefined
  #isReplay = false
  #mayWait: () => boolean = () => false
  #hasCommittedChanges = false
  #wait: LockWait | undefined

  constructor(backend: Backend, fence: Pick<Fence, 'side'>) {
    this.#backend = backend
    this.#fence = fence
  }

  /** Replaces the functions. @throws {BackendDied} when one is missing */
  install(routines: RoutineTable): void {
    const { module } = this.#backend
    this.#routines = routines
    this.#currentTransaction = routines.find(CURRENT_TRANSACTION)
    this.#now = routines.find(NOW)
    this.#lockMirror = new LockMirror(this.#backend, routines)
    for (const { oids, mode, scope, waits } of LOCK_ROUTINES)
      this.#replace(oids, (key) => this.#lock(key, mode, scope, waits))
    for (const { oids, mode } of UNLOCK_ROUTINES)
      this.#replace(oids, (key) => this.#unlock(key, mode))
    routines.replace(
      UNLOCK_ALL,
      (original) => (call) =>
        this.#session === undefined ? original(call) : this.#perform({ kind: 'unlockAll' }),
    )
    routines.replace(LOCK_STATUS, (original) => (call) => this.#showLocks(call, original))
    module._RegisterXactCallback(
      module.addFunction((event = 0) => this.#onTransaction(event), 'vii'),
      0,
    )
    module._RegisterSubXactCallback(
      module.addFunction((event = 0) => this.#onSavepoint(event), 'viiii'),
      0,
    )
  }

  /** Opens a session without locks. `close` ends it. */
  open(project: string): LockSession {
    const onGranted = (ticket: number) => this.#granted.push(ticket)
    const session = new LockSession(project, this.#nextTicket++, this.#table, onGranted)
    this.#sessions.set(session.ticket, session)
    return session
  }

  find(ticket: number): LockSession | undefined {
    return this.#sessions.get(ticket)
  }

  close(session: LockSession): void {
    this.#sessions.delete(session.ticket)
    session.end()
  }

  /** Returns the tickets of sessions that got a lock since the last call. */
  takeGranted(): readonly number[] {
    if (this.#granted.length === 0) return this.#granted
    const granted = this.#granted
    this.#granted = []
    return granted
  }

  /**
   * Runs `work` as `session`. When a lock was not free, `waitOf` returns the wait, and the caller must roll the work back.
   * @param mayWait whether the transaction's earlier statements can be replayed
   */
  during<Result>(session: LockSession, mayWait: () => boolean, work: () => Result): Result {
    this.#worker = session
    this.#mayWait = mayWait
    this.#hasCommittedChanges = false
    this.#wait = undefined
    try {
      return work()
    } finally {
      this.#worker = undefined
    }
  }

  /** Replays earlier work of `session` without changing its locks. */
  replay(session: LockSession, work: () => void): void {
    this.#isReplay = true
    try {
      this.during(session, () => false, work)
    } finally {
      this.#isReplay = false
    }
  }

  /** DISCARD ALL releases the session's locks. */
  onDiscardAll(): void {
    if (this.#session !== undefined) this.#perform({ kind: 'unlockAll' })
  }

  /** The session whose statements run at this moment; `undefined` for the engine's own statements. */
  get #session(): LockSession | undefined {
    return this.#fence.side === undefined ? undefined : this.#worker
  }

  /** The lock that the last work of `during` must wait for. */
  waitOf(session: LockSession): LockWait | undefined {
    return session.isWaiting && this.#wait?.ticket === session.ticket ? this.#wait : undefined
  }

  /** Whether the last work of `during` committed changes, which can no longer be rolled back. */
  get hasCommittedChanges(): boolean {
    return this.#hasCommittedChanges
  }

  /** SQL's `now()` in the open transaction. */
  transactionStart(): EpochMillis {
    const [routines, routine] = [this.#routines, this.#now]
    const found =
      routines === undefined || routine === undefined
        ? undefined
        : this.#backend.guarded(() => routines.call(routine, []))
    if (found === undefined) return epochMillis(Date.now())
    const { module } = this.#backend
    const micros = new DataView(module.HEAPU8.buffer).getBigInt64(found.word, true)
    return epochMillis(Number(micros / MICROS_PER_MILLI) + POSTGRES_EPOCH_MILLIS)
  }

  /** Whether the open transaction has changed anything. */
  hasChanges(): boolean {
    const [routines, routine] = [this.#routines, this.#currentTransaction]
    if (routines === undefined || routine === undefined) return true
    const found = this.#backend.guarded(() => routines.call(routine, []))
    return found === undefined || !found.isNull
  }

  #replace([one, two]: readonly [number, number], perform: (key: LockKey) => number): void {
    this.#routines?.replace(one, (original) => (call) => {
      const key = this.#bigintKey(call)
      return key === undefined ? original(call) : perform(key)
    })
    this.#routines?.replace(two, (original) => (call) => {
      const key = this.#twoWordKey(call)
      return key === undefined ? original(call) : perform(key)
    })
  }

  // Returns `undefined` for platform work, which has no session. PostgreSQL's own lock functions then answer.
  #bigintKey(call: number): LockKey | undefined {
    if (this.#session === undefined) return undefined
    const { project } = this.#session
    const address = argumentOf(this.#backend, call, 0)
    const [low, high] = [this.#backend.readWord(address), this.#backend.readWord(address + 4)]
    return { project, high, low, words: 1 }
  }

  #twoWordKey(call: number): LockKey | undefined {
    if (this.#session === undefined) return undefined
    const { project } = this.#session
    const backend = this.#backend
    const [high, low] = [argumentOf(backend, call, 0), argumentOf(backend, call, 1)]
    return { project, high, low, words: 2 }
  }

  #lock(key: LockKey, mode: LockMode, scope: LockScope, waits: boolean): number {
    const level =
      scope === 'session' ? SESSION_LEVEL : this.#backend.module._GetCurrentTransactionNestLevel()
    return this.#perform({ kind: 'lock', request: { key, mode, scope, level }, waits })
  }

  #unlock(key: LockKey, mode: LockMode): number {
    const request = { key, mode, scope: 'session', level: SESSION_LEVEL } as const
    const isOwn = this.#perform({ kind: 'unlock', request })
    if (isOwn === 0) warn(this.#backend, `you don't own a lock of type ${LOCK_NAMES[mode]}`)
    return isOwn
  }

  #perform(operation: LockOperation): number {
    const session = this.#session
    if (session === undefined) return 0
    if (this.#isReplay) return 1
    const mayWait = !this.#hasCommittedChanges && this.#mayWait()
    return this.#answer(session.perform(operation, mayWait))
  }

  #answer(answer: LockAnswer): number {
    switch (answer.kind) {
      case 'done':
        return answer.value ? 1 : 0
      case 'failed':
        this.#raise(answer.failure)
        return 0
      case 'wait':
        this.#beginWait()
        return 0
      default:
        return answer satisfies never
    }
  }

  #raise({ sqlState, message, hint }: LockFailure): void {
    raise(this.#backend, sqlState, message, hint)
  }

  // Ends the statement with a cancel, because `exception when others` of PL/pgSQL does not catch cancels. The client never sees
  // this error.
  #beginWait(): void {
    const { ticket } = this.#session ?? { ticket: 0 }
    this.#wait = {
      ticket,
      lockTimeoutMillis: this.#setting('lock_timeout'),
      statementTimeoutMillis: this.#setting('statement_timeout'),
    }
    raise(this.#backend, '57014', 'the statement waits for an advisory lock')
  }

  #setting(name: string): number {
    const { module } = this.#backend
    const address = module._GetConfigOption(this.#backend.constant(name), 1, 0)
    return Number(this.#backend.readText(address)) || 0
  }

  #onTransaction(event: number): undefined {
    const session = this.#session
    if (session === undefined || this.#isReplay) return
    if (event === XACT_PRE_COMMIT) this.#hasCommittedChanges ||= this.hasChanges()
    if (event === XACT_COMMIT) session.stopWaiting()
    // A session that waits keeps its locks, although its transaction is rolled back.
    const isOver = event === XACT_COMMIT || (event === XACT_ABORT && !session.isWaiting)
    if (isOver) session.endTransaction()
  }

  #onSavepoint(event: number): undefined {
    const session = this.#session
    if (session === undefined || session.isWaiting || this.#isReplay) return
    const level = this.#backend.module._GetCurrentTransactionNestLevel()
    if (event === SUBXACT_ABORT) session.rollBackTo(level)
    else if (event === SUBXACT_COMMIT) session.mergeInto(level - 1)
  }

  // Copies the project's locks into the engine's lock table before the first call, because the function reads the table then.
  #showLocks(call: number, original: Routine): number {
    const info = this.#backend.readWord(call)
    const isFirst = this.#backend.readWord(info + KEPT_BY_ROUTINE) === 0
    const project = this.#session?.project
    if (project === undefined || !isFirst || this.#lockMirror === undefined) return original(call)
    return this.#lockMirror.show(this.#table.held(project, MAX_SHOWN), () => original(call))
  }
}
