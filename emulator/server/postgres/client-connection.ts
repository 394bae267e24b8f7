// One client of the Postgres port: start, login, then turns in order. A turn is everything that the client sends before it
// waits for an answer (PostgreSQL documentation, "Message Flow").
import type { Socket } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import { EmulatorError } from '../../core/errors.ts'
import type { IdSource } from '../../core/id-source.ts'
import type { Observer } from '../../core/observation.ts'
import type {
  PostgresLogin,
  PostgresLogins,
  PostgresSession,
  TurnEnd,
} from '../../core/postgres-session.ts'
import {
  AUTHENTICATED,
  backendKeyData,
  errorResponse,
  NO_ENCRYPTION,
  negotiateVersion,
  noticeResponse,
  parameterStatus,
  readyForQuery,
} from './backend-writer.ts'
import { type ClientMessage, FrontendReader, type StartPacket } from './frontend-reader.ts'
import { authenticate } from './login.ts'
import { PostgresRefusal } from './postgres-refusal.ts'
import { sessionSettings } from './session-settings.ts'
import { StatementBook } from './statement-book.ts'
import { observeLogin, observeTurn, type ReportDeps } from './turn-report.ts'

export interface ConnectionDeps {
  readonly logins: PostgresLogins
  readonly clock: Clock
  readonly wallClock: Clock
  readonly ids: IdSource
  readonly observe: Observer
  /** Called after a correct password. @throws {PostgresRefusal} 53300 when there are too many clients */
  admit(): void
  /** Cancels the work of another client. `secret` must be the secret key of that client. */
  cancel(processId: number, secret: number): void
}

type Startup = Extract<StartPacket, { readonly kind: 'startup' }>

interface Turn {
  readonly messages: Buffer
  /** True when the turn ends with Sync or a simple query. The client then waits for ReadyForQuery. */
  readonly isSynced: boolean
  readonly statements: string
  /** COPY data that arrived before the turn began. */
  readonly copied: Buffer[]
}

/** Wall-clock milliseconds within which a client must log in. */
const LOGIN_MILLIS = 30_000
/** Maximum number of bytes that the connection reads in advance. Further bytes stay in the socket. */
const READ_AHEAD_BYTES = 1 << 20
const READ_AHEAD_TURNS = 1_000
const COPY_KINDS = 'dcf'
const SYNCING_KINDS = 'QSF'
const FLUSH = 'H'

export class ClientConnection {
  readonly processId: number
  readonly secret: number
  /** Project of the client, set by the login. */
  schemaName: string | undefined
  readonly #socket: Socket
  readonly #deps: ConnectionDeps
  readonly #reader = new FrontendReader()
  readonly #book = new StatementBook()
  #session: PostgresSession | undefined
  #login: PostgresLogin | undefined
  /** Called when bytes arrive or the client leaves. */
  #onNews: () => void = () => {}
  #isGone = false
  #isLeaving = false
  #isRunning = false
  /** Whether the running turn waits for COPY data. */
  #isStarved = false
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #draining: Promise<void> | undefined
  #turns: Turn[] = []
  /** Bytes of the turns in `#turns`. */
  #turnBytes = 0
  #state: TurnEnd['state'] = 'idle'

  constructor(socket: Socket, processId: number, deps: ConnectionDeps) {
    this.#socket = socket
    this.processId = processId
    this.secret = Buffer.from(deps.ids.bytes(4)).readUInt32BE(0)
    this.#deps = deps
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#onData(chunk))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#onClosed())
  }

