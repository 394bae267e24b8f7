// A session of the Postgres port on the main thread. Sends the client's turns through the engine's queue, filters the answers
// and reports what the client committed.
import { EmulatorError } from '../../../core/errors.ts'
import type { SchemaName } from '../../../core/names.ts'
import type {
  PostgresSession,
  SessionEvents,
  TurnEnd,
  Write,
} from '../../../core/postgres-session.ts'
import { type EpochMillis, toIso } from '../../../core/time.ts'
import { type ClientLogin, cellText, SqlError } from '../../engine.ts'
import type { EmbeddedChanges } from '../embedded-changes.ts'
import type { EngineQueue } from '../queue/engine-queue.ts'
import type { JobOutcome } from '../queue/queued-job.ts'
import type { LeaseExpiry } from '../queue/session-lease.ts'
import { ownBytes } from '../worker-protocol.ts'
import { SessionDeadlines } from './session-deadlines.ts'
import { TurnOutput } from './turn-output.ts'

/** The limit of one turn in wall-clock milliseconds, including the wait for COPY data. */
const TURN_MILLIS = 120_000

/** Logs a client in. @throws {SqlError} when role or settings are refused */
export async function connectClient(
  queue: EngineQueue,
  client: number,
  login: ClientLogin,
  changes: EmbeddedChanges,
): Promise<PostgresSession> {
  const { role, schemaName, settings } = login
  const { reply } = await queue.submit({
    request: { kind: 'connect', client, schemaName, role, settings },
  })
  if (reply.error !== undefined) throw reply.error
  const parameters = new Map(
    (reply.results[0]?.rows ?? []).map(([name, value]) => [
      cellText(name) ?? '',
      cellText(value) ?? '',
    ]),
  )
  return new ClientSession(queue, client, { login, changes }, parameters)
}

class ClientSession implements PostgresSession {
  readonly parameters: ReadonlyMap<string, string>
  readonly #queue: EngineQueue
  readonly #client: number
  readonly #schemaName: SchemaName
  readonly #changes: EmbeddedChanges
  readonly #events: SessionEvents
  readonly #output: TurnOutput
  readonly #deadlines: SessionDeadlines
  #running: AbortController | undefined
  #isToldToWait = false
  /** COPY data that the turn has not requested yet. The session calls `taken` once the turn requests the data. */
  #input: { readonly messages: Uint8Array; readonly taken: () => void }[] = []
  #wantsInput = false
  #closing: Promise<void> | undefined

  constructor(
    queue: EngineQueue,
    client: number,
    { login, changes }: { readonly login: ClientLogin; readonly changes: EmbeddedChanges },
    parameters: ReadonlyMap<string, string>,
  ) {
    this.#queue = queue
    this.#client = client
    this.#schemaName = login.schemaName
    this.#changes = changes
    this.#events = login.events
    this.parameters = parameters
    this.#output = new TurnOutput(parameters)
    this.#deadlines = new SessionDeadlines(queue.wallClock, (error) => this.#expire(error))
    queue.clients++
  }

  async run(messages: Uint8Array, write: Write): Promise<TurnEnd> {
    if (this.#closing !== undefined) throw new SqlError('57P01', 'the session is closed')
    const running = new AbortController()
    this.#running = running
    this.#isToldToWait = false
    this.#deadlines.onTurn()
    this.#output.begin(write)
    try {
      const outcome = await this.#queue.submit({
        request: { kind: 'turn', client: this.#client, messages: ownBytes(messages) },
        timeoutMillis: TURN_MILLIS,
        signal: running.signal,
        turn: {
          onPartial: (bytes, wantsInput) => this.#onPartial(bytes, wantsInput),
          onCancelled: (reason) => this.#output.onCancelled(reason),
          onTransactionBegun: (millis) => this.#deadlines.onTransactionBegun(millis),
          onExpired: (why, since) => this.#expire(expired(why, since)),
          onWaits: (since) => this.#onWaits(since),
        },
      })
      return await this.#end(outcome)
    } catch (error) {
      this.#changes.failed(this.#schemaName, error)
      throw error
    } finally {
      this.#running = undefined
      this.#wantsInput = false
      for (const { taken } of this.#input.splice(0)) taken()
    }
  }

  feed(messages: Uint8Array): Promise<void> {
    if (this.#running === undefined) return Promise.resolve()
    return new Promise((taken) => {
      this.#input.push({ messages, taken })
      this.#passInput()
    })
  }

  cancel(): void {
    this.#running?.abort()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.cancel()
    this.#deadlines.end()
    this.#queue.clients--
    try {
      await this.#queue.submit({ request: { kind: 'disconnect', client: this.#client } })
    } catch (error) {
      // The engine ended, and this session ended with it.
      if (!(error instanceof EmulatorError)) throw error
    }
  }

  #onPartial(bytes: Uint8Array, wantsInput: boolean): void {
    this.#output.push(bytes)
    const reading = this.#output.flush()
    this.#wantsInput = wantsInput
    this.#passInput()
    if (!this.#wantsInput) return
    // When the worker sent bytes, it waits until the client has read them. If it needs input, it requests input again afterwards.
    if (bytes.length === 0) this.#events.onStarved()
    else if (reading === undefined) this.#goOn()
    else void reading.then(() => this.#goOn())
  }

  #goOn(): void {
    if (!this.#wantsInput) return
    this.#wantsInput = false
    this.#queue.feed(this.#client, NOTHING)
  }

  #passInput(): void {
    const input = this.#wantsInput ? this.#input.shift() : undefined
    if (input === undefined) return
    this.#wantsInput = false
    this.#queue.feed(this.#client, ownBytes(input.messages))
    input.taken()
  }

  // Subscribers get the changes of a turn before the client gets the end of the answer.
  async #end({
    bytes,
    changes,
    keepsBackend,
    idleInTransactionMillis,
  }: JobOutcome): Promise<TurnEnd> {
    this.#output.push(bytes)
    const end = this.#output.end()
    this.#deadlines.onTurnEnd(end.state, idleInTransactionMillis)
    if (!keepsBackend) {
      const isSchemaChanged = this.#output.takeSchemaChange()
      await this.#changes.committed({ schemaName: this.#schemaName, changes, isSchemaChanged })
    }
    void this.#output.flush()
    return end
  }

  #onWaits(since: EpochMillis): void {
    if (this.#isToldToWait) return
    this.#isToldToWait = true
    this.#events.onWaits(`another session has an open transaction since ${toIso(since)}`)
  }

  #expire(error: SqlError): void {
    this.#deadlines.end()
    this.cancel()
    this.#events.onExpired(error)
  }
}

const NOTHING = new Uint8Array(0)

const EXPIRED: Readonly<Record<LeaseExpiry, readonly [code: string, limit: string]>> = {
  idleInTransaction: ['25P03', 'idle-in-transaction'],
  transactionTooLong: ['25P04', 'transaction'],
}

function expired(why: LeaseExpiry, since: EpochMillis): SqlError {
  const [code, limit] = EXPIRED[why]
  return new SqlError(code, `terminating connection due to ${limit} timeout`, {
    hint: `The transaction had been open since ${toIso(since)}, and other sessions waited for its end. All projects share one database engine, so use shorter transactions.`,
  })
}
