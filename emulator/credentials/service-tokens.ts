// Short-lived HS256 tokens for the two services that validate on their own: storage and realtime (contract.md §2;
// seed: "Storage token result", "Realtime token result").
import type { JsonObject } from '../core/json.ts'
import { realtimeRoleOf } from '../core/names.ts'
import type { Principal, PrincipalRole } from '../core/principal.ts'
import { type EpochMillis, toEpochSeconds } from '../core/time.ts'
import type { ServiceSecret, SigningKeys } from './signing-keys.ts'

/** 1 hour: storage by contract.md §7, realtime by the seed. */
export const SERVICE_TOKEN_SECONDS = 3600

/** Roles that exist in storage (contract.md §7). */
export type StorageRole = 'anon' | 'authenticated'

/** Which storage role a credential's role becomes (seed: "Token endpoints"). */
export function storageRoleOf(role: PrincipalRole): StorageRole {
  return role === 'anon' ? 'anon' : 'authenticated'
}

/**
 * Signs `{role, project_schema, sub, origin_role, exp}`. The version of the project's keys stands in the header: the token ends
 * when they are regenerated, and the list of its claims is closed (contract.md §2).
 */
export function mintStorageToken(
  signingKeys: SigningKeys,
  principal: Principal,
  now: EpochMillis,
): Promise<string> {
  const keyVersion = principal.claims['kv']
  return sign(
    signingKeys,
    'storage',
    now,
    {
      role: storageRoleOf(principal.role),
      project_schema: principal.schemaName,
      sub: principal.subject,
      origin_role: principal.role,
    },
    typeof keyVersion === 'number' ? keyVersion : undefined,
  )
}

/** Signs `{role: rt_proj_<slug>, sdb_role, project_schema, sub, claims, exp}`; `claims` are the subscriber's own. */
export function mintRealtimeToken(
  signingKeys: SigningKeys,
  principal: Principal,
  now: EpochMillis,
): Promise<string> {
  return sign(signingKeys, 'realtime', now, {
    role: realtimeRoleOf(principal.schemaName),
    sdb_role: principal.role,
    project_schema: principal.schemaName,
    sub: principal.subject,
    claims: principal.claims,
  })
}

function sign(
  signingKeys: SigningKeys,
  secret: ServiceSecret,
  now: EpochMillis,
  claims: JsonObject,
  keyVersion?: number,
): Promise<string> {
  const issuedAt = toEpochSeconds(now)
  const timed = { ...claims, iat: issuedAt, exp: issuedAt + SERVICE_TOKEN_SECONDS }
  return signingKeys.signHs256(secret, timed, keyVersion)
}
