// Short-lived HS256 tokens for the two services that validate on their own: storage and realtime (docs/wire/credentials.md#storage-token).
import type { JsonObject } from '../core/json.ts'
import { realtimeRoleOf } from '../core/names.ts'
import type { Principal, PrincipalRole } from '../core/principal.ts'
import { type EpochMillis, toEpochSeconds } from '../core/time.ts'
import type { SigningKeys } from './signing-keys.ts'

/** 1 hour: storage by docs/wire/credentials.md#storage-token, realtime by the seed. */
export const SERVICE_TOKEN_SECONDS = 3600

/** Roles that exist in storage (docs/wire/credentials.md#storage-token). */
export type StorageRole = 'anon' | 'authenticated'

/** The storage role of a credential's role (docs/wire/credentials.md#storage-token). */
export function storageRoleOf(role: PrincipalRole): StorageRole {
  return role === 'anon' ? 'anon' : 'authenticated'
}

/** The bearer of a service token; every Principal is one. */
export type TokenSubject = Pick<Principal, 'schemaName' | 'role' | 'subject' | 'claims'>

/**
 * Signs `{role, project_schema, sub, origin_role, exp}`. The version of the project's keys is in the header: the token ends when
 * they are regenerated, and the list of its claims is closed (docs/wire/credentials.md#storage-token).
 */
export function mintStorageToken(
  signingKeys: SigningKeys,
  principal: TokenSubject,
  now: EpochMillis,
): Promise<string> {
  return signStorageToken(signingKeys, principal, timed(storageClaims(principal), now))
}

/** As `mintStorageToken`, with claims of the caller's choice. */
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

/** The claims of a storage token, without its times. */
export function storageClaims(principal: TokenSubject): JsonObject {
  return {
    role: storageRoleOf(principal.role),
    project_schema: principal.schemaName,
    sub: principal.subject,
    origin_role: principal.role,
  }
}

/** Signs `{role: rt_proj_<slug>, sdb_role, project_schema, sub, claims, exp}`; `claims` are the subscriber's own. */
export function mintRealtimeToken(
  signingKeys: SigningKeys,
  principal: TokenSubject,
  now: EpochMillis,
): Promise<string> {
  return signingKeys.signHs256('realtime', timed(realtimeClaims(principal), now))
}

/** The claims of a realtime token, without its times. */
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
