// POST /_emulator/v1/tokens/mint: any project credential with chosen claims and expiry, in the form that the services read.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuthWorld, startAuthWorld } from '../../../support/auth-world.ts'
import type { MintedToken, MintTokenRequest } from '../../../support/inspector-wire.ts'
import type { Answer, Json } from '../../../support/test-emulator.ts'

let world: AuthWorld

beforeAll(async () => {
  world = await startAuthWorld()
  await world.execute(`
    create function whoami() returns jsonb language sql stable as
      $$ select auth.jwt() || jsonb_build_object('acting', current_user) $$`)
})
afterAll(() => world[Symbol.asyncDispose]())

const order = (body: Omit<MintTokenRequest, 'project'> & Json): Promise<Answer<Json>> =>
  world.at.call('POST', '/_emulator/v1/tokens/mint', { body: { project: 'shop', ...body } })

async function mint(body: Omit<MintTokenRequest, 'project'>): Promise<MintedToken> {
  const answer = await order(body)
  expect(answer.status).toBe(201)
  return answer.body
}

const whoami = (token: string) => world.data('GET', '/rpc/whoami', token)

it('mints a user’s token with the user’s own metadata and further claims', async () => {
  const { user } = await world.freshUser({ data: { plan: 'gold' } })
  const { token } = await mint({
    kind: 'data_plane_token',
    user: user.email,
    claims: { clinic: 7 },
  })
  expect((await whoami(token)).body).toMatchObject({
    acting: 'authenticated',
    sub: user.id,
    email: user.email,
    user_metadata: { plan: 'gold' },
    clinic: 7,
  })
})

it('mints a token for a new user id when no user is given', async () => {
  const { token, claims } = await mint({ kind: 'data_plane_token' })
  expect((await whoami(token)).body).toMatchObject({ sub: claims['sub'] })
})

it.each(['anon', 'service_role'] as const)('mints the %s key', async (role) => {
  const minted = await mint({ kind: `${role}_key`, claims: { extra: true } })
  expect(minted.expires_at).toBeNull()
  expect((await whoami(minted.token)).body).toMatchObject({ acting: role, extra: true })
})

it('mints a key with an expiry, although keys of the platform do not expire', async () => {
  const { token, expires_at: expiresAt } = await mint({ kind: 'anon_key', expires_in: 60 })
  expect(expiresAt).toMatch(/Z$/)
  expect((await whoami(token)).status).toBe(200)
  await world.advance(61)
  expect((await whoami(token)).status).toBe(401)
})

it('mints an expired token', async () => {
  const { token } = await mint({ kind: 'data_plane_token', expires_in: -60 })
  const answer = await whoami(token)
  expect(answer.status).toBe(401)
  expect(answer.text).toMatch(/expired/)
})

it('mints a key of an older key version', async () => {
  const { token } = await mint({ kind: 'anon_key', claims: { kv: 0 } })
  expect((await whoami(token)).text).toMatch(/regenerated/)
})

it.each(['anon', 'authenticated', 'service_role'] as const)(
  'mints a storage token for the role %s',
  async (role) => {
    const { token } = await mint({ kind: 'storage_token', role })
    const buckets = await world.at.call('GET', '/storage/v1/bucket', { credential: token })
    expect(buckets.status).toBe(200)
  },
)

it.each(['anon', 'authenticated', 'service_role'] as const)(
  'mints a realtime token for the role %s',
  async (role) => {
    const { token } = await mint({ kind: 'realtime_token', role })
    const sent = await world.at.call('POST', '/realtime/v1/api/broadcast', {
      credential: token,
      body: { messages: [{ topic: 'x', event: 'y', payload: {}, private: false }] },
    })
    expect(sent.status).toBe(202)
  },
)

it.each<[string, Omit<MintTokenRequest, 'project'> & Json]>([
  ['a role that does not match the kind', { kind: 'anon_key', role: 'service_role' }],
  ['a user for a key', { kind: 'anon_key', user: 'ana@example.com' }],
  ['claims of the platform', { kind: 'anon_key', claims: { project_schema: 'proj_other' } }],
  ['an unknown kind', { kind: 'group_api_key' }],
  ['an expiry that is not numeric', { kind: 'anon_key', expires_in: 'soon' }],
])('refuses %s', async (_what, body) => {
  expect((await order(body)).status).toBe(400)
})

it('returns 404 for an unknown user', async () => {
  expect((await order({ kind: 'data_plane_token', user: 'nobody@example.com' })).status).toBe(404)
})
