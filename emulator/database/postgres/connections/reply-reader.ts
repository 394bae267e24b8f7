// Cuts what a server sends into replies: each ends with ReadyForQuery (PostgreSQL documentation, "Message Flow"). Pure.
import type { BoundedOutput } from '../../wire-protocol/bounded-output.ts'

const HEADER_BYTES = 5
const READY_FOR_QUERY = 'Z'.charCodeAt(0)

/** The reply that comes next. */
export interface AwaitedReply {
  /** Drops rows beyond a limit as they arrive. Absent: all bytes are kept. */
  readonly output: BoundedOutput | undefined
  onReply(bytes: Uint8Array): void
}

export class ReplyReader {
  readonly #awaited: AwaitedReply[] = []
  /** The received pieces of the next reply that nothing limits. */
  #pieces: Uint8Array[] = []
  /** The received start of a message header. */
  #begun: Uint8Array = new Uint8Array(0)
  /** The number of bytes of the last message that are still to come. */
  #coming = 0
  /** True when the message that is incomplete ends the reply. */
  #isLast = false

  /** What came of the next reply, such as the reason why the connection ends. Empty when the reply has a limit. */
  get unfinished(): Uint8Array {
    return Buffer.concat(this.#pieces)
  }

  await(reply: AwaitedReply): void {
    this.#awaited.push(reply)
  }

  /** Takes the next bytes of the server. Returns what came outside of all replies, such as the reason of a shutdown. */
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
