// /_emulator/v1/journal: filters and counts (contract/journal.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'clinic', {
    sql: 'create table rooms (id int primary key); grant select on rooms to anon;',
  })
  const tenant = await provisionTenant(at, group, 'north')
  await at.call('GET', '/rooms?select=id', {
    credential: tenant.anonKey,
    headers: { apikey: tenant.anonKey },
  })
  await at.call('GET', '/50%25_off', {
    credential: tenant.anonKey,
    headers: { apikey: tenant.anonKey },
  })
  await at.call('DELETE', '/rooms?id=eq.1', {
    credential: tenant.anonKey,
    headers: { apikey: tenant.anonKey },
  })
  await at.call('GET', '/rooms')
})
afterAll(() => at[Symbol.asyncDispose]())

const journal = async (query: string): Promise<Json[]> =>
  (await at.call('GET', `/_emulator/v1/journal${query}`)).body.entries
const shown = async (query: string) =>
  (await journal(query)).map(({ method, target, status }) => `${method} ${target} ${status}`)

describe('the journal', () => {
  it.each([
    ['?service=data&status=2xx', ['GET /rooms?select=id 200']],
    ['?service=data&status=404', ['GET /50%25_off 404']],
    ['?service=data&method=delete', ['DELETE /rooms?id=eq.1 401']],
    ['?role=anon&status=200', ['GET /rooms?select=id 200']],
    ['?search=50%25', ['GET /50%25_off 404']],
    ['?search=PGRST205&schema_name=proj_north', ['GET /50%25_off 404']],
    ['?search=_off%25', []],
    ['?schema_name=proj_elsewhere', []],
  ])('finds the requests that match %s', async (query, expected) => {
    expect(await shown(query)).toEqual(expected)
  })

  it('returns the requests after or before a sequence number', async () => {
    const all = await journal('?service=data')
    expect(await journal(`?service=data&after=${all[1].sequence}`)).toEqual(all.slice(0, 1))
    expect(await journal(`?service=data&before=${all[1].sequence}`)).toEqual(all.slice(2))
  })

  it('leaves out requests of the emulator’s own API by default', async () => {
    await at.call('GET', '/_emulator/v1/health')
    expect(await journal('?service=inspector')).toEqual([])
    await using other = await startTestEmulator({ journalOwnRequests: true })
    await other.call('GET', '/_emulator/v1/health')
    const { body } = await other.call('GET', '/_emulator/v1/journal?service=inspector')
    expect(body.entries).toMatchObject([{ target: '/_emulator/v1/health' }])
  })

  it('counts requests by service, method, status, role and schema under the same filters', async () => {
    const { body } = await at.call('GET', '/_emulator/v1/journal/facets?service=data')
    expect(body).toEqual({
      total: 4,
      services: { data: 4 },
      methods: { GET: 3, DELETE: 1 },
      statuses: { '4xx': 3, '2xx': 1 },
      roles: { anon: expect.any(Number) },
      schemas: { proj_north: expect.any(Number) },
    })
  })

  it('measures each route over all requests that match the filters', async () => {
    const { body } = await at.call('GET', '/_emulator/v1/journal/routes?service=data')
    expect([body.requests, body.total]).toEqual([4, 3])
    const rooms = body.routes.find(({ route }: Json) => route === 'GET /rooms')
    expect(rooms).toMatchObject({ count: 2, refused: 1 })
    expect(rooms.p50_ms).toBeLessThanOrEqual(rooms.p95_ms)
    const [slowest] = await journal(`?request_id=${rooms.slowest}`)
    expect(slowest.duration_ms).toBe(rooms.p95_ms)
    const one = await at.call('GET', '/_emulator/v1/journal/routes?service=data&limit=1')
    expect([one.body.routes.length, one.body.total]).toEqual([1, 3])
  })

  it.each(['?status=9xx', '?status=40', '?after=-1', '?limit=1001', '?search=%00'])(
    'answers %s with 200 or 400',
    async (query) => {
      const { status } = await at.call('GET', `/_emulator/v1/journal${query}`)
      expect([200, 400]).toContain(status)
    },
  )
})
