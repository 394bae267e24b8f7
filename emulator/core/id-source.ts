// Interface for random identifiers, secrets and bytes. Only this file uses the machine's random generator.
import { createHash, randomBytes } from 'node:crypto'

export interface IdSource {
  /** Returns `count` random bytes. */
  bytes(count: number): Uint8Array
  /** A version 4 UUID (RFC 9562 §5.4). */
  uuid(): string
  /** `prefix` and 20 lower-case base32 characters, e.g. `grp_…` (docs/wire/platform.md#identifiers). */
  id(prefix: string): string
  /** `prefix` and 43 base64url characters, 256 bits (docs/wire/platform.md#identifiers). */
  secret(prefix: string): string
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const ID_LENGTH = 20
const SECRET_BYTES = 32
const POOL_BYTES = 4_096

abstract class ByteIdSource implements IdSource {
  abstract bytes(count: number): Uint8Array

  uuid(): string {
    const bytes = this.bytes(16)
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    const hex = Buffer.from(bytes).toString('hex')
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      hex.slice(12, 16),
      hex.slice(16, 20),
      hex.slice(20),
    ].join('-')
  }

  id(prefix: string): string {
    let id = prefix
    for (const byte of this.bytes(ID_LENGTH)) id += BASE32.charAt(byte & 31)
    return id
  }

  secret(prefix: string): string {
    return prefix + Buffer.from(this.bytes(SECRET_BYTES)).toString('base64url')
  }
}

/** Draws from the operating system's generator. Reads some thousand bytes at once, because each request needs an id. */
export class SystemIdSource extends ByteIdSource {
  #pool: Uint8Array = new Uint8Array()
  #used = 0

  override bytes(count: number): Uint8Array {
    if (count > POOL_BYTES) return new Uint8Array(randomBytes(count))
    if (this.#used + count > this.#pool.length) {
      // The pool must be a Uint8Array, whose `slice` copies. A Buffer's `slice` would share its bytes with the pool, which is
      // erased below.
      this.#pool = new Uint8Array(randomBytes(POOL_BYTES))
      this.#used = 0
    }
    const drawn = this.#pool.slice(this.#used, this.#used + count)
    // Erases the returned bytes from the pool, because they can be part of a secret.
    this.#pool.fill(0, this.#used, this.#used + count)
    this.#used += count
    return drawn
  }
}

/** Returns the same sequence for the same seed. Use this source only for tests and repeatable runs, never for real secrets. */
export class SeededIdSource extends ByteIdSource {
  #counter = 0
  readonly seed: string

  constructor(seed: string) {
    super()
    this.seed = seed
  }

  /** Number of values drawn so far. Set an earlier number to repeat the sequence from that point. */
  get position(): number {
    return this.#counter
  }

  set position(position: number) {
    this.#counter = position
  }

  override bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count)
    for (let offset = 0; offset < count; offset += 32) {
      const block = createHash('sha256')
        .update(`${this.seed}:${this.#counter++}`)
        .digest()
      bytes.set(block.subarray(0, Math.min(32, count - offset)), offset)
    }
    return bytes
  }
}
