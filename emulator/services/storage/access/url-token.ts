// Tokens of signed URLs. Each token is valid for one object and one purpose, until it expires
// (docs/wire/storage.md#signed-tokens). The claims of a token come only from the parameters of `mintUrlToken`, never directly
// from a request.
import type { JsonObject } from '../../../core/json.ts'
import { toEpochSeconds } from '../../../core/time.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse, StorageError } from '../errors.ts'
import type { StorageCall } from '../storage-call.ts'
import { EXPIRED, isExpired, readSignedToken } from './signed-token.ts'

export type UrlScope = 'download' | 'upload'

/** A checked token that is valid for the object in the URL. */
export interface OpenedUrl {
  readonly claims: JsonObject
  /** Expiry in epoch seconds. */
  readonly expiresAt: number
}

type SigningDeps = Pick<StorageDeps, 'signingKeys' | 'clock'>

/** Text that identifies an object in the claim `url` and in URLs. */
export function urlOf(bucket: string, objectKey: string): string {
  return `${bucket}/${objectKey}`
}

/** @param url result of `urlOf` @param claims further claims, besides those that every token has */
export function mintUrlToken(
  { signingKeys, clock }: SigningDeps,
  scope: UrlScope,
  url: string,
  lifetimeSeconds: number,
  claims: JsonObject = {},
): Promise<string> {
  const issuedAt = toEpochSeconds(clock.now())
  return signingKeys.signHs256('storage', {
    ...claims,
    url,
    scope,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
  })
}

/**
 * Checks the token of a request against the object in its path.
 * @throws {StorageError} `invalidRequest` without a token, `invalidJwt`, `invalidSignature`
 */
export async function openUrl(
  { signingKeys, clock }: SigningDeps,
  scope: UrlScope,
  { query, bucket, objectKey }: StorageCall,
): Promise<OpenedUrl> {
  const token = query.get('token')
  if (token === null) throw refuse.request("querystring must have required property 'token'")
  const reading = await readSignedToken(signingKeys, token)
  if (reading.kind !== 'sound')
    throw invalidJwt(reading.kind === 'flawed' ? reading.message : 'signature verification failed')
  const { claims } = reading
  if (isExpired(claims, clock.now())) throw invalidJwt(EXPIRED)
  if (claims['url'] !== urlOf(bucket, objectKey)) throw invalidSignature()
  if (scopeOf(claims) !== scope) throw invalidSignature(`Token is not scoped for ${scope}`)
  return { claims, expiresAt: Number(claims['exp']) }
}

// fact: older tokens have no scope. Such a token is for uploads when it has the claim `upsert`, otherwise for downloads.
function scopeOf(claims: JsonObject): unknown {
  return claims['scope'] ?? (claims['upsert'] === undefined ? 'download' : 'upload')
}

function invalidJwt(message: string): StorageError {
  return new StorageError('invalidJwt', message)
}

function invalidSignature(message?: string): StorageError {
  return new StorageError('invalidSignature', message)
}
