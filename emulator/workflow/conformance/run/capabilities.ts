// Finds out what a run can check. Reads the given credentials, and the emulator's own credentials when the target is an
// emulator.

import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import { readClaims } from '../../../platform/credentials/unverified-claims.ts'
import type { Capabilities, GroupAccess, Need, TenantAccess } from '../model/check.ts'
import type { Wire } from './wire.ts'

/** Credentials that the caller gives. */
export interface GivenCredentials {
  readonly sessionToken?: string | undefined
  /** Account of the dashboard, which is signed in when there is no session token. */
  readonly account?: { readonly email: string; readonly password: string } | undefined
  readonly groupId?: string | undefined
  readonly groupApiKey?: string | undefined
  readonly anonKey?: string | undefined
  readonly serviceRoleKey?: string | undefined
  readonly adminToken?: string | undefined
}

/** Why a check is skipped when something that it needs is missing. */
export const MISSING: Readonly<Record<Need, string>> = {
  emulator: 'the emulator’s own choice, and the target is another platform',
  hosts: 'needs a target with a host name for each service, such as auth.localhost',
  session: 'needs a session of the dashboard (TENANTRY_REMOTE_SESSION_TOKEN)',
  group: 'needs a group (TENANTRY_GROUP_ID and TENANTRY_REMOTE_GROUP_API_KEY)',
  tenant: 'needs a tenant (TENANTRY_ANON_KEY)',
  serviceRoleKey: 'needs TENANTRY_SERVICE_ROLE_KEY',
  lab: 'needs --write',
  owner: 'needs --write with a group of the run’s own',
  refusals: 'needs other checks',
}

/** Reads what the target and the credentials offer. A given credential takes precedence over a credential of the emulator. */
export async function readCapabilities(
  wire: Wire,
  given: GivenCredentials,
): Promise<Partial<Capabilities>> {
  const info = await wire.send({
    plane: 'auth',
    method: 'GET',
    path: '/_emulator/v1/info',
    bearer: given.adminToken,
  })
  const isEmulator = info.status === 200 || info.status === 401 || info.status === 403
  const offered = info.status === 200 && isJsonObject(info.body) ? offeredIn(info.body) : {}
  const session = given.sessionToken ?? (await signedIn(wire, given)) ?? offered.session
  const group = groupIn(given) ?? offered.group
  const tenant = given.anonKey === undefined ? offered.tenant : tenantOf(given.anonKey)
  const serviceRoleKey =
    given.serviceRoleKey ?? (given.anonKey === undefined ? offered.serviceRoleKey : undefined)
  return {
    ...(isEmulator ? { emulator: { adminToken: given.adminToken } } : {}),
    ...(session === undefined ? {} : { session }),
    ...(group === undefined ? {} : { group }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(serviceRoleKey === undefined ? {} : { serviceRoleKey }),
  }
}

/** Reads the tenant from the claims of its anon key. Returns `undefined` for any text except a project key. */
function tenantOf(anonKey: string): TenantAccess | undefined {
  const claims = readClaims(anonKey)
  const schemaName = claims?.['project_schema']
  const projectId = claims?.['project_id']
  if (typeof schemaName !== 'string' || typeof projectId !== 'string') return undefined
  return { slug: schemaName.replace(/^proj_/, ''), schemaName, projectId, anonKey }
}

function groupIn({ groupApiKey, groupId }: GivenCredentials): GroupAccess | undefined {
  if (groupApiKey === undefined || groupId === undefined) return undefined
  return { id: groupId, key: groupApiKey }
}

async function signedIn(wire: Wire, { account, adminToken }: GivenCredentials) {
  if (account === undefined) return undefined
  const path = '/platform/v1/session'
  const { body } = await wire.send({
    plane: 'auth',
    method: 'POST',
    path,
    bearer: adminToken,
    json: account,
  })
  return isJsonObject(body) ? textIn(body, 'session_token') : undefined
}

function offeredIn({ groups, platform }: JsonObject): Partial<Capabilities> {
  const session = isJsonObject(platform) ? textIn(platform, 'session_token') : undefined
  const group = (Array.isArray(groups) ? groups : [])
    .filter(isJsonObject)
    .find(({ tenants }) => Array.isArray(tenants) && tenants.length > 0)
  const [first] = Array.isArray(group?.['tenants']) ? group['tenants'] : []
  const id = group && textIn(group, 'id')
  const key = group && textIn(group, 'group_api_key')
  const anonKey = isJsonObject(first) ? textIn(first, 'anon_key') : undefined
  const serviceRoleKey = isJsonObject(first) ? textIn(first, 'service_role_key') : undefined
  const tenant = anonKey === undefined ? undefined : tenantOf(anonKey)
  return {
    ...(session === undefined ? {} : { session }),
    ...(id === undefined || key === undefined ? {} : { group: { id, key } }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(serviceRoleKey === undefined ? {} : { serviceRoleKey }),
  }
}

function textIn(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}
