// A connection that listens to notifications. Their place between the messages of a reply matters: the server delivers what was
// notified before a statement begins ahead of the statement's own messages.
import type { Duplex } from 'node:stream'
import { firstError } from '../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import { MessageCutter } from '../../wire-protocol/message-cutter.ts'

export interface ListeningEvents {
  /** Called with the payload of each notification, whatever its channel. */
  onNotification(payload: string): void
  /** Called once when the connection ends, also after `close`. */
  onEnd(reason: string): void
}

const NOTIFICATION = 'A'.charCodeAt(0)
const BIND_COMPLETE = '2'.charCodeAt(0)
const READY_FOR_QUERY = 'Z'.charCodeAt(0)
/** Kind and length of the message, and the id of the process that notified. */
const BEFORE_CHANNEL_BYTES = 9
const TERMINATE = Uint8Array.of('X'.charCodeAt(0), 0, 0, 0, 4)

interface AwaitedReply {
  readonly onBegin: () => void
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: Error) => void
}

export class ListeningSocket {
  readonly #stream: Duplex
  readonly #events: ListeningEvents
  readonly #awaited: AwaitedReply[] = []
  /** Names of prepared statements by their texts. */
  readonly #names = new Map<string, string>()
  #pieces: Uint8Array[] = []
  #ended: string | undefined

  /** @param stream an authenticated connection whose messages nothing else reads */
  constructor(stream: Duplex, events: ListeningEvents) {
    this.#stream = stream
    this.#events = events
    const cutter = new MessageCutter('A2Z', {
      onMessage: (kind, message) => this.#onMessage(kind, message),
      onOther: (bytes) => this.#pieces.push(bytes),
    })
    stream.on('data', (chunk: Uint8Array) => cutter.push(chunk))
    stream.on('error', (error: Error) => this.#end(error.message))
    stream.on('close', () =>
      this.#end(firstError(Buffer.concat(this.#pieces))?.message ?? 'the server closed it'),
    )
    if (stream.destroyed) this.#end('the server closed it')
  }

  /**
   * Runs one statement and returns its messages.
   * @param onBegin called after all notifications of transactions that the statement certainly sees
   * @throws {Error} when the connection ends before the reply
   */
  run(text: string, onBegin: () => void = () => {}): Promise<Uint8Array> {
    const reason = this.#ended
    if (reason !== undefined) return Promise.reject(new Error(reason))
    const messages = new FrontendMessages()
    let name = this.#names.get(text)
    if (name === undefined) {
      name = `s${this.#names.size}`
      this.#names.set(text, name)
      messages.parse(name, text)
    }
    this.#stream.write(messages.bind(name, []).execute().sync().bytes())
    return new Promise((resolve, reject) => {
      this.#awaited.push({ onBegin, resolve, reject })
    })
  }

  /** Ends the session. Resolves when the server has ended it. */
  close(): Promise<void> {
    if (this.#stream.closed) return Promise.resolve()
    const closed = new Promise<void>((resolve) => {
      this.#stream.once('close', () => resolve())
    })
    if (!this.#stream.destroyed) this.#stream.end(TERMINATE)
    return closed
  }

  #onMessage(kind: number, message: Uint8Array): void {
    if (kind === NOTIFICATION) this.#events.onNotification(payloadOf(message))
    else this.#onReplyPart(kind, message)
  }

  #onReplyPart(kind: number, message: Uint8Array): void {
    this.#pieces.push(message)
    if (kind === BIND_COMPLETE) this.#awaited[0]?.onBegin()
    if (kind !== READY_FOR_QUERY) return
    const reply = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#awaited.shift()?.resolve(reply)
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return
    this.#ended = reason
    for (const { reject } of this.#awaited.splice(0)) reject(new Error(reason))
    this.#events.onEnd(reason)
  }
}

function payloadOf(message: Uint8Array): string {
  const payloadAt = message.indexOf(0, BEFORE_CHANNEL_BYTES) + 1
  return Buffer.from(message.subarray(payloadAt, -1)).toString('utf8')
}
