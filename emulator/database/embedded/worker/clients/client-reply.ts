// Sends the answer to a client's turn to the main thread. Reads the turn's state from the messages of the answer, and pauses
// the turn while the client does not read.
import { MessageCutter } from '../../../wire-protocol/message-cutter.ts'
import type { Streaming } from '../backend/backend.ts'

const NOTHING = new Uint8Array(0)
const PARSE_COMPLETE = '1'.charCodeAt(0)
const COMPLETE = 'C'.charCodeAt(0)
const SETS_ONLY = /^(?:BEGIN|START|SET|RESET|SHOW|SAVEPOINT|RELEASE|ROLLBACK|COMMIT)\b/
const READY = 'Z'.charCodeAt(0)
const FAILURE = 'E'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)
const HEADER_BYTES = 5
/** The turn pauses after this many bytes until the client has read them. */
const UNREAD_BYTES = 4 << 20

export class ClientReply {
  parsed = 0
  hasFailed = false
  isIdle = false
  /** True when the answer ends with ReadyForQuery. */
  isReady = false
  /** True when a completed statement did more than set, show, or begin and end transactions. */
  hasRead = false
  /** True when the client received a part of the answer or a request for input, which cannot be taken back. */
  hasSent = false
  /** The messages to send before the answer. */
  unsent: Uint8Array[] = []
  readonly streaming: Streaming
  readonly #cutter: MessageCutter
  #unreadBytes = 0
  /** COPY data that arrived before the turn requested it. */
  #early: Uint8Array[] = []

  constructor(streaming: Streaming) {
    this.#cutter = new MessageCutter('1CZE', {
      onMessage: (kind, message) => this.#note(kind, message),
    })
    this.streaming = {
      nextInput: (output) => this.#nextInput(streaming, this.#takeAll(output)),
      onOutput: (output) => this.#onOutput(streaming, this.#takeAll(output)),
    }
  }

  // Returns the next COPY data. Empty input only means that the client has read the output.
  #nextInput(streaming: Streaming, output: Uint8Array): Uint8Array {
    this.hasSent = true
    let input = this.#early.shift()
    if (input !== undefined) streaming.onOutput(output)
    else input = streaming.nextInput(output)
    while (input.length === 0) input = streaming.nextInput(NOTHING)
    return input
  }

  // Waits until the client has read the output. Without this pause, the main thread would have to buffer all unread output.
  #onOutput(streaming: Streaming, output: Uint8Array): void {
    this.hasSent = true
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

  /** Reads the state of the turn from a piece of its answer. */
  read(bytes: Uint8Array): void {
    this.#cutter.push(bytes)
  }

  #takeAll(output: Uint8Array): Uint8Array {
    this.read(output)
    if (this.unsent.length === 0) return output
    const all = Buffer.concat([...this.unsent, output])
    this.unsent = []
    return all
  }

  #note(kind: number, message: Uint8Array): void {
    if (kind === PARSE_COMPLETE) this.parsed++
    else if (kind === FAILURE) this.hasFailed = true
    else if (kind === COMPLETE) this.hasRead ||= !SETS_ONLY.test(tagOf(message))
    this.isReady = kind === READY
    this.isIdle = this.isReady && message[HEADER_BYTES] === IDLE
  }
}

function tagOf(message: Uint8Array): string {
  return Buffer.from(message.subarray(HEADER_BYTES, HEADER_BYTES + 20)).toString('latin1')
}
