// The one session of the one backend, lent to one job at a time. Tracks the current holder, cleans the session between holders,
// and opens and ends transactions around the work.

import type { SqlError, TenantWork } from '../../../engine.ts'
import { firstError } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import type { PreparedStatements } from '../../../wire-protocol/prepared-statements.ts'
import { COPY_REFUSED } from '../../../work/work-rules.ts'
import { AdvisoryLocking } from '../advisory-locks/advisory-locking.ts'
import { type Backend, BackendDied, type Streaming } from '../backend/backend.ts'
import { Fence, PLATFORM_WORK } from '../fence/fence.ts'
import { Identity } from '../fence/identity.ts'
import type { UtilityGuard } from '../fence/utility-guard.ts'
import type { SequenceCache } from './sequence-cache.ts'
import { lockOption } from './settings.ts'
import type { StatementWatch } from './statement-watch.ts'

// COPY FROM STDIN without data would end the wasm process. The CopyFail message makes the statement fail with an ordinary error.
// Other statements ignore the message.
export const END: Uint8Array = new FrontendMessages().copyFail(COPY_REFUSED).sync().bytes()

/** Encodes one statement without parameters, to be sent outside a client's turn. */
export function singleStatement(text: string): Uint8Array {
  return new FrontendMessages().statement(text).append(END).bytes()
}

const SYNC = new FrontendMessages().sync().bytes()
// Opens a transaction and leaves it open. The messages execute a statement, so that Postgres is in a pipeline and a COMMIT
// inside a procedure fails with 2D000. The statement takes no snapshot, so that SET TRANSACTION still works.
const OPENER = 'reset lock_timeout'
// Opens a transaction without executing a statement, so a simple query that follows still commits by itself.
const OPEN_SCRIPT = new FrontendMessages().parse('', '').bytes()
const OPEN_BLOCK = new FrontendMessages().parse('', 'begin').bind('', []).execute().bytes()
const COMMIT = new FrontendMessages().query('commit').bytes()
const ROLLBACK = new FrontendMessages().query('rollback').bytes()
const DISCARD = new FrontendMessages().query('discard all').bytes()

type Opener = 'pipeline' | 'script' | 'block'

const OPENERS: Readonly<Record<Exclude<Opener, 'pipeline'>, Uint8Array>> = {
  script: OPEN_SCRIPT,
  block: OPEN_BLOCK,
}

// The option exit_on_error would end the one backend at a tenant's first error.
const LOCKED_OPTIONS = ['exit_on_error'] as const

type WorkFrame = Pick<TenantWork, 'actor' | 'mode'> & {
  /** True when the role is also the session user, such as the owner at the Postgres port. */
  readonly isLogin?: boolean
}

/** A client that owns the session for several jobs and restores its own settings when it gets the session back. */
export interface SessionHolder {
  /** Called before the session is lent to another holder. The client must save here what it restores later. */
  leave(): void
}

/** The parts that the boot adds to a session, because creating them requires the session. */
export interface SessionParts {
  readonly guard: UtilityGuard
  readonly sequences: SequenceCache | undefined
  readonly watch: StatementWatch
  /** Called with true when a cancel may be raised from now on, and with false when it may not. */
  readonly onCancellable: (isCancellable: boolean) => void
}

export class Session {
  readonly backend: Backend
  readonly identity: Identity
  readonly fence: Fence
  readonly prepared: PreparedStatements
  readonly locking: AdvisoryLocking
  #parts: Partial<SessionParts> = {}
  /** The holder whose settings and temporary objects the session may contain. */
  #holder: string | typeof PLATFORM_WORK | SessionHolder | undefined
  /** The messages that run the prepared opener; `undefined` when it is not prepared. */
  #opener: Uint8Array | undefined

  /**
   * Takes the session over from PGlite's boot.
   * @param staticBytes end of the engine's static data
   * @throws {BackendDied}
   */
  constructor(backend: Backend, prepared: PreparedStatements, staticBytes: number) {
    this.backend = backend
    this.prepared = prepared
    this.identity = Identity.install(backend, staticBytes, (inside) => {
      backend.exchange(OPEN_SCRIPT)
      inside()
      backend.exchange(SYNC)
    })
    for (const option of LOCKED_OPTIONS) lockOption(backend, option)
    this.fence = Fence.install(backend)
    this.locking = new AdvisoryLocking(backend, this.fence)
  }

  /** Refuses and records utility statements. `undefined` until the self-test has passed. */
  get guard(): UtilityGuard | undefined {
    return this.#parts.guard
  }

  /** The session's sequence values; `undefined` when they cannot be saved for another holder. */
  get sequences(): SequenceCache | undefined {
    return this.#parts.sequences
  }

  /** The session's timeouts; `undefined` when they cannot be read. */
  get watch(): StatementWatch | undefined {
    return this.#parts.watch
  }

