// Who asks, told by a bearer token alone (PostgREST, "JSON Web Token", "Errors: Group 3"): the suite's own signatures,
// which the platform's gate knows nothing of.
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../emulator/core/json.ts'
import { DataError } from '../../emulator/data/errors.ts'
import type { Configuration } from './configuration.ts'

export interface Caller {
  readonly role: string
  readonly isAnonymous: boolean
  readonly claims: JsonObject
}

/** @throws {DataError} PGRST300 … PGRST303 */
export function callerOf(
  configuration: Configuration,
  authorization: string | null,
  epochSeconds: number,
): Caller {
  const anonymous = configuration['db-anon-role']
  const token = tokenOf(authorization)
  const given = token === undefined ? {} : claimsOf(configuration, token)
  checkTimes(given, epochSeconds)
  checkAudience(given['aud'], configuration['jwt-aud'])
  const claimed = given['role']
  const role = claimed === undefined ? anonymous : textOf(claimed)
  if (role === null) throw new DataError('PGRST302', 'Anonymous access is disabled')
  return { role, isAnonymous: role === anonymous, claims: { ...given, role } }
}

function tokenOf(authorization: string | null): string | undefined {
  const [, token] = /^bearer(?: +(.*))?$/is.exec(authorization ?? '') ?? []
  return authorization !== null && /^bearer/i.test(authorization) ? (token ?? '') : undefined
}

function claimsOf(configuration: Configuration, token: string): JsonObject {
  const secret = configuration['jwt-secret']
  if (secret === null) throw new DataError('PGRST300', 'Server lacks JWT secret')
  if (token === '') throw new DataError('PGRST301', 'Empty JWT is sent in Authorization header')
  const parts = token.split('.')
  if (parts.length !== 3)
    throw new DataError('PGRST301', `Expected 3 parts in JWT; got ${parts.length}`)
  const [head = '', payload = '', signature = ''] = parts
  const algorithm = decoded(head)?.['alg']
  if (algorithm === 'none')
    throw new DataError('PGRST301', 'Wrong or unsupported encoding algorithm', {
      details: "JWT is unsecured but expected 'alg' was not 'none'",
    })
  const isGenuine = keysOf(configuration, secret).some((key) =>
    isSignedWith(key, algorithm, `${head}.${payload}`, Buffer.from(signature, 'base64url')),
  )
  if (!isGenuine)
    throw new DataError('PGRST301', 'No suitable key or wrong key type', {
      details: 'None of the keys was able to decode the JWT',
    })
  const claims = decoded(payload)
  if (claims === undefined) throw new DataError('PGRST303', 'Parsing claims failed')
  return claims
}

type Key = Buffer | JsonObject

function keysOf(configuration: Configuration, secret: string): readonly Key[] {
  const value = parseJson(secret)
  if (!isJsonObject(value))
    return [Buffer.from(secret, configuration['jwt-secret-is-base64'] ? 'base64' : 'utf8')]
  const { keys } = value
  return Array.isArray(keys) ? (keys as readonly JsonValue[]).filter(isJsonObject) : [value]
}

function isSignedWith(
  key: Key,
  algorithm: JsonValue | undefined,
  text: string,
  signature: Buffer,
): boolean {
  if (Buffer.isBuffer(key)) {
    if (algorithm !== 'HS256') return false
    const expected = createHmac('sha256', key).update(text).digest()
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  }
  if (algorithm !== 'RS256' || key['kty'] !== 'RSA') return false
  const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' })
  return verify('sha256', Buffer.from(text), publicKey, signature)
}

// A clock may be half a minute off.
const SKEW_SECONDS = 30

function checkTimes(claims: JsonObject, now: number): void {
  const number = (name: string) => {
    const value = claims[name]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'number') return value
    throw new DataError('PGRST303', `The JWT '${name}' claim must be a number`)
  }
  const [exp, nbf, iat] = [number('exp'), number('nbf'), number('iat')]
  if (exp !== undefined && now - SKEW_SECONDS > exp) throw new DataError('PGRST303', 'JWT expired')
  if (nbf !== undefined && now + SKEW_SECONDS < nbf)
    throw new DataError('PGRST303', 'JWT not yet valid')
  if (iat !== undefined && now + SKEW_SECONDS < iat)
    throw new DataError('PGRST303', 'JWT issued at future')
}

function checkAudience(audience: JsonValue | undefined, expected: string | null): void {
  if (audience === undefined || audience === null) return
  const list: readonly JsonValue[] = Array.isArray(audience) ? audience : [audience as JsonValue]
  if (!list.every((each) => typeof each === 'string'))
    throw new DataError('PGRST303', "The JWT 'aud' claim must be a string or an array of strings")
  if (expected !== null && list.length > 0 && !list.includes(expected))
    throw new DataError('PGRST303', 'JWT not in audience')
}

function decoded(part: string): JsonObject | undefined {
  const value = parseJson(Buffer.from(part, 'base64url').toString())
  return isJsonObject(value) ? value : undefined
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
