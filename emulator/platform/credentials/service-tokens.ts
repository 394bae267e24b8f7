// Mints short-lived HS256 tokens for storage and realtime, which verify their own tokens
// (docs/wire/credentials.md#storage-token).
import type { JsonObject } from '../../core/json.ts'
import { realtimeRoleOf } from '../../core/names.ts'
import type { PrincipalRole, VerifiedPrincipal } from '../../core/principal.ts'
import { type EpochMillis, toEpochSeconds } from '../../core/time.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Lifetime of tokens for storage and realtime, 1 hour (docs/wire/credentials.md#storage-token). */
export const SERVICE_TOKEN_SECONDS = 3600

/** Roles of storage tokens (docs/wire/credentials.md#storage-token). */
export type StorageRole = 'anon' | 'authenticated'

/** Maps a credential's role to a storage role (docs/wire/credentials.md#storage-token). */
export function storageRoleOf(role: PrincipalRole): StorageRole {
  return role === 'anon' ? 'anon' : 'authenticated'
}

/** The user or key that the token is for. Every VerifiedPrincipal has these members. */
export type TokenSubject = Pick<VerifiedPrincipal, 'schemaName' | 'role' | 'subject' | 'claims'>

/**
 * Signs `{role, project_schema, sub, origin_role, exp}`. The header has the project's key version, so that regenerating the
 * keys revokes the token. No further claims are allowed (docs/wire/credentials.md#storage-token).
 */
export function mintStorageToken(
  signingKeys: SigningKeys,
  principal: TokenSubject,
  now: EpochMillis,
): Promise<string> {
  return signStorageToken(signingKeys, principal, timed(storageClaims(principal), now))
}

/** Signs a storage token with any claims, otherwise like `mintStorageToken`. */
export function signStorageToken(
  signingKeys: SigningKeys,
  principal: TokenSubject,
  claims: JsonObject,
): Promise<string> {
  const keyVersion = principal.claims['kv']
  return signingKeys.signHs256(
    'storage',
    claims,
    typeof keyVersion === 'number' ? keyVersion : undefined,
  )
}

/** Returns the claims of a storage token, without its time claims. */
export function storageClaims(principal: TokenSubject): JsonObject {
  return {
    role: storageRoleOf(principal.role),
    project_schema: principal.schemaName,
    sub: principal.subject,
    origin_role: principal.role,
  }
}

/** Signs `{role: rt_proj_<slug>, sdb_role, project_schema, sub, claims, exp}`. `claims` are the subscriber's own claims. */
export function mintRealtimeToken(
  signingKeys: SigningKeys,
  principal: TokenSubject,
  now: EpochMillis,
): Promise<string> {
  return signingKeys.signHs256('realtime', timed(realtimeClaims(principal), now))
}

/** Returns the claims of a realtime token, without its time claims. */
export function realtimeClaims(principal: TokenSubject): JsonObject {
  return {
    role: realtimeRoleOf(principal.schemaName),
    sdb_role: principal.role,
    project_schema: principal.schemaName,
    sub: principal.subject,
    claims: principal.claims,
  }
}

function timed(claims: JsonObject, now: EpochMillis): JsonObject {
  const issuedAt = toEpochSeconds(now)
  return { ...claims, iat: issuedAt, exp: issuedAt + SERVICE_TOKEN_SECONDS }
}
