// Creates ECDSA signatures on P-256 with SHA-256. The nonce is derived from key and message (RFC 6979), so that the same claims
// give the same text. `node:crypto` draws the nonce at random, so it would give another text each time.
import { createECDH, hash } from 'node:crypto'

const CURVE = 'prime256v1'
/** Order of the curve's base point (FIPS 186-4, D.1.2.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const BYTES = 32
const ZERO = Buffer.of(0)
const ONE = Buffer.of(1)

/** Returns `r` and `s` as 64 bytes (RFC 7518 §3.4). @param scalar the private key, 32 bytes */
export function signDeterministic(message: string, scalar: Uint8Array): Buffer {
  const key = numberOf(scalar)
  const digest = numberOf(sha256(Buffer.from(message))) % ORDER
  for (const nonce of nonces(scalar, bytesOf(digest))) {
    const r = abscissaOf(nonce) % ORDER
    const s = (inverse(nonce) * (digest + r * key)) % ORDER
    if (r !== 0n && s !== 0n) return Buffer.concat([bytesOf(r), bytesOf(s)])
  }
  throw new TypeError('no nonce was drawn')
}

// RFC 6979 §3.2, steps b to h.
function* nonces(scalar: Uint8Array, digest: Buffer): Generator<bigint> {
  let key: Buffer = Buffer.alloc(BYTES)
  let value: Buffer = Buffer.alloc(BYTES, 1)
  const step = (...data: readonly Uint8Array[]): void => {
    key = hmac(key, value, ...data)
    value = hmac(key, value)
  }
  step(ZERO, scalar, digest)
  step(ONE, scalar, digest)
  for (;;) {
    value = hmac(key, value)
    const nonce = numberOf(value)
    if (nonce > 0n && nonce < ORDER) yield nonce
    step(ZERO)
  }
}

const BLOCK_BYTES = 64
const INNER = 0x36
const OUTER = 0x5c

// HMAC-SHA-256 (RFC 2104) of a key of 32 bytes. `createHmac` makes a key object for each key, which takes twice as long.
function hmac(key: Buffer, ...data: readonly Uint8Array[]): Buffer {
  const inner = sha256(Buffer.concat([padded(key, INNER), ...data]))
  return sha256(Buffer.concat([padded(key, OUTER), inner]))
}

function padded(key: Buffer, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, pad)
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad
  return block
}

function sha256(data: Buffer): Buffer {
  return hash('sha256', data, 'buffer')
}

/** The x coordinate of the base point times the nonce. */
function abscissaOf(nonce: bigint): bigint {
  const curve = createECDH(CURVE)
  curve.setPrivateKey(bytesOf(nonce))
  return numberOf(curve.getPublicKey().subarray(1, 1 + BYTES))
}

/** The inverse modulo the order, by the extended Euclidean algorithm. */
function inverse(value: bigint): bigint {
  let [divisor, rest] = [ORDER, value]
  let [earlier, factor] = [0n, 1n]
  while (rest !== 0n) {
    const quotient = divisor / rest
    ;[divisor, rest] = [rest, divisor - quotient * rest]
    ;[earlier, factor] = [factor, earlier - quotient * factor]
  }
  return ((earlier % ORDER) + ORDER) % ORDER
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

function bytesOf(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(2 * BYTES, '0'), 'hex')
}