  /** Serves the client until it leaves. Never rejects. */
  async serve(): Promise<void> {
    try {
      await this.#logIn()
      while (this.#session !== undefined && !this.#isGone) {
        const turn = this.#turns.shift()
        if (turn !== undefined) await this.#run(this.#session, turn)
        else if (this.#isLeaving) break
        else await this.#news()
      }
    } catch (error) {
      this.#refuse(error)
    } finally {
      this.#socket.end()
      await this.#session?.close()
      this.#socket.destroySoon()
    }
  }

  cancel(): void {
    this.#session?.cancel()
  }

  /** Sends the error and closes the connection. */
  end(error: EmulatorError): void {
    this.#send(errorResponse('FATAL', error))
    this.#isGone = true
    this.#socket.end()
    this.#session?.cancel()
    this.#onNews()
  }

  async #logIn(): Promise<void> {
    const stopWaiting = this.#deps.wallClock.after(LOGIN_MILLIS, () => this.#socket.destroy())
    const deps = this.#reportDeps()
    let user = ''
    try {
      const startup = await this.#startup()
      if (startup === undefined) return
      user = startup.parameters.get('user') ?? ''
      await this.#open(startup, user)
      observeLogin(deps, user, this.#login, undefined)
    } catch (error) {
      observeLogin(deps, user, this.#login, error)
      throw error
    } finally {
      stopWaiting()
    }
  }

  // A client may ask for each kind of encryption; the port refuses all of them. A cancel request uses its own connection.
  async #startup(): Promise<Startup | undefined> {
    for (let asked = 0; asked < 3; asked++) {
      const packet = await this.#until(() => this.#reader.startPacket())
      if (packet === undefined) return undefined
      if (packet.kind === 'startup') return packet
      if (packet.kind === 'cancel') {
        this.#deps.cancel(packet.processId, packet.secret)
        return undefined
      }
      this.#send(NO_ENCRYPTION)
    }
    throw new PostgresRefusal('08P01', 'a startup packet was expected')
  }

  async #open({ minorVersion, parameters }: Startup, user: string): Promise<void> {
    const options = [...parameters.keys()].filter((name) => name.startsWith('_pq_.'))
    if (minorVersion > 0 || options.length > 0) this.#send(negotiateVersion(options))
    if (user === '')
      throw new PostgresRefusal('28000', 'no PostgreSQL user name specified in startup packet')
    const settings = sessionSettings(parameters)
    const login = await authenticate(user, this.#deps, {
      send: (bytes) => this.#send(bytes),
      next: () => this.#until(() => this.#reader.message(false)),
    })
    if (login === undefined) return
    this.#deps.admit()
    this.#login = login
    this.schemaName = login.schemaName
    this.#session = await login.open(settings, {
      onExpired: (error) => this.end(error),
      onStarved: () => {
        this.#isStarved = true
        this.#requireCopyData()
      },
      onWaits: (notice) => this.#send(noticeResponse(notice)),
    })
    this.#send(AUTHENTICATED)
    for (const [name, value] of this.#session.parameters) this.#send(parameterStatus(name, value))
    this.#send(backendKeyData(this.processId, this.secret))
    this.#send(readyForQuery('I'))
    this.#gather()
  }

  async #run(session: PostgresSession, turn: Turn): Promise<void> {
    const deps = this.#reportDeps()
    this.#isRunning = true
    this.#turnBytes -= bytesOf(turn)
    try {
      const running = session.run(turn.messages, (bytes) => this.#sendAnswer(bytes))
      if (turn.copied.length > 0) this.#feed(Buffer.concat(turn.copied))
      const end = await running
      this.#state = end.state
      observeTurn(deps, this.#login, turn.statements, end)
    } catch (error) {
      if (!(error instanceof EmulatorError)) throw error
      const { code, message } = error
      observeTurn(deps, this.#login, turn.statements, { error: { code, message } })
      if (!NOT_BEGUN.has(code)) throw error
      this.#send(errorResponse('ERROR', error))
      if (turn.isSynced) this.#send(readyForQuery('I'))
    } finally {
      this.#isRunning = false
      this.#isStarved = false
    }
    this.#socket.resume()
    this.#gather()
    if (this.#socket.writableNeedDrain && !this.#isGone) await this.#drained()
  }

  #reportDeps(): ReportDeps {
    const { clock, wallClock, ids, observe } = this.#deps
    return { wallClock, ids, observe, at: clock.now(), started: wallClock.now() }
  }

  #onData(chunk: Buffer): void {
    this.#reader.push(chunk)
    if (this.#session !== undefined) this.#gather()
    this.#onNews()
  }

  // Divides messages into turns. COPY data belongs to the turn before it.
  #gather(): void {
    try {
      const copied: Buffer[] = []
      while (!this.#isFull && !this.#isLeaving) {
        const message = this.#reader.message(true)
        if (message === undefined) break
        if (COPY_KINDS.includes(message.kind)) this.#addCopied(message.bytes, copied)
        else this.#add(message)
      }
      if (copied.length > 0) this.#feed(Buffer.concat(copied))
      else if (this.#isStarved) this.#requireCopyData()
      if (this.#isFull) this.#socket.pause()
    } catch (error) {
      this.end(refusalOf(error))
    }
  }

  get #isFull(): boolean {
    return this.#turnBytes >= READ_AHEAD_BYTES || this.#turns.length >= READ_AHEAD_TURNS
  }

  /** @param forRunning receives the COPY data of the running turn */
  #addCopied(bytes: Buffer, forRunning: Buffer[]): void {
    if (this.#gathered.length > 0) this.#endTurn(false)
    const last = this.#turns.at(-1)
    if (last === undefined) {
      forRunning.push(bytes)
      return
    }
    last.copied.push(bytes)
    this.#turnBytes += bytes.length
  }

  // Data that no statement reads is ignored, as in Postgres.
  #feed(messages: Buffer): void {
    if (!this.#isRunning || this.#session === undefined) return
    this.#isStarved = false
    this.#socket.pause()
    void this.#session.feed(messages).then(() => {
      this.#socket.resume()
      this.#gather()
    })
  }

  // Ends the connection when the client sends another message instead of COPY data. Without this check the COPY would wait
  // until its time limit. Sync and Flush have no effect here (PostgreSQL documentation, "COPY Operations").
  #requireCopyData(): void {
    const copied = this.#takeDataAfterSync()
    const leave = this.#isLeaving ? LEAVE : undefined
    const next = this.#turns[0]?.messages ?? this.#gathered[0] ?? leave
    if (copied.length > 0) this.#feed(Buffer.concat(copied))
    else if (next !== undefined) {
      const type = next.toString('hex', 0, 1)
      const message = `unexpected message type 0x${type} during COPY from stdin`
      this.end(new PostgresRefusal('08P01', message))
    }
  }

  #takeDataAfterSync(): readonly Buffer[] {
    for (;;) {
      const [turn] = this.#turns
      if (turn === undefined || !isSyncOrFlush(turn.messages)) return []
      this.#turns.shift()
      this.#turnBytes -= bytesOf(turn)
      if (turn.copied.length > 0) return turn.copied
    }
  }

  #add(message: ClientMessage): void {
    if (message.kind === 'X') {
      this.#isLeaving = true
      return
    }
    this.#book.note(message)
    this.#gathered.push(message.bytes)
    this.#gatheredBytes += message.bytes.length
    const isSynced = SYNCING_KINDS.includes(message.kind)
    if (!isSynced && message.kind !== FLUSH && this.#gatheredBytes < READ_AHEAD_BYTES) return
    this.#endTurn(isSynced)
  }

  #endTurn(isSynced: boolean): void {
    const messages = Buffer.concat(this.#gathered)
    this.#turns.push({ messages, isSynced, statements: this.#book.take(), copied: [] })
    this.#turnBytes += messages.length
    this.#gathered = []
    this.#gatheredBytes = 0
  }

  async #until<Found>(read: () => Found | undefined): Promise<Found | undefined> {
    for (;;) {
      const found = read()
      if (found !== undefined || this.#isGone) return found
      await this.#news()
    }
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#onNews = resolve
    })
  }

  // Resolves when the socket is drained or the client has left.
  #drained(): Promise<void> {
    this.#draining ??= new Promise((resolve) => {
      const settle = () => {
        this.#socket.off('drain', settle).off('close', settle)
        this.#draining = undefined
        resolve()
      }
      this.#socket.on('drain', settle).on('close', settle)
    })
    return this.#draining
  }

  // Cancels the statement of a client that left, because the statement would only delay other clients.
  #onClosed(): void {
    this.#isGone = true
    if (!this.#isLeaving || this.#state !== 'idle') this.#session?.cancel()
    this.#onNews()
  }

  #refuse(error: unknown): void {
    const refusal = refusalOf(error)
    if (!(error instanceof EmulatorError)) {
      const requestId = this.#deps.ids.id('req_')
      this.#deps.observe({ kind: 'internalFailure', requestId, error })
    }
    this.#send(errorResponse('FATAL', refusal))
  }

  #send(bytes: Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(bytes)
  }

  #sendAnswer(bytes: Uint8Array): Promise<void> | undefined {
    this.#send(bytes)
    return this.#socket.writableNeedDrain && !this.#isGone ? this.#drained() : undefined
  }
}

// Errors of work that was cancelled while it waited (57014) or not started in time (53300). These errors leave the session
// unchanged.
const NOT_BEGUN = new Set(['57014', '53300'])
const LEAVE = Buffer.from('X')
const BARE_MESSAGE_BYTES = 5

function isSyncOrFlush(messages: Buffer): boolean {
  return messages.length === BARE_MESSAGE_BYTES && 'SH'.includes(messages.toString('latin1', 0, 1))
}

function bytesOf({ messages, copied }: Turn): number {
  return copied.reduce((sum, { length }) => sum + length, messages.length)
}

function refusalOf(error: unknown): EmulatorError {
  if (error instanceof EmulatorError) return error
  return new PostgresRefusal('XX000', 'internal error of the emulator')
}
