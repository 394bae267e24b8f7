// Cuts a stream of Postgres messages (PostgreSQL documentation, "Message Formats": a kind, a length that counts itself, a
// body). Only messages of wanted kinds are assembled. Pure.

const HEADER_BYTES = 5

/** The sink receives the pieces in the order of the stream. */
export interface CutPieces {
  /** Called with a whole message of a wanted kind, header included. */
  onMessage(kind: number, message: Uint8Array): void
  /** Called with a stretch of the stream that has no wanted messages. */
  onOther?(bytes: Uint8Array): void
}

export class MessageCutter {
  readonly #wanted: ReadonlySet<number>
  readonly #pieces: CutPieces
  /** The received start of an incomplete wanted message or header. */
  #begun: Uint8Array[] = []
  #begunBytes = 0
  #neededBytes = 0
  /** The number of bytes of an unwanted message that are still to come. */
  #passing = 0

  /** @param wanted kinds to assemble, as in `'ZE'` */
  constructor(wanted: string, pieces: CutPieces) {
    this.#wanted = new Set(Array.from(wanted, (kind) => kind.charCodeAt(0)))
    this.#pieces = pieces
  }

  /** Takes the next bytes of the stream. */
  push(chunk: Uint8Array): void {
    const bytes = this.#joined(chunk)
    if (bytes === undefined) return
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let otherFrom = 0
    let at = Math.min(this.#passing, bytes.length)
    this.#passing -= at
    let needed = HEADER_BYTES
    const passOther = (end: number) => {
      if (end > otherFrom) this.#pieces.onOther?.(bytes.subarray(otherFrom, end))
    }
    while (at + HEADER_BYTES <= bytes.length) {
      const kind = bytes[at] ?? 0
      const end = at + 1 + view.getUint32(at + 1)
      if (!this.#wanted.has(kind)) {
        this.#passing = Math.max(0, end - bytes.length)
        at = Math.min(end, bytes.length)
        continue
      }
      if (end > bytes.length) {
        needed = end - at
        break
      }
      passOther(at)
      this.#pieces.onMessage(kind, bytes.subarray(at, end))
      at = end
      otherFrom = end
    }
    passOther(at)
    if (at < bytes.length) this.#begin(bytes.slice(at), needed)
  }

  #begin(bytes: Uint8Array, needed: number): void {
    this.#begun = [bytes]
    this.#begunBytes = bytes.length
    this.#neededBytes = needed
  }

  #joined(chunk: Uint8Array): Uint8Array | undefined {
    if (this.#begun.length === 0) return chunk
    this.#begun.push(chunk)
    this.#begunBytes += chunk.length
    if (this.#begunBytes < this.#neededBytes) return undefined
    const bytes = Buffer.concat(this.#begun)
    this.#begun = []
    return bytes
  }
}
