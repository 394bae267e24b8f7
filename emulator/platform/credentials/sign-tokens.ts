// Serializes and signs tokens: JWTs (RFC 7515 §7.1) and PASETO v4.public. Signs on the main thread, which takes 30 microseconds.
// The token libraries sign in the thread pool, where a signature would wait for password hashes and file flushes.
import { createHmac, type KeyObject, sign } from 'node:crypto'
import type { JsonObject } from '../../core/json.ts'

export interface JwtHeader {
  readonly alg: 'ES256' | 'HS256'
  readonly typ: 'JWT'
  readonly kid?: string
  readonly kv?: number
}

/** @param key the private key of ES256, or the secret of HS256 */
export function signJwt(
  claims: JsonObject,
  header: JwtHeader,
  key: KeyObject | Uint8Array,
): string {
  return serializeJwt(claims, header, (signed) =>
    key instanceof Uint8Array
      ? createHmac('sha256', key).update(signed).digest()
      : sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }),
  )
}

/** Serializes a JWT with the signature that `signatureOf` returns for its first two parts. */
export function serializeJwt(
  claims: JsonObject,
  header: JwtHeader,
  signatureOf: (signed: string) => Buffer,
): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${signatureOf(signed).toString('base64url')}`
}

const PASETO_HEADER = 'v4.public.'

/** Signs the claims without a footer (PASETO version 4, "Sign"). @param key an Ed25519 key */
export function signPasetoClaims(claims: JsonObject, key: KeyObject): string {
  const message = Buffer.from(JSON.stringify(claims))
  const nothing = Buffer.alloc(0)
  const signed = joinForSigning([Buffer.from(PASETO_HEADER), message, nothing, nothing])
  const signature = sign(null, signed, key)
  return PASETO_HEADER + Buffer.concat([message, signature]).toString('base64url')
}

// The pre-authentication encoding (PASETO, "PAE"): the number of pieces, then each piece after its length.
function joinForSigning(pieces: readonly Buffer[]): Buffer {
  return Buffer.concat([
    lengthOf(pieces.length),
    ...pieces.flatMap((piece) => [lengthOf(piece.length), piece]),
  ])
}

function lengthOf(count: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(count))
  return bytes
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
