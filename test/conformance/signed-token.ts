// Verifies a signed token and returns its claims (PostgREST, "JWT Signature Verification", "Errors: Group 3"; RFC 7515, 7517,
// 7518). Tries the keys whose algorithm, use and key id match.
import {
  createHmac,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../emulator/core/json.ts'
import { DataError } from '../../emulator/services/data/errors.ts'

/** A key that verifies the signatures of tokens. */
export interface VerifyingKey {
  readonly secret: Buffer | KeyObject
  readonly type: 'oct' | 'RSA' | 'EC' | 'OKP'
  readonly algorithm: string | undefined
  readonly id: string | undefined
  readonly isForEncryption: boolean
}

const SHORTEST_SECRET_BYTES = 32

/** The keys of `jwt-secret`: a key set, one key, or a passphrase. @throws {RangeError} when a passphrase is too short */
export function verifyingKeys(secret: string, isBase64: boolean): readonly VerifyingKey[] {
  const bytes = isBase64
    ? Buffer.from(secret.trim().replaceAll('.', '='), 'base64')
    : Buffer.from(secret)
  const value = parseJson(bytes.toString())
  if (isJsonObject(value)) {
    const { keys } = value
    if (Array.isArray(keys)) return (keys as readonly JsonValue[]).flatMap(keyOf)
    const [key] = keyOf(value)
    if (key !== undefined) return [key]
  }
  if (bytes.length < SHORTEST_SECRET_BYTES)
    throw new RangeError('The JWT secret must be at least 32 characters long.')
  return [{ secret: bytes, type: 'oct', algorithm: 'HS256', id: undefined, isForEncryption: false }]
}

function keyOf(value: JsonValue): VerifyingKey[] {
  if (!isJsonObject(value)) return []
  const { kty, alg, kid, use, k } = value
  const about = {
    algorithm: typeof alg === 'string' ? alg : undefined,
    id: typeof kid === 'string' ? kid : undefined,
    isForEncryption: use === 'enc',
  }
  if (kty === 'oct' && typeof k === 'string')
    return [{ ...about, type: kty, secret: Buffer.from(k, 'base64url') }]
  if (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP') return []
  try {
    const key = createPublicKey({ key: { ...value } as JsonWebKey, format: 'jwk' })
    return [{ ...about, type: kty, secret: key }]
  } catch {
    return []
  }
}

interface Algorithm {
  readonly type: VerifyingKey['type']
  readonly hash: string | undefined
}

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  HS256: { type: 'oct', hash: 'sha256' },
  HS384: { type: 'oct', hash: 'sha384' },
  HS512: { type: 'oct', hash: 'sha512' },
  RS256: { type: 'RSA', hash: 'sha256' },
  RS384: { type: 'RSA', hash: 'sha384' },
  RS512: { type: 'RSA', hash: 'sha512' },
  ES256: { type: 'EC', hash: 'sha256' },
  ES384: { type: 'EC', hash: 'sha384' },
  ES512: { type: 'EC', hash: 'sha512' },
  EdDSA: { type: 'OKP', hash: undefined },
}

/** Returns the claims of a token that one of the keys verifies. @throws {DataError} PGRST301, PGRST303 */
export function claimsOf(token: string, keys: readonly VerifyingKey[]): JsonObject {
  if (token === '') throw new DataError('PGRST301', 'Empty JWT is sent in Authorization header')
  const parts = token.split('.')
  if (parts.length !== 3)
    throw new DataError('PGRST301', `Expected 3 parts in JWT; got ${parts.length}`)
  const [head = '', payload = '', signature = ''] = parts
  const { alg, kid } = headerOf(head, payload, signature)
  const algorithm = ALGORITHMS[alg]
  if (algorithm === undefined) throw unreadable()
  const suitable = keys.filter(
    (key) =>
      !key.isForEncryption &&
      key.type === algorithm.type &&
      (key.algorithm ?? alg) === alg &&
      (kid === undefined || key.id === kid),
  )
  if (suitable.length === 0) throw noKey('No suitable key was found to decode the JWT')
  const signed = Buffer.from(`${head}.${payload}`)
  const bytes = Buffer.from(signature, 'base64url')
  if (!suitable.some(({ secret }) => isGenuine(secret, algorithm, signed, bytes)))
    throw noKey('None of the keys was able to decode the JWT')
  const claims = parseJson(Buffer.from(payload, 'base64url').toString())
  if (!isJsonObject(claims)) throw new DataError('PGRST303', 'Parsing claims failed')
  return claims
}

function headerOf(head: string, payload: string, signature: string) {
  if (!isBase64Url(head)) throw unreadable()
  const header = parseJson(Buffer.from(head, 'base64url').toString())
  if (!isJsonObject(header) || !isBase64Url(payload)) throw unreadable()
  const { alg, kid, enc } = header
  if (alg === 'none')
    throw new DataError('PGRST301', 'Wrong or unsupported encoding algorithm', {
      details: "JWT is unsecured but expected 'alg' was not 'none'",
    })
  // An encrypted token has five parts.
  if (typeof alg !== 'string' || enc !== undefined || !isBase64Url(signature)) throw unreadable()
  return { alg, kid: typeof kid === 'string' ? kid : undefined }
}

function isBase64Url(text: string): boolean {
  return /^[A-Za-z0-9_-]*$/.test(text) && text.length % 4 !== 1
}

function isGenuine(
  secret: Buffer | KeyObject,
  { hash }: Algorithm,
  signed: Buffer,
  signature: Buffer,
): boolean {
  if (Buffer.isBuffer(secret)) {
    const expected = createHmac(hash ?? '', secret)
      .update(signed)
      .digest()
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  }
  return verify(hash, signed, { key: secret, dsaEncoding: 'ieee-p1363' }, signature)
}

function unreadable(): DataError {
  return new DataError('PGRST301', 'JWT cryptographic operation failed')
}

function noKey(details: string): DataError {
  return new DataError('PGRST301', 'No suitable key or wrong key type', { details })
}
