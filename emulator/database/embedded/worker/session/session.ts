// The one session of the one backend, lent to one piece of work after the other: who it belongs to, what has to be
// cleaned before the next, how a transaction is opened and ended around the work.

import type { SqlError } from '../../../engine.ts'
import { firstError } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import type { RunRequest } from '../../worker-protocol.ts'
import { AdvisoryLocking } from '../advisory-locks/advisory-locking.ts'
import { type Backend, BackendDied, type Streaming } from '../backend/backend.ts'
import { Fence, PLATFORM_WORK } from '../fence/fence.ts'
import { Identity } from '../fence/identity.ts'
import type { UtilityGuard } from '../fence/utility-guard.ts'
import type { PreparedStatements } from './prepared-statements.ts'
import type { SequenceCache } from './sequence-cache.ts'
import { lockOption } from './settings.ts'
import type { StatementWatch } from './statement-watch.ts'

// COPY FROM STDIN without data ends the wasm process; CopyFail makes it an ordinary error and is ignored elsewhere.
export const END = new FrontendMessages()
  .copyFail('COPY FROM STDIN is not available here')
  .sync()
  .bytes()
const SYNC = new FrontendMessages().sync().bytes()
// Opens a transaction and leaves it open. It executes something, so that Postgres knows itself in a pipeline and a
// COMMIT inside a procedure gives 2D000; it takes no snapshot, so that SET TRANSACTION still works.
const OPEN_PIPELINE = opener('reset lock_timeout')
// Nothing executed: a simple query after it still commits by itself.
const OPEN_SCRIPT = new FrontendMessages().parse('', '').bytes()
const OPEN_BLOCK = opener('begin')
const COMMIT = new FrontendMessages().query('commit').bytes()
const ROLLBACK = new FrontendMessages().query('rollback').bytes()
const DISCARD = new FrontendMessages().query('discard all').bytes()

const OPENERS = {
  pipeline: OPEN_PIPELINE,
  script: OPEN_SCRIPT,
  block: OPEN_BLOCK,
} as const

// exit_on_error kills the single backend; the others would silence or flood what we read.
const LOCKED_OPTIONS = ['exit_on_error'] as const

type WorkFrame = Pick<RunRequest, 'schemaName' | 'role' | 'readOnly'> & {
  /** The role is the session user: the owner at the Postgres port. */
  readonly isLogin?: boolean
}

/** Somebody who keeps what is in the session and gets it back later. */
export interface SessionHolder {
  /** The session goes to another: last occasion to note what is in it. */
  leave(): void
}

export class Session {
  readonly backend: Backend
  readonly identity: Identity
  readonly fence: Fence
  readonly prepared: PreparedStatements
  readonly locking: AdvisoryLocking
  /** Set once it is proved, before the first work. */
  guard: UtilityGuard | undefined
  /** What the session knows of sequences; `undefined` when it cannot be found, so that it is lost to others' work. */
  sequences: SequenceCache | undefined
  /** Absent when the session's timeouts cannot be read. */
  watch: StatementWatch | undefined
  /** Told when a cancel may come and when no longer. */
  onCancellable: (isCancellable: boolean) => void = () => {}
  /** Whose leftovers the session may hold. */
  #holder: string | typeof PLATFORM_WORK | SessionHolder | undefined

  /** Takes the session over from PGlite's boot. @throws {BackendDied} */
  constructor(backend: Backend, prepared: PreparedStatements) {
    this.backend = backend
    this.prepared = prepared
    this.identity = Identity.install(backend, (inside) => {
      backend.exchange(OPEN_SCRIPT)
      inside()
      backend.exchange(SYNC)
    })
    for (const option of LOCKED_OPTIONS) lockOption(backend, option)
    this.fence = Fence.install(backend)
    this.locking = new AdvisoryLocking(backend, this.fence)
  }

  /** Opens a transaction in which nothing has run yet. */
  open(how: keyof typeof OPENERS): SqlError | undefined {
    return firstError(this.backend.exchange(OPENERS[how]))
  }

  /** Makes `role` the session user. False when there is no such role. @throws {BackendDied} when Postgres does not obey */
  assume(role: string): boolean {
    if (this.identity.isAlready(role)) return true
    this.backend.exchange(OPEN_SCRIPT)
    const exists = this.identity.oidOf(role) !== 0
    const became = exists && this.identity.become(role)
    this.backend.exchange(SYNC)
    if (!exists || became) return exists
    this.clean()
    this.backend.exchange(OPEN_SCRIPT)
    const obeys = this.identity.become(role)
    this.backend.exchange(SYNC)
    if (!obeys) throw new BackendDied(`the session cannot become ${role}`)
    return true
  }

