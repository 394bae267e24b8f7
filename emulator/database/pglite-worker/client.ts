// One client of the Postgres port inside the worker: the session is its own while it works, and what it left there comes
// back when others had it in between (reference: role-confinement, "login").
import { firstError, parseBackendMessages } from '../backend-messages.ts'
import { cellText } from '../engine.ts'
import { FrontendMessages } from '../frontend-messages.ts'
import {
  closedStatement,
  cutFrontendMessages,
  type FrontendMessage,
  neededStatement,
  parsedStatement,
} from '../frontend-scan.ts'
import { MessageCutter } from '../message-cutter.ts'
import { literal } from '../sql.ts'
import type { Streaming } from './backend.ts'
import { takeChangesOfClient } from './captured-changes.ts'
import { type KeptSession, keepSession, NOTHING_KEPT, restoreSession } from './kept-session.ts'
import { END, type Lodger, type Session } from './session.ts'
import { setSessionDefault } from './settings.ts'
import { type Outcome, WorkRefused } from './tenant-work.ts'
import type { ConnectRequest } from './worker-protocol.ts'

const SYNC = new FrontendMessages().sync().bytes()
const READ_PARAMETERS = new FrontendMessages()
  .statement(
    `select name, setting from pg_catalog.pg_settings where name operator(pg_catalog.=) any (array[
       'application_name', 'client_encoding', 'DateStyle', 'default_transaction_read_only', 'in_hot_standby',
       'integer_datetimes', 'IntervalStyle', 'is_superuser', 'scram_iterations', 'search_path', 'server_encoding',
       'server_version', 'session_authorization', 'standard_conforming_strings', 'TimeZone'])`,
  )
  .append(END)
  .bytes()
const TEMPORARY_GONE =
  'the temporary tables of this session are gone: others worked in the database since the last statement; use them inside one transaction'

interface Default {
  readonly name: string
  readonly value: string
  /** What the setting is for everybody else. */
  readonly boot: string
}

export class Client implements Lodger {
  readonly #session: Session
  readonly #request: ConnectRequest
  #defaults: readonly Default[] = []
  #kept: KeptSession = NOTHING_KEPT
  #isHeld = false
  /** Parse messages by the statement's name. */
  readonly #statements = new Map<string, Uint8Array>()
  /** Names that the backend knows at this moment. */
  readonly #present = new Set<string>()

  private constructor(session: Session, request: ConnectRequest) {
    this.#session = session
    this.#request = request
  }

  /** Logs in and gives what the client is told of the server, as backend messages. @throws {WorkRefused} */
  static connect(
    session: Session,
    request: ConnectRequest,
  ): { readonly client: Client; readonly parameters: Uint8Array } {
    const client = new Client(session, request)
    session.lendToLodger(client)
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
    session.evict(client)
    throw new WorkRefused(
      '22023',
      `invalid value for parameter "${refused.name}": "${refused.value}"`,
    )
  }