  /** Adds parts that the boot has created by using the session. Each part is added once. @throws {TypeError} */
  equip(parts: Partial<SessionParts>): void {
    const again = Object.keys(parts).find((name) => name in this.#parts)
    if (again !== undefined) throw new TypeError(`the session has its ${again} already`)
    this.#parts = { ...this.#parts, ...parts }
  }

  /** Opens a transaction in which nothing has run yet. */
  open(how: Opener): SqlError | undefined {
    if (how === 'pipeline') return this.#openPipeline()
    return firstError(this.backend.exchange(OPENERS[how]))
  }

  // Prepares the opener once for each holder of the session. Parsing the opener again would take 3 of the 35 µs of each job
  // (measured).
  #openPipeline(): SqlError | undefined {
    let messages = this.#opener
    if (messages === undefined) {
      const name = this.prepared.freshName()
      const run = new FrontendMessages().bind(name, []).execute().bytes()
      messages = new FrontendMessages().parse(name, OPENER).append(run).bytes()
      this.#opener = run
    }
    const error = firstError(this.backend.exchange(messages))
    if (error !== undefined) this.#opener = undefined
    return error
  }

  /**
   * Makes `role` the session user. Returns false when the role does not exist. @throws {BackendDied} when the role cannot be
   * taken
   */
  assume(role: string): boolean {
    if (this.identity.isAlready(role)) return true
    this.backend.exchange(OPEN_SCRIPT)
    const exists = this.identity.oidOf(role) !== 0
    const became = exists && this.identity.become(role)
    this.backend.exchange(SYNC)
    if (!exists || became) return exists
    // The change of role can fail because of state that another holder left in the session. In a clean session it cannot fail, so
    // a second failure is an error.
    this.clean()
    this.backend.exchange(OPEN_SCRIPT)
    const obeys = this.identity.become(role)
    this.backend.exchange(SYNC)
    if (!obeys) throw new BackendDied(`the session cannot become ${role}`)
    return true
  }

  /** Runs `inside` in its own transaction, between two pieces of work. */
  between(inside: () => void): void {
    this.backend.exchange(OPEN_SCRIPT)
    inside()
    this.backend.exchange(SYNC)
  }

  /** Sends a tenant's statements, which may be cancelled. Statements of the clean-up must not be cancelled. */
  exchangeCancellable(messages: Uint8Array, streaming?: Streaming): Uint8Array {
    this.#parts.onCancellable?.(true)
    try {
      return streaming === undefined
        ? this.backend.exchange(messages)
        : this.backend.stream(messages, streaming)
    } finally {
      this.#parts.onCancellable?.(false)
    }
  }

  /** Works as `exchangeCancellable`, with the session's own timeouts in force. */
  exchangeTimed(messages: Uint8Array, streaming?: Streaming): Uint8Array {
    const exchange = () => this.exchangeCancellable(messages, streaming)
    return this.watch === undefined ? exchange() : this.watch.during(exchange)
  }

  /** Commits a transaction that was opened with `block`. */
  commitBlock(): Uint8Array {
    return this.exchangeCancellable(COMMIT)
  }

  /** Rolls back the open transaction. */
  abandon(): void {
    this.backend.exchange(SYNC)
    this.settle()
  }

  /** Lends the session to a tenant. Cleans the session when another tenant had it, or when a request changed it. */
  lendTo(schemaName: string): void {
    if (this.#holder === schemaName && !this.isTouched) return
    this.#takeBack()
    this.clean()
    this.#holder = schemaName
  }

  /** Lends the session to `holder`. Returns false when `holder` had it already and nothing has to be restored. */
  lendToHolder(holder: SessionHolder): boolean {
    if (this.#holder === holder) return false
    this.#takeBack()
    this.clean()
    this.#holder = holder
    return true
  }

  /** Takes the session back from `holder` if `holder` still has it. */
  evict(holder: SessionHolder): void {
    if (this.#holder === holder) this.#takeBack()
  }

  #takeBack(): void {
    const holder = this.#holder
    this.#holder = undefined
    if (typeof holder === 'object') holder.leave()
  }

  /** Whether statements ran that may have changed the session. */
  get isTouched(): boolean {
    return this.fence.touchedSession || (this.guard?.touchedSession ?? true)
  }

  /**
   * Lends a clean session to the platform. A tenant's temporary tables or search path must not change what the platform's names
   * refer to.
   */
  lendToPlatform(): void {
    this.#takeBack()
    this.clean()
    this.#holder = PLATFORM_WORK
  }

  /** Discards settings, temporary objects, cursors, listeners, sequence values and prepared statements. */
  clean(): void {
    const error = firstError(this.backend.exchange(DISCARD))
    if (error !== undefined)
      throw new BackendDied(`the session cannot be cleaned: ${error.message}`)
    this.prepared.forgetNames()
    this.#opener = undefined
    this.fence.touchedSession = false
    if (this.guard === undefined) return
    this.guard.touchedSession = false
    this.guard.heldCursors.clear()
    this.guard.customSettings.clear()
  }

  /** Runs tenant SQL in `work`, with fence and guard active. */
  within<Result>(frame: WorkFrame, work: () => Result): Result {
    const { actor, mode, isLogin = false } = frame
    const { schemaName, role } = actor
    const owner = role === `${schemaName}_owner` ? role : undefined
    this.fence.side = schemaName
    this.guard?.begin({ isReadOnly: mode === 'readOnly', isLogin, owner })
    try {
      return work()
    } finally {
      this.fence.side = undefined
      this.guard?.end()
    }
  }

  /** Rolls back a transaction that the work left open. @throws {BackendDied} when it cannot be ended */
  settle(): void {
    if (!this.backend.isInTransaction()) return
    this.backend.exchange(ROLLBACK)
    if (this.backend.isInTransaction()) throw new BackendDied('a transaction cannot be ended')
  }
}
