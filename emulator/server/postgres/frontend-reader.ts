// Reads a client's bytes as whole messages (PostgreSQL documentation, "Message Formats" and "Start-up"). Checks the length of
// each message first; an impossible length ends the connection. Pure.
import { PostgresRefusal } from './postgres-refusal.ts'

export type StartPacket =
  | { readonly kind: 'encryption' }
  | { readonly kind: 'cancel'; readonly processId: number; readonly secret: number }
  | {
      readonly kind: 'startup'
      /** Requested minor version of protocol 3. */
      readonly minorVersion: number
      readonly parameters: ReadonlyMap<string, string>
    }

export interface ClientMessage {
  /** First byte of the message, as a letter. */
  readonly kind: string
  /** The whole message, including its header. */
  readonly bytes: Buffer
}

const CANCEL_CODE = 80_877_102
const SSL_CODE = 80_877_103
const GSS_CODE = 80_877_104
const MAX_START_BYTES = 10_000
/** Maximum bytes of a message before the client has logged in. */
const MAX_LOGIN_BYTES = 4_096
const MAX_MESSAGE_BYTES = 64 << 20
const LONG_KINDS = 'QPBFd'
const SHORT_KINDS = 'ECDSHXcf'
const MAX_SHORT_BYTES = 10_000
const LENGTH_BYTES = 4
const HEADER_BYTES = 5
/** Offset of a message's body. */
export const BODY: number = HEADER_BYTES

export class FrontendReader {
  #chunks: Buffer[] = []
  #buffered = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#buffered += chunk.length
  }

  /** Number of received bytes that were not read yet. */
  get buffered(): number {
    return this.#buffered
  }

  /** Returns the next start-up packet, or `undefined` when it is incomplete. @throws {PostgresRefusal} 08P01 */
  startPacket(): StartPacket | undefined {
    const header = this.#peek(LENGTH_BYTES)
    if (header === undefined) return undefined
    const length = header.readUInt32BE(0)
    if (length < 8 || length > MAX_START_BYTES) throw invalid('invalid length of startup packet')
    const packet = this.#take(length)
    return packet === undefined ? undefined : readStart(packet)
  }

  /** Returns the next message, or `undefined` when it is incomplete. @throws {PostgresRefusal} 08P01 */
  message(isLoggedIn: boolean): ClientMessage | undefined {
    const header = this.#peek(HEADER_BYTES)
    if (header === undefined) return undefined
    const length = header.readUInt32BE(1)
    const most = isLoggedIn ? longestOf(header[0] ?? 0) : MAX_LOGIN_BYTES
    if (length < LENGTH_BYTES || length > most) throw invalid('invalid message length')
    const bytes = this.#take(length + 1)
    return bytes === undefined ? undefined : { kind: String.fromCharCode(bytes[0] ?? 0), bytes }
  }

  #peek(count: number): Buffer | undefined {
    return this.#buffered < count ? undefined : this.#joined(count).subarray(0, count)
  }

  #take(count: number): Buffer | undefined {
    if (this.#buffered < count) return undefined
    const first = this.#joined(count)
    this.#buffered -= count
    if (first.length === count) this.#chunks.shift()
    else this.#chunks[0] = first.subarray(count)
    return first.subarray(0, count)
  }

  // Joins only the chunks that contain the requested bytes, so that each byte of a long message is copied once.
  #joined(count: number): Buffer {
    const [first] = this.#chunks
    if (first !== undefined && first.length >= count) return first
    const joined = Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }
}

function readStart(packet: Buffer): StartPacket {
  const code = packet.readUInt32BE(LENGTH_BYTES)
  if (code === SSL_CODE || code === GSS_CODE) return { kind: 'encryption' }
  if (code === CANCEL_CODE) {
    if (packet.length !== 16) throw invalid('invalid length of cancel packet')
    return {
      kind: 'cancel',
      processId: packet.readUInt32BE(8),
      secret: packet.readUInt32BE(12),
    }
  }
  if (code >>> 16 !== 3)
    throw new PostgresRefusal(
      '0A000',
      `unsupported frontend protocol ${code >>> 16}.${code & 0xffff}: server supports 3.0`,
    )
  return { kind: 'startup', minorVersion: code & 0xffff, parameters: readParameters(packet) }
}

function readParameters(packet: Buffer): ReadonlyMap<string, string> {
  const texts = packet
    .subarray(2 * LENGTH_BYTES)
    .toString('utf8')
    .split('\0')
  const parameters = new Map<string, string>()
  for (let at = 0; at + 1 < texts.length && texts[at] !== ''; at += 2)
    parameters.set(texts[at] ?? '', texts[at + 1] ?? '')
  return parameters
}

/** Returns the zero-terminated text at `start`, and the offset after it. */
export function textAt(
  bytes: Buffer,
  start: number,
): { readonly text: string; readonly next: number } {
  const found = bytes.indexOf(0, start)
  const end = found < 0 ? bytes.length : found
  return { text: bytes.toString('utf8', start, end), next: end + 1 }
}

// The backend exits when it reads an unknown or too long message (postgres.c, SocketBackend), so the port must not forward such a
// message.
function longestOf(kind: number): number {
  const letter = String.fromCharCode(kind)
  if (LONG_KINDS.includes(letter)) return MAX_MESSAGE_BYTES
  if (SHORT_KINDS.includes(letter)) return MAX_SHORT_BYTES
  throw invalid(`invalid frontend message type ${kind}`)
}

function invalid(message: string): PostgresRefusal {
  return new PostgresRefusal('08P01', message)
}
