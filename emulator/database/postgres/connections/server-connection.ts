// One connection to a server. Several exchanges may be under way at once; the server answers them in their order.
import { SqlError } from '../../engine.ts'
import { firstError } from '../../wire-protocol/backend-messages.ts'
import type { BoundedOutput } from '../../wire-protocol/bounded-output.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import type { PreparedStatements } from '../../wire-protocol/prepared-statements.ts'
import type { ServerAddress } from '../server/running-server.ts'
import { type OpenedSocket, requestCancel } from './log-in.ts'

const TERMINATE = Uint8Array.of('X'.charCodeAt(0), 0, 0, 0, 4)
const NOTHING = new FrontendMessages().query('').bytes()
const DISCARD = new FrontendMessages().query('discard all').bytes()
// Functions can change settings for the whole session and take locks that outlast the transaction. DISCARD would also discard
// prepared statements.
const RESET = 'reset all'
const UNLOCK = 'select pg_catalog.pg_advisory_unlock_all()'
const RETRY_AFTER_SECONDS = 1

/**
 * Work whose connection ended. Whether its last statements were committed is unknown.
 * @param cause the server's last error, such as a full disk (53100)
 */
export function lostError(reason: string, cause?: SqlError): SqlError {
  return new SqlError('57P02', `the connection to the database was lost: ${reason}`, {
    hint: 'Committed data is intact; try again.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  })
}

export class ServerConnection {
  readonly processId: number
  readonly prepared: PreparedStatements
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>
  readonly #address: ServerAddress
  readonly #opened: OpenedSocket
  readonly #replies = new ReplyReader()
  readonly #failures = new Set<(error: SqlError) => void>()
  #lost: SqlError | undefined
  /** True when work ran that may have changed the session's settings or taken advisory locks. */
  #isUntidy = false
  #cancels: Promise<void>[] = []

  constructor(address: ServerAddress, opened: OpenedSocket, prepared: PreparedStatements) {
    const { processId, stream } = opened
    this.processId = processId
    this.prepared = prepared
    this.#address = address
    this.#opened = opened
    stream.on('data', (chunk: Uint8Array) => this.#onData(chunk))
    stream.on('error', (error: Error) => this.#lose(error.message))
    this.closed = new Promise((resolve) => {
      stream.on('close', () => {
        const error = firstError(this.#replies.unfinished)
        this.#lose(error?.message ?? 'the server closed it', error)
        resolve()
      })
    })
    if (stream.destroyed) this.#lose('the server closed it')
  }

  /** False when the connection has ended. */
  get isOpen(): boolean {
    return this.#lost === undefined
  }

  /** Why the connection has ended; `undefined` while it is open. */
  get lost(): SqlError | undefined {
    return this.#lost
  }

  /**
   * Sends messages that cause exactly one ReadyForQuery, and returns the reply.
   * @param output limits the reply
   * @throws {SqlError} 57P02 when the connection ends before the reply
   */
  exchange(messages: Uint8Array, output?: BoundedOutput): Promise<Uint8Array> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    this.#opened.stream.write(messages)
    return this.#awaitReply(output)
  }

  /**
   * Resets what earlier work left in the session, in a transaction of its own. Returns at once; later exchanges come after it.
   */
  tidy(): void {
    if (!this.#isUntidy || !this.isOpen) return
    this.#isUntidy = false
    const messages = new FrontendMessages()
    for (const text of [RESET, UNLOCK])
      messages.bind(this.prepared.keptName(messages, text), []).execute()
    this.exchange(messages.sync().bytes()).then(
      (bytes) => this.#onTidied(bytes),
      () => undefined,
    )
  }

  /**
   * Appends the reset of the session's settings when earlier work may have changed them. The caller's next statement must
   * release advisory locks when `isUntidy` is true. From now on, the session counts as untidy.
   */
  beginWork(messages: FrontendMessages): { readonly isUntidy: boolean } {
    const isUntidy = this.#isUntidy
    this.#isUntidy = true
    if (isUntidy) messages.bind(this.prepared.keptName(messages, RESET), []).execute()
    return { isUntidy }
  }

  /** Sends the messages of several exchanges in one write. */
  together<Result>(send: () => Result): Result {
    const { stream } = this.#opened
    stream.cork()
    try {
      return send()
    } finally {
      stream.uncork()
    }
  }

  /**
   * Sends a cancel request for the work that runs now. The caller must call `settleCancels` before other work uses the
   * connection.
   */
  cancel(): void {
    if (this.isOpen) this.#cancels.push(requestCancel(this.#address, this.#opened))
  }

  /** True when a cancel request was sent that may still hit later work. */
  get isCancelPending(): boolean {
    return this.#cancels.length > 0
  }

  /** Waits until no cancel request can hit later work, and cleans the session. @throws {SqlError} as `exchange` */
  async settleCancels(): Promise<void> {
    await Promise.all(this.#cancels)
    // A cancel signal that is still on its way hits this exchange, which does no work.
    await this.exchange(NOTHING)
    this.#cancels = []
    await this.clean()
  }

  /** Discards settings, temporary objects, cursors, locks and prepared statements. @throws {SqlError} as `exchange` */
  async clean(): Promise<void> {
    this.#isUntidy = false
    this.prepared.forgetNames()
    const error = firstError(await this.exchange(DISCARD))
    if (error === undefined) return
    this.destroy(error.message)
    throw lostError(error.message)
  }

  /** Ends the session. Resolves when the server has ended it, so that its database can be copied. */
  close(): Promise<void> {
    if (this.isOpen) this.#opened.stream.end(TERMINATE)
    this.#lose('it was closed')
    return this.closed
  }

  /** Breaks the connection off without waiting for the server. */
  destroy(reason: string): void {
    this.#lose(reason)
    this.#opened.stream.destroy()
  }

  #awaitReply(output: BoundedOutput | undefined): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#failures.add(reject)
      const onReply = (bytes: Uint8Array) => {
        this.#failures.delete(reject)
        resolve(bytes)
      }
      this.#replies.await({ output, onReply })
    })
  }

  // The reset fails when a function deallocated the prepared statements, or when a late cancel request hits the reset. In the
  // second case, `settleCancels` cleans the session anyway.
  #onTidied(bytes: Uint8Array): void {
    if (this.isCancelPending || firstError(bytes) === undefined) return
    this.clean().catch((error: unknown) => this.destroy(String(error)))
  }

  #onData(chunk: Uint8Array): void {
    const other = this.#replies.push(chunk)
    if (other === undefined) return
    // Outside replies, the server sends only notices and the error with which it ends the connection.
    const error = firstError(other)
    if (error !== undefined) this.#lose(error.message)
  }

  #lose(reason: string, cause?: SqlError): void {
    if (this.#lost !== undefined) return
    this.#lost = lostError(reason, cause)
    for (const fail of this.#failures) fail(this.#lost)
    this.#failures.clear()
  }
}

// Splits the bytes that a server sends into replies. Each reply ends with ReadyForQuery (PostgreSQL documentation, "Message
// Flow"). Pure.

const HEADER_BYTES = 5
const READY_FOR_QUERY = 'Z'.charCodeAt(0)

/** A reply that has not arrived completely. */
interface AwaitedReply {
  /** Drops rows beyond a limit as they arrive. Absent: all bytes are kept. */
  readonly output: BoundedOutput | undefined
  onReply(bytes: Uint8Array): void
}

export class ReplyReader {
  readonly #awaited: AwaitedReply[] = []
  /** The received pieces of the next reply, when that reply has no limit. */
  #pieces: Uint8Array[] = []
  /** The received start of a message header. */
  #begun: Uint8Array = new Uint8Array(0)
  /** The number of bytes of the current message that have not arrived yet. */
  #coming = 0
  /** True when the current, incomplete message is the last one of the reply. */
  #isLast = false

  /**
   * The part of the next reply that has arrived, such as the error that ends the connection. Empty when the reply has a limit.
   */
  get unfinished(): Uint8Array {
    return Buffer.concat(this.#pieces)
  }

  await(reply: AwaitedReply): void {
    this.#awaited.push(reply)
  }

  /** Takes the next bytes from the server. Returns messages that belong to no reply, such as the reason of a shutdown. */
  push(chunk: Uint8Array): Uint8Array | undefined {
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk])
    this.#begun = new Uint8Array(0)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let from = 0
    let at = Math.min(this.#coming, bytes.length)
    this.#coming -= at
    if (this.#isLast && this.#coming === 0) {
      from = at
      this.#finish(bytes.subarray(0, at))
    }
    while (at + HEADER_BYTES <= bytes.length) {
      const isLast = bytes[at] === READY_FOR_QUERY
      const end = at + 1 + view.getUint32(at + 1)
      if (end > bytes.length) {
        this.#coming = end - bytes.length
        this.#isLast = isLast
        at = bytes.length
        break
      }
      at = end
      if (!isLast) continue
      this.#finish(bytes.subarray(from, at))
      from = at
    }
    return this.#keep(bytes, from, at)
  }

  #keep(bytes: Uint8Array, from: number, at: number): Uint8Array | undefined {
    if (at < bytes.length) this.#begun = bytes.slice(at)
    if (at === from) return undefined
    const piece = bytes.subarray(from, at)
    const [next] = this.#awaited
    if (next === undefined) return piece
    if (next.output === undefined) this.#pieces.push(piece)
    else next.output.onOutput(piece)
    return undefined
  }

  #finish(last: Uint8Array): void {
    this.#isLast = false
    const pieces = this.#pieces
    const reply = this.#awaited.shift()
    if (reply === undefined) return
    if (reply.output !== undefined) reply.onReply(reply.output.end(last))
    else if (pieces.length === 0) reply.onReply(last)
    else {
      this.#pieces = []
      reply.onReply(Buffer.concat([...pieces, last]))
    }
  }
}
