// The tenant of requests with a refused credential in the journal: the tenant that the token names, marked as claimed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
let north: TestTenant
let south: TestTenant
beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'clinic', {
    sql: 'create table rooms (id int primary key); grant select on rooms to anon;',
  })
  north = await provisionTenant(at, group, 'north')
  south = await provisionTenant(at, group, 'south')
})
afterAll(() => at[Symbol.asyncDispose]())

/** Returns a token with the same claims and an invalid signature. */
const forged = (token: string): string =>
  `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`

const mint = async (order: object): Promise<string> => {
  const { body } = await at.call('POST', '/_emulator/v1/tokens/mint', {
    body: { project: 'north', ...order },
  })
  return body.token
}

const entryOf = async (requestId: string | null): Promise<Json> => {
  const { body } = await at.call('GET', `/_emulator/v1/journal?request_id=${requestId}`)
  return body.entries[0]
}

const ofTenant = async (slug: string, status: string): Promise<Json[]> => {
  const query = `schema_name=proj_${slug}&status=${status}`
  return (await at.call('GET', `/_emulator/v1/journal?${query}`)).body.entries
}

const claimed = { schema_name: 'proj_north', schema_is_claimed: true, role: null, subject: null }

describe('a refused credential is recorded under the tenant in its claims', () => {
  it.each([
    ['with a foreign signature', async () => forged(north.anonKey)],
    ['that has expired', () => mint({ kind: 'data_plane_token', expires_in: -60 })],
    ['of a kind that the data plane does not take', () => mint({ kind: 'storage_token' })],
  ])('in a read of rows, %s', async (_flaw, credentialOf) => {
    const credential = await credentialOf()
    const answer = await at.call('GET', '/rooms', {
      credential,
      headers: { apikey: north.anonKey },
    })
    expect(answer.status).toBe(401)
    expect(await entryOf(answer.headers.get('x-request-id'))).toMatchObject(claimed)
  })

  it('in a read of rows without Authorization, by the claims of the apikey', async () => {
    const answer = await at.call('GET', '/rooms', { headers: { apikey: north.anonKey } })
    expect(await entryOf(answer.headers.get('x-request-id'))).toMatchObject(claimed)
  })

  it.each([
    ['POST', '/st/v1/token', async () => forged(north.anonKey)],
    ['POST', '/rt/v1/token', async () => forged(north.anonKey)],
    ['GET', '/storage/v1/bucket', async () => north.serviceRoleKey],
    ['GET', '/storage/v1/bucket', async () => forged(await mint({ kind: 'storage_token' }))],
    ['GET', '/platform/v1/groups', async () => north.anonKey],
  ])('at %s %s', async (method, path, credentialOf) => {
    const answer = await at.call(method, path, { credential: await credentialOf() })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await entryOf(answer.headers.get('x-request-id'))).toMatchObject(claimed)
  })

  it('at an auth route, by the claims of an expired access_token', async () => {
    const signedUp = await at.call('POST', '/auth/v1/signup', {
      headers: { apikey: north.anonKey },
      body: { email: 'ana@x.test', password: 'correct horse' },
    })
    await at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 7_200_000 } })
    const answer = await at.call('GET', '/auth/v1/user', { credential: signedUp.body.access_token })
    await at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
    expect(answer.status).toBe(401)
    expect(await entryOf(answer.headers.get('x-request-id'))).toMatchObject(claimed)
  })

  it('at the realtime socket', async () => {
    const apikey = forged(await mint({ kind: 'realtime_token' }))
    const url = `${at.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${apikey}&vsn=1.0.0`
    const socket = new WebSocket(url)
    await new Promise((ended) => socket.on('error', ended))
    const entries = await ofTenant('north', '4xx')
    expect(entries.find(({ service }) => service === 'realtime')).toMatchObject({
      ...claimed,
      target: expect.stringMatching(/^\/realtime\/v1\/websocket/),
    })
  })

  it('when the tenant was removed, so that a filter by tenant and status finds the request', async () => {
    await at.emulator.snapshot('before')
    const info = await at.emulator.ready(at.url)
    const group = info.groups.find(({ tenants }) => tenants.some(({ slug }) => slug === 'south'))
    await at.call('DELETE', `/groups/v1/${group?.id}/tenants/south`, {
      credential: group?.group_api_key ?? '',
    })
    const answer = await at.call('GET', '/rooms', {
      credential: south.anonKey,
      headers: { apikey: south.anonKey },
    })
    expect(answer.status).toBe(401)
    expect(await ofTenant('south', '4xx')).toMatchObject([
      { schema_name: 'proj_south', schema_is_claimed: true, status: 401 },
    ])
    await at.emulator.restore('before')
  })
})

describe('claims that nothing has verified', () => {
  it('assign a request to no tenant when the claimed schema name is invalid', async () => {
    const payload = Buffer.from('{"project_schema":"proj_north\'; drop"}').toString('base64url')
    const answer = await at.call('GET', '/rooms', {
      credential: `eyJhbGciOiJFUzI1NiJ9.${payload}.x`,
    })
    expect(await entryOf(answer.headers.get('x-request-id'))).toMatchObject({
      schema_name: null,
      schema_is_claimed: false,
    })
  })

  it('do not count as the last request of the tenant', async () => {
    const lastRequest = async (): Promise<unknown> => {
      const { body } = await at.call('GET', '/_emulator/v1/overview')
      const tenants = body.groups.flatMap(({ tenants }: Json) => tenants)
      return tenants.find(({ slug }: Json) => slug === 'south').last_request_at
    }
    const before = await lastRequest()
    await at.call('GET', '/rooms', { credential: forged(south.anonKey) })
    expect(await lastRequest()).toEqual(before)
  })

  it('are distinguished from the verified claims of a valid key', async () => {
    const key = { credential: north.anonKey, headers: { apikey: north.anonKey } }
    const good = await at.call('GET', '/rooms', key)
    const missing = await at.call('GET', '/nothing', key)
    for (const { headers } of [good, missing])
      expect(await entryOf(headers.get('x-request-id'))).toMatchObject({
        schema_name: 'proj_north',
        schema_is_claimed: false,
        role: 'anon',
      })
  })
})
