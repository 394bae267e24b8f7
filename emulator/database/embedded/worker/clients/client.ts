// A client of the Postgres port inside the worker. The client holds the one session while it works. When other work used the
// session in between, the client's settings, prepared statements, sequence values, held cursors and open transaction are restored.

import { cellText } from '../../../engine.ts'
import { literal } from '../../../sql.ts'
import { firstError, parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import {
  boundPortal,
  closedStatement,
  cutFrontendMessages,
  type FrontendMessage,
  neededStatement,
  parsedStatement,
} from '../../../wire-protocol/frontend-scan.ts'
import type { LockSession } from '../../advisory-locks/lock-session.ts'
import type { ConnectRequest, LockWait, TurnRequest } from '../../worker-protocol.ts'
import type { Streaming } from '../backend/backend.ts'
import { platformTime, setPlatformTime } from '../boot/clock-patch.ts'
import { NO_SEQUENCE_VALUES, type SequenceValues } from '../session/sequence-cache.ts'
import { type Session, type SessionHolder, singleStatement } from '../session/session.ts'
import { setSessionDefault } from '../session/settings.ts'
import { takeChangesOfClient } from '../work/captured-changes.ts'
import { type Outcome, WorkRefused } from '../work/tenant-work.ts'
import { ClientReply } from './client-reply.ts'
import { type HeldCursor, restoreCursors, saveCursors } from './held-cursors.ts'
import { OpenTransaction } from './open-transaction.ts'
import { NOTHING_SAVED, restoreSession, type SavedSession, saveSession } from './saved-session.ts'

const SYNC = new FrontendMessages().sync().bytes()
const READ_PARAMETERS =
  singleStatement(`select name, setting from pg_catalog.pg_settings where name operator(pg_catalog.=) any (array[
       'application_name', 'client_encoding', 'DateStyle', 'default_transaction_read_only', 'in_hot_standby',
       'integer_datetimes', 'IntervalStyle', 'is_superuser', 'scram_iterations', 'search_path', 'server_encoding',
       'server_version', 'session_authorization', 'standard_conforming_strings', 'TimeZone'])`)
const READ_TEMPORARY = singleStatement(`select from pg_catalog.pg_depend
     where refclassid operator(pg_catalog.=) 'pg_catalog.pg_namespace'::pg_catalog.regclass
       and refobjid operator(pg_catalog.=) pg_catalog.pg_my_temp_schema() limit 1`)
const DISCARD_TEMPORARY = new FrontendMessages().query('discard temp').bytes()
const TEMPORARY_GONE =
  'the temporary objects of this transaction were dropped at its end: other sessions share the database engine'

interface Default {
  readonly name: string
  readonly value: string
  /** The setting's value for all work except this client's work. */
  readonly boot: string
}

export class Client implements SessionHolder {
  readonly #session: Session
  readonly #request: ConnectRequest
  #defaults: readonly Default[] = []
  #saved: SavedSession = NOTHING_SAVED
  #cursors: readonly HeldCursor[] = []
  #isGone = false
  readonly #locks: LockSession
  /** True while the client's transaction or pipeline is open in the backend. */
  #isOpen = false
  /** The client's sequence values while other work uses the session. */
  #sequences: SequenceValues = NO_SEQUENCE_VALUES
  #transaction: OpenTransaction | undefined
  /** True when the client's transaction was rolled back for other work and must be replayed. */
  #isSuspended = false
  /** True when the client ran statements since it was last idle that may have created temporary objects. */
  #mayHaveTemporary = false
  /** The client's Parse messages by the name of the prepared statement. */
  readonly #statements = new Map<string, Uint8Array>()
  /** Names of the client's statements that are prepared in the backend at this moment. */
  readonly #present = new Set<string>()

  private constructor(session: Session, request: ConnectRequest) {
    this.#session = session
    this.#request = request
    this.#locks = session.locking.open(request.schemaName)
  }

  /** Logs in. Returns the server's parameters as backend messages. @throws {WorkRefused} */
  static connect(
    session: Session,
    request: ConnectRequest,
  ): { readonly client: Client; readonly parameters: Uint8Array } {
    const client = new Client(session, request)
    session.lendToHolder(client)
    client.#becomeOwner()
    client.#defaults = client.#findDefaults()
    let refused: Default | undefined
    session.between(() => {
      refused = client.#defaults.find(
        ({ name, value }) => !setSessionDefault(session.backend, name, value),
      )
    })
    if (refused === undefined)
      return { client, parameters: session.backend.exchange(READ_PARAMETERS) }
    client.disconnect()
    throw new WorkRefused(
      '22023',
      `invalid value for parameter "${refused.name}": "${refused.value}"`,
    )
  }

  /** Runs the client's messages. @throws {BackendDied} */
  run({ messages, resumes }: TurnRequest, streaming: Streaming): Outcome {
    const session = this.#session
    if (resumes === undefined) this.#locks.finish()
    else this.#locks.again(resumes.end)
    if (!this.#isOpen) this.#enter()
    if (resumes !== undefined) session.watch?.onResumption()
    const cut = cutFrontendMessages(messages)
    const prepended = this.#prepare(cut)
    const reply = new ClientReply(streaming)
    reply.pass(prepended)
    const mayWait = () => !reply.hasSent && this.#transaction?.isRepeatable !== false
    const wasTouched = session.fence.touchedSession
    session.fence.touchedSession = false
    session.guard?.beginTurn()
    const last = session.locking.during(this.#locks, mayWait, () =>
      session.within(this.#frame, () => session.exchangeTimed(messages, reply.streaming)),
    )
    const waits = session.locking.waitOf(this.#locks)
    if (waits !== undefined) {
      session.fence.touchedSession ||= wasTouched
      return this.#park(waits)
    }
    this.#locks.finish()
    reply.read(last)
    this.#learn(cut, reply)
    this.#isOpen = !reply.isIdle
    this.#followTransaction(messages, cut, reply)
    session.fence.touchedSession ||= wasTouched
    const bytes = Buffer.concat([...reply.unsent, ...this.#endOf(last, reply)])
    if (!this.#isOpen) return { bytes, committed: true, changes: takeChangesOfClient(session) }
    return { bytes, committed: false, keepsBackend: !this.#mayBeSuspended(reply) }
  }

  leave(): void {
    const session = this.#session
    if (this.#isOpen) this.#suspend()
    this.#becomeOwner()
    session.within(this.#frame, () => {
      if (session.isTouched || this.#saved !== NOTHING_SAVED) this.#saved = saveSession(session)
    })
    session.between(() => {
      for (const { name, boot } of this.#defaults) setSessionDefault(session.backend, name, boot)
    })
    if (!this.#isGone) this.#cursors = session.within(this.#frame, () => saveCursors(session))
    this.#present.clear()
    this.#sequences = session.sequences?.take() ?? NO_SEQUENCE_VALUES
  }

  /** Rolls back an open transaction and releases everything. */
  disconnect(): void {
    if (this.#isOpen) this.#suspend()
    const session = this.#session
    this.#isGone = true
    session.evict(this)
    session.locking.close(this.#locks)
    if (this.#sequences === NO_SEQUENCE_VALUES) return
    // Puts the sequence values back before the session is cleaned, because only this cleaning frees them.
    session.sequences?.put(this.#sequences)
    session.clean()
  }

  // Drops temporary objects at the end of the transaction, with a warning, because other work would lose them.
  #endOf(last: Uint8Array, reply: ClientReply): readonly Uint8Array[] {
    const session = this.#session
    this.#mayHaveTemporary ||= session.guard?.ranOtherUtility !== false
    if (!this.#mayHaveTemporary || !reply.isIdle || last.length < READY_BYTES) return [last]
    this.#mayHaveTemporary = false
    const found = session.within(this.#frame, () => session.backend.exchange(READ_TEMPORARY))
    if ((parseBackendMessages(found).results[0]?.rows.length ?? 0) === 0) return [last]
    session.within(this.#frame, () => session.backend.exchange(DISCARD_TEMPORARY))
    const end = last.length - READY_BYTES
    return [last.subarray(0, end), warning(TEMPORARY_GONE), last.subarray(end)]
  }

  // Rolls back everything since the client's last answer. The statements run again when the lock is granted.
  #park(waits: LockWait): Outcome {
    this.#suspend()
    this.#isSuspended = this.#transaction !== undefined
    this.#session.evict(this)
    return { bytes: NOTHING, committed: false, waits }
  }

  // A transaction that only holds locks gives up the backend, because other sessions may need the backend to release their locks.
  #mayBeSuspended(reply: ClientReply): boolean {
    return (
      reply.isReady && this.#transaction?.isRepeatable === true && this.#locks.hasTransactionLocks
    )
  }

  #suspend(): void {
    this.#session.abandon()
    this.#isOpen = false
    this.#isSuspended = true
  }

  #followTransaction(
    messages: Uint8Array,
    cut: readonly FrontendMessage[],
    reply: ClientReply,
  ): void {
    if (!this.#isOpen) {
      this.#transaction = undefined
      return
    }
    const { guard, fence, locking, backend } = this.#session
    this.#transaction ??= new OpenTransaction(locking.transactionStart())
    const hasSnapshot =
      reply.hasRead && backend.readWord(backend.module._XactIsoLevel) > READ_COMMITTED
    this.#transaction.add({
      messages,
      isNeeded: guard?.ranUtility !== false || fence.touchedSession || !reply.isReady,
      hasChanges:
        guard?.ranOtherUtility !== false ||
        hasSnapshot ||
        locking.hasCommittedChanges ||
        locking.hasChanges() ||
        cut.some((message) => (boundPortal(message) ?? UNNAMED) !== UNNAMED),
    })
  }

  get #frame() {
    const { schemaName, role } = this.#request
    return { actor: { schemaName, role }, mode: 'readWrite', isLogin: true } as const
  }

  #becomeOwner(): void {
    if (!this.#session.assume(this.#request.role))
      throw new WorkRefused('28000', `role "${this.#request.role}" does not exist`)
  }

  #enter(): void {
    const session = this.#session
    const isBack = session.lendToHolder(this)
    this.#becomeOwner()
    if (!isBack) return
    session.sequences?.put(this.#sequences)
    const cursors = this.#cursors
    this.#cursors = []
    if (cursors.length > 0) session.within(this.#frame, () => restoreCursors(session, cursors))
    session.between(() => {
      for (const { name, value } of this.#defaults) setSessionDefault(session.backend, name, value)
    })
    const saved = this.#saved
    if (saved !== NOTHING_SAVED) session.within(this.#frame, () => restoreSession(session, saved))
    if (!this.#isSuspended || this.#transaction === undefined) return
    this.#reopen(this.#transaction)
    session.watch?.onResumption()
  }

  #reopen({ messages, startedAt }: OpenTransaction): void {
    const session = this.#session
    const now = platformTime()
    this.#isSuspended = false
    setPlatformTime({ kind: 'frozen', at: startedAt })
    try {
      session.locking.replay(this.#locks, () => {
        for (const turn of messages) {
          const cut = cutFrontendMessages(turn)
          this.#prepare(cut)
          session.within(this.#frame, () => session.backend.exchange(turn))
          this.#isOpen = session.backend.isInTransaction()
          for (const parsed of cut.map(parsedStatement))
            if (parsed !== undefined) this.#present.add(parsed)
        }
      })
    } finally {
      setPlatformTime(now)
    }
  }

  // Prepares the turn's statements again when they were lost while other work used the session. Returns the error when a
  // statement cannot be parsed.
  #prepare(messages: readonly FrontendMessage[]): Uint8Array {
    const lost = this.#lostStatements(messages)
    if (lost.length === 0) return NOTHING
    const session = this.#session
    // Sends no Sync inside the client's pipeline, because a Sync would end the client's transaction.
    const text = Buffer.concat(this.#isOpen ? lost : [...lost, SYNC])
    const reply = session.within(this.#frame, () => session.backend.exchange(text))
    return this.#isOpen && firstError(reply) !== undefined ? reply : NOTHING
  }

  #lostStatements(messages: readonly FrontendMessage[]): Uint8Array[] {
    const lost: Uint8Array[] = []
    const fresh = new Set<string>()
    for (const message of messages) {
      const parsed = parsedStatement(message)
      if (parsed !== undefined) fresh.add(parsed)
      const needed = neededStatement(message)
      if (needed === undefined || fresh.has(needed) || this.#present.has(needed)) continue
      const parse = this.#statements.get(needed)
      if (parse === undefined) continue
      lost.push(parse)
      this.#present.add(needed)
    }
    return lost
  }

  // Records the statements that the backend has parsed. Postgres answers Parse messages in order, up to the first failure.
  #learn(messages: readonly FrontendMessage[], reply: ClientReply): void {
    let parsedBefore = reply.parsed
    for (const message of messages) {
      const closed = reply.hasFailed ? undefined : closedStatement(message)
      if (closed !== undefined) this.#statements.delete(closed)
      const parsed = parsedStatement(message)
      if (parsed === undefined || parsedBefore-- <= 0) continue
      this.#statements.set(parsed, message.bytes.slice())
      this.#present.add(parsed)
    }
    // A simple query, and the worker's own work between turns, replace the unnamed statement.
    if (reply.isIdle || messages.some(({ kind }) => kind === 'Q')) this.#present.delete(UNNAMED)
  }

  #findDefaults(): readonly Default[] {
    const { settings } = this.#request
    const names = Object.keys(settings).map((name) => literal(name.toLowerCase()).text)
    const query = `select pg_catalog.lower(name), reset_val, context from pg_catalog.pg_settings
      where pg_catalog.lower(name) operator(pg_catalog.=) any (array[${names.join(', ')}]::pg_catalog.text[])`
    const messages = singleStatement(query)
    const reply = parseBackendMessages(this.#session.backend.exchange(messages))
    const rows = (reply.results[0]?.rows ?? []).map((row) => row.map((cell) => cellText(cell)))
    return Object.entries(settings).map(([name, value]) => {
      const [, boot = '', context] = rows.find(([found]) => found === name.toLowerCase()) ?? []
      if (context === undefined)
        throw new WorkRefused('42704', `unrecognized configuration parameter "${name}"`)
      if (context !== 'user')
        throw new WorkRefused('42501', `permission denied to set parameter "${name}"`)
      return { name, value, boot }
    })
  }
}

const UNNAMED = ''
const NOTHING = new Uint8Array(0)
const READ_COMMITTED = 1 // xact.h
const HEADER_BYTES = 5
const READY_BYTES = HEADER_BYTES + 1

function warning(message: string): Uint8Array {
  const body = Buffer.from(`SWARNING\0VWARNING\0C01000\0M${message}\0\0`)
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('N')
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}
