// POST /st/v1/token and POST /rt/v1/token: docs/wire/credentials.md#storage-token and #realtime-token.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createGroup,
  provisionTenant,
  setSwitches,
  type TestEmulator,
  type TestTenant,
  userToken,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const USER = '00000000-0000-4000-8000-00000000000a'
let at: TestEmulator
let tenant: TestTenant

beforeAll(async () => {
  at = await workerEmulator()
  tenant = await provisionTenant(at, await createGroup(at, 'tokens'), 'holder')
})
afterAll(() => at[Symbol.asyncDispose]())

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
const unauthorized = {
  status: 401,
  body: { error: { code: 'unauthorized', message: expect.stringMatching(/.{15}/) } },
}

describe('POST /st/v1/token', () => {
  const exchange = (credential?: string) =>
    at.call('POST', '/st/v1/token', credential === undefined ? {} : { credential })

  it('gives an anon key a token that only reads', async () => {
    const answer = await exchange(tenant.anonKey)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        role: 'anon',
        pode_escrever: false,
        url: `${at.url}/storage/v1`,
        token: expect.any(String),
      },
    })
    expect(headerOf(answer.body.token).alg).toBe('HS256')
    expect(claimsOf(answer.body.token)).toMatchObject({
      role: 'anon',
      project_schema: 'proj_holder',
      origin_role: 'anon',
    })
  })

  it('gives a service_role key a token that writes', async () => {
    expect(await exchange(tenant.serviceRoleKey)).toMatchObject({
      status: 200,
      body: { role: 'authenticated', pode_escrever: true },
    })
  })

  it('gives a user’s data_plane_token a token that writes, for one hour', async () => {
    const answer = await exchange(await userToken(at, 'holder', USER))
    expect(answer).toMatchObject({
      status: 200,
      body: { role: 'authenticated', pode_escrever: true },
    })
    const claims = claimsOf(answer.body.token)
    expect(claims).toMatchObject({ sub: USER, origin_role: 'authenticated' })
    expect(claims.exp - claims.iat).toBe(3600)
  })

  it('builds the url from the address that the caller used', async () => {
    const request = new Request('http://api.localhost:7357/st/v1/token', { method: 'POST' })
    const fromDataHost = await at.emulator.fetch(request)
    expect(fromDataHost.status).not.toBe(200)
    const answer = await at.emulator.fetch(
      new Request('http://auth.localhost:9/st/v1/token', {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.anonKey}` },
      }),
    )
    expect(await answer.json()).toMatchObject({ url: 'http://storage.localhost:9' })
  })

  it('refuses the session’s PASETO', async () => {
    const answer = await exchange(at.session)
    expect(answer).toMatchObject(unauthorized)
    expect(answer.text).toMatch(/PASETO/)
  })

  it.each([undefined, 'nonsense', 'a.b.c'])('refuses %j', async (credential) => {
    expect(await exchange(credential)).toMatchObject(unauthorized)
  })

  it('answers 402 when the free plan is over its storage quota', async () => {
    const free = await createGroup(at, 'free_tokens', { plan: 'free' })
    const poor = await provisionTenant(at, free, 'poor')
    expect((await exchange(poor.anonKey)).status).toBe(200)
    await setSwitches(at, 'poor', ['storage_over_quota'])
    expect(await exchange(poor.anonKey)).toMatchObject({
      status: 402,
      body: { error: { code: 'storage_quota_exceeded' } },
    })
  })

  it('ignores the body', async () => {
    expect(
      (await at.call('POST', '/st/v1/token', { credential: tenant.anonKey, body: '{not json' }))
        .status,
    ).toBe(200)
  })

  it('answers 405 to other methods', async () => {
    expect(await at.call('GET', '/st/v1/token', { credential: tenant.anonKey })).toMatchObject({
      status: 405,
    })
  })
})

describe('POST /rt/v1/token', () => {
  const exchange = (credential?: string) =>
    at.call('POST', '/rt/v1/token', credential === undefined ? {} : { credential })

  it('gives a user’s data_plane_token a token that carries the user’s claims', async () => {
    const answer = await exchange(await userToken(at, 'holder', USER))
    expect(answer).toMatchObject({
      status: 200,
      body: {
        papel_de_origem: 'authenticated',
        expires_in: 3600,
        role: 'rt_proj_holder',
        url: `${at.url.replace('http', 'ws')}/realtime/v1`,
      },
    })
    expect(claimsOf(answer.body.token)).toMatchObject({
      role: 'rt_proj_holder',
      sdb_role: 'authenticated',
      project_schema: 'proj_holder',
      sub: USER,
      claims: { role: 'authenticated', sub: USER },
    })
  })

  it.each(['anon', 'service_role'] as const)(
    'returns the key’s role %s as papel_de_origem',
    async (role) => {
      const key = role === 'anon' ? tenant.anonKey : tenant.serviceRoleKey
      expect(await exchange(key)).toMatchObject({ status: 200, body: { papel_de_origem: role } })
    },
  )

  it('refuses the session’s PASETO', async () => {
    expect(await exchange(at.session)).toMatchObject(unauthorized)
  })

  it('answers 403 when the project is not active', async () => {
    const group = await createGroup(at, 'leaving')
    const gone = await provisionTenant(at, group, 'gone')
    await at.call('DELETE', `/groups/v1/${group.id}/tenants/gone`, { credential: group.key })
    expect(await exchange(gone.anonKey)).toMatchObject({
      status: 403,
      body: { error: { message: 'project is not active' } },
    })
  })
})

describe('keys', () => {
  it('are ES256 JWTs with the platform’s claims and without an expiry', async () => {
    const { keys } = (await at.call('GET', '/.well-known/jwks.json')).body
    expect(headerOf(tenant.anonKey)).toMatchObject({ alg: 'ES256', kid: keys[0].kid })
    expect(claimsOf(tenant.anonKey)).toEqual({
      role: 'anon',
      project_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      project_schema: 'proj_holder',
      kv: 1,
      sub: 'apikey:anon',
      iat: expect.any(Number),
      iss: expect.any(String),
      aud: expect.any(String),
    })
  })

  it('are refused everywhere as soon as they are regenerated', async () => {
    const group = await createGroup(at, 'rotating')
    const old = await provisionTenant(at, group, 'rotated')
    const { project_id: projectId } = claimsOf(old.anonKey)
    const fresh = await at.call('POST', `/platform/v1/projects/${projectId}/keys/regenerate`, {
      credential: at.session,
    })
    expect(fresh.status).toBe(200)
    expect(claimsOf(fresh.body.anon_key).kv).toBe(2)
    expect(await at.call('POST', '/st/v1/token', { credential: old.anonKey })).toMatchObject(
      unauthorized,
    )
    expect(await at.call('POST', '/rt/v1/token', { credential: old.anonKey })).toMatchObject(
      unauthorized,
    )
    expect(
      (await at.call('POST', '/st/v1/token', { credential: fresh.body.anon_key })).status,
    ).toBe(200)
  })
})
