// Identifies the caller by the bearer token alone (PostgREST, "JWT Authentication", "JWT Claims Validation"). The conformance
// suite signs its tokens with keys that the platform's gate does not have.
import type { JsonObject, JsonValue } from '../../emulator/core/json.ts'
import { DataError } from '../../emulator/services/data/errors.ts'
import type { Configuration } from './configuration.ts'
import { type RoleClaimPath, roleIn } from './role-claim.ts'
import { claimsOf, type VerifyingKey, verifyingKeys } from './signed-token.ts'

export interface Caller {
  readonly role: string
  readonly isAnonymous: boolean
  readonly claims: JsonObject
}

/** The keys and rules by which tokens are checked. */
export interface Bouncer {
  /** `undefined` without a secret. Every token is then refused before its content is checked. */
  readonly keys: readonly VerifyingKey[] | undefined
  readonly audience: string | null
  readonly roleClaim: RoleClaimPath
  readonly anonymousRole: string | null
}

/** @throws {RangeError} when the secret is too short */
export function bouncerOf(configuration: Configuration): Bouncer {
  const secret = configuration['jwt-secret']
  return {
    keys:
      secret === null ? undefined : verifyingKeys(secret, configuration['jwt-secret-is-base64']),
    audience: configuration['jwt-aud'],
    roleClaim: configuration['jwt-role-claim-key'],
    anonymousRole: configuration['db-anon-role'],
  }
}

/** @throws {DataError} PGRST300 … PGRST303 */
export function callerOf(
  { keys, audience, roleClaim, anonymousRole }: Bouncer,
  authorization: string | null,
  epochSeconds: number,
): Caller {
  const token = tokenOf(authorization)
  if (token !== undefined && keys === undefined)
    throw new DataError('PGRST300', 'Server lacks JWT secret')
  const given = token === undefined || keys === undefined ? {} : claimsOf(token, keys)
  checkTimes(given, Math.floor(epochSeconds))
  checkAudience(given['aud'], audience)
  const role = roleIn(given, roleClaim) ?? anonymousRole
  if (role === null) throw new DataError('PGRST302', 'Anonymous access is disabled')
  return { role, isAnonymous: role === anonymousRole, claims: sorted({ ...given, role }) }
}

// Ignores credentials of any other scheme.
function tokenOf(authorization: string | null): string | undefined {
  const found = /^bearer(?:\s+(.*))?$/is.exec(authorization ?? '')
  return found === null ? undefined : (found[1] ?? '')
}

// The tolerated difference between the clocks of issuer and server.
const SKEW_SECONDS = 30

function checkTimes(claims: JsonObject, now: number): void {
  const expires = secondsOf(claims, 'exp')
  if (expires !== undefined && now - SKEW_SECONDS > expires)
    throw new DataError('PGRST303', 'JWT expired')
  const starts = secondsOf(claims, 'nbf')
  if (starts !== undefined && now + SKEW_SECONDS < starts)
    throw new DataError('PGRST303', 'JWT not yet valid')
  const issued = secondsOf(claims, 'iat')
  if (issued !== undefined && now + SKEW_SECONDS < issued)
    throw new DataError('PGRST303', 'JWT issued at future')
}

// A number that is not a 64-bit integer counts as 0, the year 1970.
function secondsOf(claims: JsonObject, name: string): number | undefined {
  const value = claims[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number')
    throw new DataError('PGRST303', `The JWT '${name}' claim must be a number`)
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? value : 0
}

function checkAudience(audience: JsonValue | undefined, expected: string | null): void {
  if (audience === undefined || audience === null) return
  const list: readonly JsonValue[] = Array.isArray(audience) ? audience : [audience as JsonValue]
  if (!list.every((each) => typeof each === 'string'))
    throw new DataError('PGRST303', "The JWT 'aud' claim must be a string or an array of strings")
  if (expected !== null && list.length > 0 && !list.includes(expected))
    throw new DataError('PGRST303', 'JWT not in audience')
}

function sorted(claims: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(claims).sort(([first], [second]) => (first < second ? -1 : 1)),
  )
}