  /** Sets what a script finds again after a COMMIT of its own; `setDefaults` runs in a transaction. */
  between(setDefaults: () => void): void {
    this.backend.exchange(OPEN_SCRIPT)
    setDefaults()
    this.backend.exchange(SYNC)
  }

  /** Sends what a tenant may be tired of waiting for. Everything else clears up, and must not be cancelled. */
  exchangeCancellable(messages: Uint8Array, streaming?: Streaming): Uint8Array {
    this.onCancellable(true)
    try {
      return streaming === undefined
        ? this.backend.exchange(messages)
        : this.backend.stream(messages, streaming)
    } finally {
      this.onCancellable(false)
    }
  }

  /** As `exchangeCancellable`, with the session's own timeouts in force. */
  exchangeTimed(messages: Uint8Array, streaming?: Streaming): Uint8Array {
    const exchange = () => this.exchangeCancellable(messages, streaming)
    return this.watch === undefined ? exchange() : this.watch.during(exchange)
  }

  /** Commits a transaction block that was opened with `block`. */
  commitBlock(): Uint8Array {
    return this.exchangeCancellable(COMMIT)
  }

  /** Ends a transaction that was opened and not used. */
  abandon(): void {
    this.backend.exchange(SYNC)
    this.settle()
  }

  /** Makes the session fit for `schemaName`: leftovers of another tenant, or of a request that touched the session, go. */
  lendTo(schemaName: string): void {
    if (this.#holder === schemaName && !this.isTouched) return
    this.#takeBack()
    this.clean()
    this.#holder = schemaName
  }

  /** Makes the session `holder`'s own. False when it was already: everything is as it was left. */
  lendToHolder(holder: SessionHolder): boolean {
    if (this.#holder === holder) return false
    this.#takeBack()
    this.clean()
    this.#holder = holder
    return true
  }

  /** Takes the session back from `holder`, if it still has it. */
  evict(holder: SessionHolder): void {
    if (this.#holder === holder) this.#takeBack()
  }

  #takeBack(): void {
    const holder = this.#holder
    this.#holder = undefined
    if (typeof holder === 'object') holder.leave()
  }

  /** Whether something ran that may have left something behind. */
  get isTouched(): boolean {
    return this.fence.touchedSession || (this.guard?.touchedSession ?? true)
  }

  /** Platform work starts from a clean session: a tenant's temporary table or search path must not catch its names. */
  lendToPlatform(): void {
    this.#takeBack()
    this.clean()
    this.#holder = PLATFORM_WORK
  }

  /** Forgets settings, temporary objects, cursors, listeners, sequences' values and prepared statements. */
  clean(): void {
    const error = firstError(this.backend.exchange(DISCARD))
    if (error !== undefined)
      throw new BackendDied(`the session cannot be cleaned: ${error.message}`)
    this.prepared.forgetNames()
    this.fence.touchedSession = false
    if (this.guard === undefined) return
    this.guard.touchedSession = false
    this.guard.customSettings.clear()
  }

  /** Lets tenant SQL run inside `work`: only then do fence and guard refuse. */
  within<Result>(request: WorkFrame, work: () => Result): Result {
    const { schemaName, role, readOnly, isLogin = false } = request
    this.fence.side = schemaName
    if (this.guard !== undefined) {
      this.guard.isActive = true
      this.guard.isReadOnly = readOnly
      this.guard.isLogin = isLogin
      this.guard.owner = role === `${schemaName}_owner` ? role : undefined
    }
    try {
      return work()
    } finally {
      this.fence.side = undefined
      if (this.guard !== undefined) this.guard.isActive = false
    }
  }

  /** After each piece of work: no transaction is left open. @throws {BackendDied} when one cannot be ended */
  settle(): void {
    if (!this.backend.isInTransaction()) return
    this.backend.exchange(ROLLBACK)
    if (this.backend.isInTransaction()) throw new BackendDied('a transaction cannot be ended')
  }
}

function opener(statement: string): Uint8Array {
  return new FrontendMessages().parse('', statement).bind('', []).execute().bytes()
}
