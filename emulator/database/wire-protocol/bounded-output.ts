// Limits the size of an answer: rows beyond the limit are dropped as they arrive, so that they are not stored. Command
// tags still count the dropped rows. Notices have their own limit (PostgreSQL documentation, "Message Formats").

const HEADER_BYTES = 5
const ROW = 'D'.charCodeAt(0)
const NOTICE = 'N'.charCodeAt(0)
const MAX_NOTICE_BYTES = 1 << 20
/** Notices up to this size are assembled, to find the notice of a schema change. */
const SHORT_NOTICE_BYTES = 1 << 10
/** The SQLSTATE field of the notice of a schema change, which is never dropped (tenant-schema/ddl-notice.ts). */
const SCHEMA_CHANGED = Buffer.from('CTY001\0')

export class BoundedOutput {
  readonly #maxRowBytes: number
  readonly #kept: Uint8Array[] = []
  #rowBytes = 0
  #noticeBytes = 0
  /** The received start of a message that must be assembled. */
  #begun: Uint8Array = new Uint8Array(0)
  /** The number of bytes that are missing from the last message. */
  #coming = 0
  #isDropping = false

  constructor(maxRowBytes: number) {
    this.#maxRowBytes = maxRowBytes
  }

  /** Takes a piece of the output. The work has no further input. */
  nextInput(output: Uint8Array): Uint8Array {
    this.onOutput(output)
    return new Uint8Array(0)
  }

  onOutput(output: Uint8Array): void {
    const bytes = this.#begun.length === 0 ? output : Buffer.concat([this.#begun, output])
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let at = Math.min(this.#coming, bytes.length)
    let keptFrom = this.#isDropping ? at : 0
    this.#coming -= at
    while (at + HEADER_BYTES <= bytes.length) {
      const kind = bytes[at] ?? 0
      const size = 1 + view.getUint32(at + 1)
      const end = Math.min(at + size, bytes.length)
      if (kind === NOTICE && size <= SHORT_NOTICE_BYTES && end < at + size) break
      this.#isDropping = this.#isTooMuch(kind, size, bytes.subarray(at, end))
      if (this.#isDropping) {
        this.#keep(bytes, keptFrom, at)
        keptFrom = end
      }
      this.#coming = at + size - end
      at = end
    }
    this.#keep(bytes, keptFrom, at)
    this.#begun = bytes.slice(at)
  }

  /** Whether the limit dropped rows. */
  get isCut(): boolean {
    return this.#rowBytes > this.#maxRowBytes
  }

  /** Takes the last piece of the output. Returns the kept messages in their own buffer, which can be transferred. */
  end(last: Uint8Array): Uint8Array {
    const isWhole = this.#kept.length === 0 && this.#begun.length === 0 && this.#coming === 0
    const isBelow = last.length <= Math.min(this.#maxRowBytes, MAX_NOTICE_BYTES)
    // Most answers arrive in one piece that cannot be over a limit.
    if (isWhole && isBelow && !this.#isDropping) return last
    this.onOutput(last)
    return this.#bytes()
  }

  #bytes(): Uint8Array {
    const joined = new Uint8Array(this.#kept.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of this.#kept) {
      joined.set(piece, at)
      at += piece.length
    }
    return joined
  }

  // All rows after the first dropped one are dropped, so that the result has no gaps.
  #isTooMuch(kind: number, size: number, message: Uint8Array): boolean {
    if (kind === ROW) {
      this.#rowBytes += size
      return this.#rowBytes > this.#maxRowBytes
    }
    if (kind !== NOTICE || Buffer.from(message).includes(SCHEMA_CHANGED)) return false
    this.#noticeBytes += size
    return this.#noticeBytes > MAX_NOTICE_BYTES
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    if (to > from) this.#kept.push(bytes.subarray(from, to))
  }
}
