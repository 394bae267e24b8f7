// Mints a token in place of a recorded one: for the same identity, on the platform that the recording is replayed on. The
// recording contains claims of the token, but not the token.
import type { MintTokenRequest } from '../../../contract/tokens.ts'
import { isJsonObject } from '../../../core/json.ts'
import { parseInstant } from '../../../core/time.ts'
import { readJson } from '../../../platform/http-client/read-json.ts'
import { type Correspondence, GLOBAL } from '../compare/correspondence.ts'
import type { CredentialFacts, HarEntry } from '../har/har.ts'
import type { ReplayPlatform } from './platform.ts'

type Claims = CredentialFacts['claims']

export interface Minting {
  readonly platform: ReplayPlatform
  readonly pairs: Correspondence
  readonly entry: HarEntry
}

/** Returns `undefined` for a credential without claims, and when the emulator has no such identity. */
export async function mintFor(
  claims: Claims | undefined,
  { entry, pairs, platform }: Minting,
): Promise<string | undefined> {
  if (claims === undefined) return undefined
  const { email, exp, project_schema: project, role, sub } = claims
  if (role === undefined) return (await platform.info()).platform.session_token
  if (typeof project !== 'string') return undefined
  // The access_token of an end user is a PASETO, whose times are texts. Only a sign-in makes it.
  if (typeof exp === 'string') return signIn(platform, project, email)
  const kind = kindOf(claims)
  const order: MintTokenRequest = { project, kind, ...expiryOf(exp, entry) }
  if (kind === 'anon_key' || kind === 'service_role_key') return platform.mint(order)
  const isUser = [role, claims['sdb_role'], claims['origin_role']].includes('authenticated')
  if (!isUser) {
    const acting = [claims['sdb_role'], claims['origin_role'], role].find(isRole) ?? 'anon'
    return platform.mint({ ...order, role: acting })
  }
  const subject = typeof sub === 'string' ? (pairs.replayedOf(GLOBAL, sub) ?? sub) : undefined
  const users = [email, subject].filter((user) => typeof user === 'string')
  for (const user of users) {
    const token = await platform.mint({ ...order, role: 'authenticated', user })
    if (token !== undefined) return token
  }
  return undefined
}

function kindOf({ exp, origin_role, role, sdb_role }: Claims): MintTokenRequest['kind'] {
  if (sdb_role !== undefined || String(role).startsWith('rt_')) return 'realtime_token'
  if (origin_role !== undefined) return 'storage_token'
  if (role === 'anon' && exp === undefined) return 'anon_key'
  if (role === 'service_role' && exp === undefined) return 'service_role_key'
  return 'data_plane_token'
}

// A token that had expired when it was sent stays expired.
function expiryOf(exp: string | number | undefined, { startedDateTime }: HarEntry): object {
  const sentAt = parseInstant(startedDateTime)
  if (typeof exp !== 'number' || sentAt === undefined) return {}
  const seconds = Math.round(exp - sentAt / 1_000)
  return seconds > 0 ? {} : { expires_in: Math.min(seconds, -1) }
}

function isRole(value: unknown): value is 'anon' | 'authenticated' | 'service_role' {
  return value === 'anon' || value === 'authenticated' || value === 'service_role'
}

async function signIn(
  platform: ReplayPlatform,
  schema: string,
  email: string | number | undefined,
): Promise<string | undefined> {
  const { groups } = await platform.info()
  const tenant = groups
    .flatMap((group) => group.tenants)
    .find(({ schema_name }) => schema_name === schema)
  const user = tenant?.users.find((each) => each.email === email)
  if (tenant === undefined || user === undefined) return undefined
  const { origin } = new URL(platform.bases.auth)
  const { bytes, status } = await platform.http.send({
    url: `${platform.bases.auth}/auth/v1/signin`,
    method: 'POST',
    headers: { apikey: tenant.anon_key, 'content-type': 'application/json' },
    body: JSON.stringify(user),
  })
  const session = status === 200 ? readJson(origin, bytes.toString()) : undefined
  return isJsonObject(session) && typeof session['access_token'] === 'string'
    ? session['access_token']
    : undefined
}
