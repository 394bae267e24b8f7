// POST /_emulator/v1/tokens/explain states whether the services accept a credential, with the reason. The services really behave
// in this way.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuthWorld, PASSWORD, startAuthWorld } from '../../../support/auth-world.ts'
import type { TokenExplanation } from '../../../support/inspector-wire.ts'
import { storageToken } from '../../../support/storage-world.ts'
import {
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../../support/test-emulator.ts'

const ADMIN_TOKEN = 'let-me-in-please-now'
const HOUR = 3_600

let world: AuthWorld
/** Another emulator, which has an admin token. */
let foreign: TestEmulator

beforeAll(async () => {
  world = await startAuthWorld()
  foreign = await startTestEmulator({ adminToken: ADMIN_TOKEN })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await foreign[Symbol.asyncDispose]()
})

const projectIdOf = (key: string): string => claimsOf(key).project_id
const claimsOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

async function explain(token: string, at = world.at): Promise<TokenExplanation> {
  const answer = await at.call<TokenExplanation>('POST', '/_emulator/v1/tokens/explain', {
    body: { token },
  })
  expect(answer.status).toBe(200)
  return answer.body
}

async function realtimeToken(credential: string): Promise<string> {
  return (await world.at.call('POST', '/rt/v1/token', { credential })).body.token
}

async function managementKey(options: object = {}): Promise<string> {
  const path = `/groups/v1/${world.group.id}/tenants/${world.tenant.slug}/keys`
  const minted = await world.at.call('POST', path, { credential: world.group.key, body: options })
  return minted.body.key
}

async function signedUrlToken(tenant: TestTenant): Promise<string> {
  const credential = await storageToken(world.at, tenant.serviceRoleKey)
  const bucket = `${tenant.schemaName}_files`
  await world.at.call('POST', '/storage/v1/bucket', { credential, body: { name: bucket } })
  await world.at.call('POST', `/storage/v1/object/${bucket}/a.txt`, {
    credential,
    body: 'a',
    headers: { 'content-type': 'text/plain', 'x-upsert': 'true' },
  })
  const signed = await world.at.call('POST', `/storage/v1/object/sign/${bucket}/a.txt`, {
    credential,
    body: { expiresIn: HOUR },
  })
  return signed.body.signedURL.split('token=')[1]
}

type Services = Readonly<Record<TokenExplanation['services'][number]['service'], boolean>>

function servicesOf({ services }: TokenExplanation): Services {
  return Object.fromEntries(services.map((one) => [one.service, one.accepted])) as Services
}

/** Sends the credential to each service. Returns which services accept it. */
async function presented(token: string): Promise<Services> {
  const { at, tenant, group } = world
  const keys = [tenant.anonKey, tenant.serviceRoleKey]
  const apikey = keys.includes(token) ? token : tenant.anonKey
  const as = (headers = {}) => ({ credential: token, headers })
  const ofKey = keys.includes(token)
    ? await at.call('POST', '/auth/v1/signin', { headers: { apikey: token }, body: {} })
    : await at.call('GET', '/auth/v1/user', as({ apikey: tenant.anonKey }))
  const bucket = `${tenant.schemaName}_files`
  const signed = `/storage/v1/object/sign/${bucket}/a.txt?token=${token}`
  const exec = `/platform/v1/projects/${projectIdOf(tenant.anonKey)}/db/exec`
  const broadcast = { messages: [{ topic: 'x', event: 'y', payload: {}, private: false }] }
  const [rest, buckets, link, realtime, groups, platform] = await Promise.all([
    at.call('GET', '/nothing', as({ apikey })),
    at.call('GET', '/storage/v1/bucket', as()),
    at.call('GET', signed),
    at.call('POST', '/realtime/v1/api/broadcast', { ...as(), body: broadcast }),
    at.call('GET', `/groups/v1/${group.id}`, as()),
    at.call('POST', exec, { ...as(), body: { sql: 'select 1' } }),
  ])
  return {
    rest: rest.status !== 401,
    auth: ofKey.status !== 401,
    storage: buckets.status === 200 || link.status === 200,
    realtime: realtime.status === 202,
    groups: groups.status === 200,
    platform: platform.status === 200,
  }
}

describe('a credential that is valid', () => {
  const CREDENTIALS: readonly (readonly [TokenExplanation['kind'], () => Promise<string>])[] = [
    ['anon_key', async () => world.tenant.anonKey],
    ['service_role_key', async () => world.tenant.serviceRoleKey],
    ['data_plane_token', async () => (await world.freshUser()).data_plane_token],
    ['session_token', async () => (await world.freshUser()).access_token],
    ['storage_token', () => storageToken(world.at, world.tenant.serviceRoleKey)],
    ['realtime_token', () => realtimeToken(world.tenant.anonKey)],
    ['signed_url_token', () => signedUrlToken(world.tenant)],
    ['group_api_key', async () => world.group.key],
    ['management_key', () => managementKey()],
    ['platform_session', async () => world.at.session],
  ]

  it.each(CREDENTIALS)(
    'is accepted by exactly the services that the explanation names: %s',
    async (kind, make) => {
      const token = await make()
      const explanation = await explain(token)
      expect(explanation).toMatchObject({
        kind,
        holds: true,
        sentence: expect.stringMatching(/^The credential is valid/),
      })
      expect(servicesOf(explanation)).toEqual(await presented(token))
    },
  )

  it('is recognised in a header, in quotes and in a URL', async () => {
    const { anonKey } = world.tenant
    for (const pasted of [
      `Authorization: Bearer ${anonKey}`,
      `  "${anonKey}",\n`,
      `http://localhost/x?token=${anonKey}&y=1`,
    ])
      expect(await explain(pasted)).toMatchObject({ kind: 'anon_key', holds: true })
  })

  it('is explained with its header, claims, expiry and project', async () => {
    const { data_plane_token: token, user } = await world.freshUser()
    const explanation = await explain(token)
    expect(explanation).toMatchObject({
      header: { alg: 'ES256' },
      claims: { sub: user.id, role: 'authenticated' },
      signature: 'valid',
      project: { slug: 'shop', schema_name: 'proj_shop', state: 'active' },
      sentence: expect.stringContaining(user.email),
    })
    expect(explanation.expires_at).toBe(
      new Date((explanation.claims as Json).exp * 1_000).toISOString(),
    )
  })
})

describe('the explanation of an invalid credential covers', () => {
  let tenant: TestTenant

  beforeEach(async () => {
    tenant = await provisionTenant(world.at, world.group, `t${++tenants}`)
  })

  const broken = (sentence: RegExp, more: object = {}) => ({
    holds: false,
    sentence: expect.stringMatching(sentence),
    ...more,
  })

  async function regenerateKeys({ anonKey }: TestTenant): Promise<void> {
    const path = `/platform/v1/projects/${projectIdOf(anonKey)}/keys/regenerate`
    const answer = await world.at.call('POST', path, { credential: world.at.session })
    expect(answer.status).toBeLessThan(300)
  }

  it.each(['anonKey', 'serviceRoleKey'] as const)('the %s after key regeneration', async (key) => {
    await regenerateKeys(tenant)
    expect(await explain(tenant[key])).toMatchObject(
      broken(/regenerated.*key version 1.*current one is 2/, { signature: 'valid' }),
    )
  })

  it('a storage or realtime token made before the keys were regenerated', async () => {
    const tokens = [
      await storageToken(world.at, tenant.serviceRoleKey),
      await realtimeToken(tenant.anonKey),
    ]
    await regenerateKeys(tenant)
    for (const token of tokens) {
      const explanation = await explain(token)
      expect(explanation).toMatchObject(broken(/regenerated/))
      expect(Object.values(servicesOf(explanation))).not.toContain(true)
    }
  })

  it('a key of a project that was removed, and later purged', async () => {
    const path = `/groups/v1/${world.group.id}/tenants/${tenant.slug}`
    const credential = world.group.key
    await world.at.call('DELETE', path, { credential })
    expect(await explain(tenant.anonKey)).toMatchObject(
      broken(/removed/, { project: expect.objectContaining({ state: 'deleted' }) }),
    )
    await world.at.call('DELETE', `${path}/purge`, {
      credential,
      body: { confirm_slug: tenant.slug },
    })
    expect(await explain(tenant.anonKey)).toMatchObject(broken(/purged/))
  })

  it('a token that has expired by the platform’s clock', async () => {
    const session = await world.freshUser()
    await world.advance(HOUR + 120)
    for (const token of [session.access_token, session.data_plane_token])
      expect(await explain(token)).toMatchObject(
        broken(/expired 2 minutes ago/, { signature: 'valid' }),
      )
    await world.advance(-HOUR - 120)
    expect(await explain(session.data_plane_token)).toMatchObject({ holds: true })
  })

  it('the access_token of an ended session, whose data_plane_token stays valid', async () => {
    const session = await world.freshUser()
    await world.auth('POST', '/signout', {}, session.access_token)
    expect(await explain(session.access_token)).toMatchObject(
      broken(/session of this token has ended/),
    )
    expect(await explain(session.data_plane_token)).toMatchObject({ holds: true })
  })

  it('a banned user, whose tokens are valid again after the ban', async () => {
    const { user, data_plane_token: token } = await world.freshUser()
    await world.ban(user.id, '2100-01-01T00:00:00Z')
    expect(await explain(token)).toMatchObject(broken(/banned/))
    await world.ban(user.id, null)
    expect(await explain(token)).toMatchObject({ holds: true })
  })

  it('a deleted user', async () => {
    const { user, data_plane_token: token, access_token: access } = await world.freshUser()
    await world.at.call('DELETE', `/_emulator/v1/projects/shop/users/${user.id}`)
    for (const one of [token, access])
      expect(await explain(one)).toMatchObject(broken(/was deleted/))
  })

  it('a token of another emulator, and a key that was changed', async () => {
    expect(await explain(foreign.session)).toMatchObject(
      broken(/another emulator/, { kind: 'platform_session', signature: 'invalid' }),
    )
    const [header, , signature] = tenant.anonKey.split('.')
    const claims = { ...claimsOf(tenant.anonKey), role: 'service_role' }
    const changed = Buffer.from(JSON.stringify(claims)).toString('base64url')
    expect(await explain(`${header}.${changed}.${signature}`)).toMatchObject(
      broken(/altered after signing/, { kind: 'service_role_key', signature: 'invalid' }),
    )
    const otherHeader = Buffer.from('{"alg":"ES256","kid":"x"}').toString('base64url')
    expect(await explain([otherHeader, changed, signature].join('.'))).toMatchObject(
      broken(/another emulator/, { signature: 'unknown_key' }),
    )
  })

  it('a revoked or foreign Group API Key', async () => {
    expect(await explain(`sdb_gk_${'A'.repeat(43)}`)).toMatchObject(
      broken(/revoked, or belongs to another emulator/, { kind: 'group_api_key' }),
    )
  })

  it('a management key past its expiry', async () => {
    const key = await managementKey({ expires_in_days: 1 })
    await world.advance(25 * HOUR)
    expect(await explain(key)).toMatchObject(broken(/expired 1 hour ago/))
    await world.advance(-25 * HOUR)
  })

  it('a signed URL past its expiry', async () => {
    const token = await signedUrlToken(tenant)
    await world.advance(2 * HOUR)
    expect(await explain(token)).toMatchObject(broken(/expired 1 hour ago/))
    await world.advance(-2 * HOUR)
  })

  it.each(['', 'hello', 'a.b.c', 'v4.public.AAAA', `${'x'.repeat(43)}`, '{"a":1}', 'null', '..'])(
    'text without a credential: %j',
    async (token) => {
      expect(await explain(token)).toMatchObject({ kind: 'unknown', ...broken(/.{20}/) })
    },
  )

  it('an unsigned JWT that claims to be a key', async () => {
    const header = Buffer.from('{"alg":"none"}').toString('base64url')
    const token = `${header}.${tenant.anonKey.split('.')[1]}.x`
    expect(await explain(token)).toMatchObject(broken(/.{20}/, { signature: 'not_signed' }))
  })
})

it('recognises the admin token', async () => {
  const answer = await foreign.call('POST', '/_emulator/v1/tokens/explain', {
    credential: ADMIN_TOKEN,
    body: { token: ADMIN_TOKEN },
  })
  expect(answer.body).toMatchObject({ kind: 'admin_token', holds: true })
})

it('writes no secret into the journal', async () => {
  await explain(world.tenant.serviceRoleKey)
  await world.auth('POST', '/signin', { email: 'x@example.com', password: PASSWORD })
  const journal = await world.at.call('GET', '/_emulator/v1/journal')
  expect(journal.text).not.toContain(world.tenant.serviceRoleKey)
})

let tenants = 0
