// Reads the messages of a WebSocket from the bytes of one direction (RFC 6455 §5), while the bytes pass by unchanged. Understands
// permessage-deflate (RFC 7692). Pure, except for the decompression.
import { constants, inflateRawSync } from 'node:zlib'

export interface SocketMessage {
  readonly kind: 'text' | 'binary' | 'close'
  readonly bytes: Buffer
}

export interface ReaderOptions {
  /** The header `Sec-WebSocket-Extensions` of the answer to the handshake. */
  readonly extensions: string | undefined
  readonly from: 'client' | 'server'
}

interface Head {
  readonly isLast: boolean
  readonly isCompressed: boolean
  readonly opcode: number
  readonly mask: Buffer | undefined
  /** Number of bytes in the head of the frame. */
  readonly headBytes: number
  readonly payloadBytes: number
}

const CONTINUATION = 0
const TEXT = 1
const BINARY = 2
const CLOSE = 8
/** Maximum size of a message, so that a broken stream cannot fill the memory. The platform's own limit is 5,000,000 bytes. */
const MAX_MESSAGE_BYTES = 16 << 20
const WINDOW_BYTES = 32_768
/** The end of each compressed message, which the sender leaves out (RFC 7692 §7.2.1). */
const TAIL = Buffer.from([0x00, 0x00, 0xff, 0xff])

export class FrameReader {
  readonly #inflate: ReturnType<typeof createInflater>
  #pending: Buffer = Buffer.alloc(0)
  #parts:
    | { readonly opcode: number; readonly isCompressed: boolean; bytes: Buffer[]; size: number }
    | undefined
  #isBroken = false

  /** Creates the reader of one direction. It stops reading at bytes that are no WebSocket frames. */
  constructor({ extensions = '', from }: ReaderOptions) {
    this.#inflate = createInflater(
      new RegExp(`${from}_no_context_takeover`).test(extensions) ? 'message' : 'connection',
    )
  }

  /** Returns the messages that are complete with these bytes. */
  read(chunk: Buffer): readonly SocketMessage[] {
    if (this.#isBroken) return []
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    const messages: SocketMessage[] = []
    try {
      for (let found = this.#next(); found !== undefined; found = this.#next())
        if (found !== 'none') messages.push(found)
    } catch {
      this.#isBroken = true
      this.#pending = Buffer.alloc(0)
    }
    return messages
  }

  #finish(head: Head, payload: Buffer): SocketMessage | undefined {
    if (head.opcode === CLOSE) return { kind: 'close', bytes: payload }
    if (head.opcode > BINARY) return undefined
    if (head.opcode !== CONTINUATION) this.#parts = { ...head, bytes: [], size: 0 }
    if (this.#parts === undefined) throw new Error('a continuation without a start')
    this.#parts.bytes.push(payload)
    this.#parts.size += payload.length
    if (this.#parts.size > MAX_MESSAGE_BYTES) throw new Error('a message that is too long')
    if (!head.isLast) return undefined
    const { bytes, isCompressed, opcode } = this.#parts
    this.#parts = undefined
    const whole = Buffer.concat(bytes)
    return {
      kind: opcode === TEXT ? 'text' : 'binary',
      bytes: isCompressed ? this.#inflate(whole) : whole,
    }
  }

  #next(): SocketMessage | 'none' | undefined {
    const head = headOf(this.#pending)
    if (head === undefined || this.#pending.length < head.headBytes + head.payloadBytes)
      return undefined
    const end = head.headBytes + head.payloadBytes
    const payload = unmasked(this.#pending.subarray(head.headBytes, end), head.mask)
    this.#pending = this.#pending.subarray(end)
    return this.#finish(head, payload) ?? 'none'
  }
}

/** Reads the code and reason of a close frame. */
export function closeOf(bytes: Buffer): { readonly code: number | null; readonly reason: string } {
  if (bytes.length < 2) return { code: null, reason: '' }
  return { code: bytes.readUInt16BE(0), reason: bytes.toString('utf8', 2) }
}

function headOf(bytes: Buffer): Head | undefined {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return undefined
  const short = second & 0x7f
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  const maskBytes = (second & 0x80) === 0 ? 0 : 4
  const headBytes = 2 + lengthBytes + maskBytes
  if (bytes.length < headBytes) return undefined
  const payloadBytes =
    lengthBytes === 0
      ? short
      : lengthBytes === 2
        ? bytes.readUInt16BE(2)
        : Number(bytes.readBigUInt64BE(2))
  if (payloadBytes > MAX_MESSAGE_BYTES) throw new Error('a message that is too long')
  return {
    isLast: (first & 0x80) !== 0,
    isCompressed: (first & 0x40) !== 0,
    opcode: first & 0x0f,
    mask: maskBytes === 0 ? undefined : bytes.subarray(headBytes - 4, headBytes),
    headBytes,
    payloadBytes,
  }
}

function unmasked(payload: Buffer, mask: Buffer | undefined): Buffer {
  if (mask === undefined) return Buffer.from(payload)
  return Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)))
}

// With context takeover, a message can refer to the last 32 KB of earlier messages.
function createInflater(context: 'message' | 'connection'): (bytes: Buffer) => Buffer {
  let window: Buffer = Buffer.alloc(0)
  return (bytes) => {
    const inflated = inflateRawSync(Buffer.concat([bytes, TAIL]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: MAX_MESSAGE_BYTES,
      ...(window.length === 0 ? {} : { dictionary: window }),
    })
    if (context === 'connection') window = Buffer.concat([window, inflated]).subarray(-WINDOW_BYTES)
    return inflated
  }
}