  /** Runs the client's messages. @throws {BackendDied} */
  run(messages: Uint8Array, streaming: Streaming): Outcome {
    const session = this.#session
    const restored = this.#isHeld ? NOTHING : this.#enter()
    const cut = cutFrontendMessages(messages)
    const prepended = this.#prepare(cut)
    const reply = new Reply(streaming)
    reply.pass(restored)
    reply.pass(prepended)
    const last = session.within(this.#frame, () => session.exchangeTimed(messages, reply.streaming))
    reply.look(last)
    this.#learn(cut, reply)
    this.#isHeld = !reply.isIdle
    const bytes = reply.unsent.length === 0 ? last : Buffer.concat([...reply.unsent, last])
    return this.#isHeld
      ? { bytes, committed: false, isHeld: true }
      : { bytes, committed: true, changes: takeChangesOfClient(session) }
  }

  leave(): void {
    const session = this.#session
    this.#becomeOwner()
    session.within(this.#frame, () => {
      if (session.isTouched || this.#kept !== NOTHING_KEPT) this.#kept = keepSession(session)
    })
    session.between(() => {
      for (const { name, boot } of this.#defaults) setSessionDefault(session.backend, name, boot)
    })
    this.#present.clear()
  }

  /** Rolls back what is open; nothing comes back any more. */
  disconnect(): void {
    if (this.#isHeld) this.#session.abandon()
    this.#isHeld = false
    this.#session.evict(this)
  }

  get #frame() {
    const { schemaName, role } = this.#request
    return { schemaName, role, readOnly: false, isLogin: true }
  }

  #becomeOwner(): void {
    if (!this.#session.assume(this.#request.role))
      throw new WorkRefused('28000', `role "${this.#request.role}" does not exist`)
  }

  // Gives what the client has to be told before the answer.
  #enter(): Uint8Array {
    const session = this.#session
    const isBack = session.lendToLodger(this)
    this.#becomeOwner()
    if (!isBack) return NOTHING
    session.between(() => {
      for (const { name, value } of this.#defaults) setSessionDefault(session.backend, name, value)
    })
    const kept = this.#kept
    if (kept === NOTHING_KEPT) return NOTHING
    session.within(this.#frame, () => restoreSession(session, kept))
    return kept.hadTemporary ? warning(TEMPORARY_GONE) : NOTHING
  }

  // Statements that were lost with the session are parsed again; gives the error if one cannot be.
  #prepare(messages: readonly FrontendMessage[]): Uint8Array {
    const lost = this.#lostStatements(messages)
    if (lost.length === 0) return NOTHING
    const session = this.#session
    // In a pipeline a Sync of ours would end the client's transaction.
    const text = Buffer.concat(this.#isHeld ? lost : [...lost, SYNC])
    const reply = session.within(this.#frame, () => session.backend.exchange(text))
    return this.#isHeld && firstError(reply) !== undefined ? reply : NOTHING
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

  // Parses are answered in order, up to the first that fails.
  #learn(messages: readonly FrontendMessage[], reply: Reply): void {
    let parsedBefore = reply.parsed
    for (const message of messages) {
      const closed = reply.hasFailed ? undefined : closedStatement(message)
      if (closed !== undefined) this.#statements.delete(closed)
      const parsed = parsedStatement(message)
      if (parsed === undefined || parsedBefore-- <= 0) continue
      this.#statements.set(parsed, message.bytes.slice())
      this.#present.add(parsed)
    }
    // A simple query, like what we do between turns, takes the unnamed statement's place.
    if (reply.isIdle || messages.some(({ kind }) => kind === 'Q')) this.#present.delete(UNNAMED)
  }

  #findDefaults(): readonly Default[] {
    const { settings } = this.#request
    const names = settings.map(([name]) => literal(name.toLowerCase()).text)
    const query = `select pg_catalog.lower(name), reset_val, context from pg_catalog.pg_settings
      where pg_catalog.lower(name) operator(pg_catalog.=) any (array[${names.join(', ')}]::pg_catalog.text[])`
    const messages = new FrontendMessages().statement(query).append(END).bytes()
    const reply = parseBackendMessages(this.#session.backend.exchange(messages))
    const rows = (reply.results[0]?.rows ?? []).map((row) => row.map((cell) => cellText(cell)))
    return settings.map(([name, value]) => {
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
const PARSE_COMPLETE = '1'.charCodeAt(0)
const READY = 'Z'.charCodeAt(0)
const FAILURE = 'E'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)
const HEADER_BYTES = 5
/** So much of an answer goes out before the client must have read it. */
const UNREAD_BYTES = 4 << 20

// Watches what a turn answers on its way.
class Reply {
  parsed = 0
  hasFailed = false
  isIdle = false
  /** What is to be said before the first of the answer. */
  unsent: Uint8Array[] = []
  readonly streaming: Streaming
  readonly #cutter: MessageCutter
  #unreadBytes = 0
  /** COPY data that came before it was asked for. */
  #early: Uint8Array[] = []

  constructor(streaming: Streaming) {
    this.#cutter = new MessageCutter('1ZE', {
      onMessage: (kind, message) => this.#note(kind, message),
    })
    this.streaming = {
      nextInput: (output) => this.#nextInput(streaming, this.#takeAll(output)),
      onOutput: (output) => this.#onOutput(streaming, this.#takeAll(output)),
    }
  }

  // Nothing means that what was asked with has been read.
  #nextInput(streaming: Streaming, output: Uint8Array): Uint8Array {
    let input = this.#early.shift()
    if (input !== undefined) streaming.onOutput(output)
    else input = streaming.nextInput(output)
    while (input.length === 0) input = streaming.nextInput(NOTHING)
    return input
  }

  // The other thread would have to keep all that a client does not read.
  #onOutput(streaming: Streaming, output: Uint8Array): void {
    this.#unreadBytes += output.length
    if (this.#unreadBytes < UNREAD_BYTES) {
      streaming.onOutput(output)
      return
    }
    this.#unreadBytes = 0
    const early = streaming.nextInput(output)
    if (early.length > 0) this.#early.push(early)
  }

  pass(bytes: Uint8Array): void {
    if (bytes.length > 0) this.unsent.push(bytes)
  }

  look(bytes: Uint8Array): void {
    this.#cutter.push(bytes)
  }

  #takeAll(output: Uint8Array): Uint8Array {
    this.look(output)
    if (this.unsent.length === 0) return output
    const all = Buffer.concat([...this.unsent, output])
    this.unsent = []
    return all
  }

  #note(kind: number, message: Uint8Array): void {
    if (kind === PARSE_COMPLETE) this.parsed++
    else if (kind === FAILURE) this.hasFailed = true
    this.isIdle = kind === READY && message[HEADER_BYTES] === IDLE
  }
}

function warning(message: string): Uint8Array {
  const body = Buffer.from(`SWARNING\0VWARNING\0C01000\0M${message}\0\0`)
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('N')
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}
