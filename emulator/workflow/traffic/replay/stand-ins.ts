// Finds a credential or secret for a placeholder of the recording, when no answer of the replay contained the value. Examples
// are a key from the settings of the application, a password that a user typed, and a code from a message.
import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { ReadyTenant } from '../../../contract/addresses.ts'
import type { MailboxMessage } from '../../../contract/mailbox.ts'
import type { MintTokenRequest } from '../../../contract/tokens.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import { parseInstant } from '../../../core/time.ts'
import { readJson } from '../../../platform/http-client/read-json.ts'
import { type Correspondence, GLOBAL } from '../compare/correspondence.ts'
import type { CredentialFacts, HarEntry } from '../har/har.ts'
import { kindOfPlaceholder } from '../masking/placeholders.ts'
import type { ReplayPlatform } from './platform.ts'

export interface StandIns {
  /** Returns the value to send in this request instead of the placeholder. */
  find(placeholder: string, entry: HarEntry): Promise<string>
  /** Remembers the secret of a second factor that an answer of the replay contains. */
  noteAnswer(text: string): void
}

/** A wrong code. The replay sends it when the platform refused the recorded sign-in, or when no message contains a code. */
const REFUSED_CODE = '000000'

interface Memory {
  /** Secrets of second factors, by id. */
  readonly factors: Map<string, string>
  /** Number of the placeholder of the PKCE challenge that the platform accepted last. */
  challenge: string
}

interface Searching {
  readonly platform: ReplayPlatform
  readonly pairs: Correspondence
  readonly claimsOf: ReadonlyMap<string, CredentialFacts['claims']>
  readonly memory: Memory
  readonly entry: HarEntry
  /** The members of the recorded request's body. */
  readonly members: JsonObject
}

export function createStandIns(
  platform: ReplayPlatform,
  pairs: Correspondence,
  claimsOf: ReadonlyMap<string, CredentialFacts['claims']>,
): StandIns {
  const memory: Memory = { factors: new Map(), challenge: '' }
  return {
    find: (placeholder, entry) => {
      const body = parseJson(entry.request.postData?.text ?? '')
      const members = isJsonObject(body) ? body : {}
      return standInFor(placeholder, { platform, pairs, claimsOf, memory, entry, members })
    },
    noteAnswer: (text) => {
      const answer = parseJson(text)
      if (!isJsonObject(answer)) return
      const { id, secret } = answer
      if (typeof id === 'string' && typeof secret === 'string') memory.factors.set(id, secret)
    },
  }
}

async function standInFor(placeholder: string, searching: Searching): Promise<string> {
  const { claimsOf, entry, memory, pairs, platform } = searching
  const kind = kindOfPlaceholder(placeholder)
  const number = placeholder.split('~')[2] ?? ''
  switch (kind) {
    case 'token':
      return (await mintFor(claimsOf.get(placeholder), { platform, pairs, entry })) ?? placeholder
    case 'group-key':
    case 'management-key':
      return (await keyFor(kind, searching)) ?? placeholder
    case 'password':
      return (await passwordFor(searching)) ?? `Replayed-password-${number}`
    case 'short-password':
      return number.padStart(5, 'x').slice(-5)
    case 'challenge':
      if (!isGranted(entry)) return 'not-a-challenge'
      memory.challenge = number
      return challengeOf(verifierOf(number))
    case 'verifier':
      return verifierOf(isGranted(entry) ? memory.challenge : `other-${number}`)
    case 'code':
      return codeFor(searching)
    case 'key':
    case 'secret': {
      // A password may look like a key, and is then recorded as a key.
      const isPassword = searching.members['password'] === placeholder
      const found = await (isPassword ? passwordFor(searching) : linkToken(searching))
      return found ?? `replayed-secret-${number}`
    }
    default:
      return kind satisfies never
  }
}

async function passwordFor(searching: Searching): Promise<string | undefined> {
  const { entry, members, pairs, platform } = searching
  if (!isGranted(entry)) return undefined
  const info = await platform.info()
  const { email } = members
  if (/\/platform\/v1\/session$/.test(entry.request.url)) {
    if (typeof email === 'string') pairs.relate(GLOBAL, email, info.platform.email)
    return info.platform.password
  }
  const tenants = info.groups.flatMap((group) => group.tenants)
  return tenants
    .filter((tenant) => isTenantOf(tenant, searching))
    .flatMap(({ users }) => users)
    .find((user) => user.email === email)?.password
}

function isTenantOf(tenant: ReadyTenant, { claimsOf, entry }: Searching): boolean {
  const header = (name: string): string | undefined =>
    entry.request.headers.find((field) => field.name.toLowerCase() === name)?.value
  const named = header('x-superdb-project')
  if (named !== undefined) return named === tenant.slug
  const schema = claimsOf.get(header('apikey') ?? '')?.['project_schema']
  return schema === undefined || schema === tenant.schema_name
}

async function codeFor({ entry, members, memory, pairs, platform }: Searching): Promise<string> {
  if (!isGranted(entry)) return REFUSED_CODE
  const factor = memory.factors.get(pairs.translate(String(members['factorId'] ?? '')))
  if (factor !== undefined)
    return new TOTP({ secret: Secret.fromBase32(factor) }).generate({ timestamp: platform.now() })
  const to = members['email'] ?? members['phone']
  const sent = (await platform.messages()).find(
    (message) => message.code !== null && (to === undefined || message.to === to),
  )
  return sent?.code ?? REFUSED_CODE
}

async function keyFor(
  kind: 'group-key' | 'management-key',
  { entry, pairs, platform }: Searching,
): Promise<string | undefined> {
  const { groups } = await platform.info()
  const url = pairs.translate(entry.request.url)
  if (kind === 'group-key')
    return (groups.find(({ id }) => url.includes(id)) ?? groups[0])?.group_api_key
  const tenants = groups.flatMap((group) => group.tenants)
  return tenants.find(({ project_id }) => url.includes(project_id))?.management_key
}

async function linkToken({ entry, platform }: Searching): Promise<string | undefined> {
  if (!isGranted(entry) || !/\/auth\/v1\/(verify|password\/reset)/.test(entry.request.url))
    return undefined
  return (await platform.messages()).map(tokenOfLink).find((token) => token !== undefined)
}

// A used link is answered with a redirect whose address contains an error.
function isGranted({ response }: HarEntry): boolean {
  return response.status < 400 && !/[?&#]error=/.test(response.redirectURL)
}

function tokenOfLink({ link }: MailboxMessage): string | undefined {
  return link === null ? undefined : /[?&#]token=([^&#]+)/.exec(link)?.[1]
}

// RFC 7636 §4.1: a verifier has 43 to 128 characters.
function verifierOf(number: string): string {
  return `replayed-verifier-${number}-`.padEnd(43, '0')
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

// Mints a token in place of a recorded token: for the same identity, on the platform of the replay. The recording contains the
// token's claims, but not the token.

type Claims = CredentialFacts['claims']

interface Minting {
  readonly platform: ReplayPlatform
  readonly pairs: Correspondence
  readonly entry: HarEntry
}

/** Returns `undefined` for a credential without claims, and when the emulator has no such identity. */
async function mintFor(
  claims: Claims | undefined,
  { entry, pairs, platform }: Minting,
): Promise<string | undefined> {
  if (claims === undefined) return undefined
  const { email, exp, project_schema: project, role, sub } = claims
  if (role === undefined) return (await platform.info()).platform.session_token
  if (typeof project !== 'string') return undefined
  // A token whose expiry is a text is a PASETO, the access_token of an end user. Only a sign-in creates such a token.
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

// When the recorded token had already expired, the minted token is expired, too.
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
