// Each effect of a fault over the wire, and its traces: rows, the journal, the access chain, live events.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readEvents } from '../../../support/event-stream.ts'
import {
  type Answer,
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
  userToken,
} from '../../../support/test-emulator.ts'
import { workerEmulator } from '../../../support/worker-emulator.ts'

const USER = '00000000-0000-4000-8000-00000000000a'
const SQL = 'create table notes (id int primary key)'

let at: TestEmulator
let tenant: TestTenant
let neighbour: TestTenant
beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'vendor', { sql: SQL })
  tenant = await provisionTenant(at, group, 'acme')
  neighbour = await provisionTenant(at, group, 'other')
})
afterEach(() => api('DELETE', '/faults'))
afterAll(() => at[Symbol.asyncDispose]())

const api = (method: string, path: string, body?: object): Promise<Answer<Json>> =>
  at.call(method, `/_emulator/v1${path}`, body === undefined ? {} : { body })
const arm = async (effect: object, order: object = {}): Promise<string> => {
  const armed = await api('POST', '/faults', { effect, ...order })
  expect(armed.status, armed.text).toBe(201)
  return armed.body.id
}
const headersOf = (of: TestTenant, token = of.serviceRoleKey) => ({
  apikey: of.serviceRoleKey,
  authorization: `Bearer ${token}`,
})
const read = (of = tenant, token?: string) =>
  at.call('GET', '/notes', { headers: headersOf(of, token) })
const insert = (id: number) =>
  at.call('POST', '/notes', { headers: headersOf(tenant), body: { id } })
const ids = async (): Promise<readonly number[]> => (await read()).body.map(({ id }: Json) => id)
const entryOf = async (faultId: string): Promise<Json> =>
  (await api('GET', `/journal?search=${faultId}`)).body.entries[0]

describe('an answer that is lost', () => {
  it('stores the row, ends the connection, and is recorded in the journal and the chain', async () => {
    const faultId = await arm({ kind: 'answer_lost' }, { count: 1 })
    await expect(insert(1)).rejects.toThrow('fetch failed')
    expect(await ids()).toContain(1)
    const entry = await entryOf(faultId)
    expect(entry).toMatchObject({
      fault: faultId,
      status: 201,
      error_code: 'answer_lost',
      schema_name: tenant.schemaName,
    })
    const chain = await api('GET', `/journal/${entry.request_id}/chain`)
    expect(chain.body.links[0]).toMatchObject({ link: 'fault', state: 'broken' })
    expect(chain.body.sentence).toContain(faultId)
    const detail = await api('GET', `/journal/${entry.request_id}`)
    expect(detail.body.entry.fault).toBe(faultId)
    expect(detail.body.recording.response_headers).not.toEqual({})
  })

  it('is a TypeError for a caller without a socket', async () => {
    await arm({ kind: 'answer_lost' }, { count: 1 })
    const request = new Request(`${at.url}/notes`, {
      method: 'POST',
      headers: { ...headersOf(tenant), 'content-type': 'application/json' },
      body: '{"id":2}',
    })
    const outcome = at.emulator.fetch(request)
    await expect(outcome).rejects.toBeInstanceOf(TypeError)
    await expect(outcome).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
    expect(await ids()).toContain(2)
  })
})

describe('a connection that is dropped', () => {
  it('changes nothing, and the next request succeeds', async () => {
    const faultId = await arm({ kind: 'connection_dropped' }, { count: 1 })
    await expect(insert(3)).rejects.toThrow('fetch failed')
    expect(await ids()).not.toContain(3)
    expect(await entryOf(faultId)).toMatchObject({
      status: 444,
      error_code: 'connection_dropped',
      schema_name: tenant.schemaName,
      role: 'service_role',
    })
  })
})

describe('latency', () => {
  it('delays the request before the work starts, and the request still succeeds', async () => {
    const faultId = await arm({ kind: 'latency', ms: 120 }, { scope: { operation: 'rows.read' } })
    const before = performance.now()
    expect((await read()).status).toBe(200)
    expect(performance.now() - before).toBeGreaterThanOrEqual(115)
    const entry = await entryOf(faultId)
    const chain = await api('GET', `/journal/${entry.request_id}/chain`)
    expect(chain.body.links[0]).toMatchObject({ link: 'fault', state: 'holds' })
  })

  it('is measured in wall time, not in platform time', async () => {
    await api('POST', '/clock', { freeze: true })
    await arm({ kind: 'latency', ms: 30 })
    expect((await read()).status).toBe(200)
    await api('POST', '/clock', { reset: true })
  })
})

describe('the scope', () => {
  const unauthorized = { kind: 'error', code: 'PGRST301' }

  it('can be one project, and another project is not affected', async () => {
    await arm(unauthorized, { scope: { project: tenant.slug } })
    expect(await read()).toMatchObject({ status: 401, body: { code: 'PGRST301' } })
    expect(await read(neighbour)).toMatchObject({ status: 200 })
  })

  it('can be one identity, and other identities are not affected', async () => {
    const token = await userToken(at, tenant.slug, USER)
    await arm(unauthorized, { scope: { identity: { role: 'authenticated', subject: USER } } })
    expect(await read(tenant, token)).toMatchObject({ status: 401 })
    expect(await read()).toMatchObject({ status: 200 })
  })

  it('can be one project, including the project’s sign-ins', async () => {
    await arm({ kind: 'error', code: 'invalid_credentials' }, { scope: { project: tenant.slug } })
    const signIn = (of: TestTenant) =>
      at.call('POST', '/auth/v1/signin', {
        headers: { 'x-superdb-project': of.slug },
        body: { email: 'nobody@x.test', password: 'x' },
      })
    const met = await signIn(tenant)
    const spared = await signIn(neighbour)
    const { faults } = (await api('GET', '/faults')).body
    expect([met.status, spared.status, faults[0].fired]).toEqual([401, 401, 1])
  })
})

describe('a fault with a count', () => {
  it('fires exactly the requested number of times for many simultaneous requests', async () => {
    await arm({ kind: 'error', code: '57014' }, { count: 7 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => read()))
    expect(answers.filter(({ status }) => status === 500)).toHaveLength(7)
    expect((await api('GET', '/faults')).body.faults).toEqual([])
  })
})

describe('the API for faults', () => {
  it('lists the armed faults, and disarms a fault by its id', async () => {
    const faultId = await arm({ kind: 'answer_lost' }, { scope: { service: 'auth' } })
    expect((await api('GET', '/faults')).body.faults).toMatchObject([
      { id: faultId, scope: { service: 'auth' }, effect: { kind: 'answer_lost' }, fired: 0 },
    ])
    expect(await api('DELETE', `/faults/${faultId}`)).toMatchObject({ status: 200 })
    expect(await api('DELETE', `/faults/${faultId}`)).toMatchObject({ status: 404 })
  })

  it('refuses a fault for an unknown project, and lists the valid codes', async () => {
    const lost = { effect: { kind: 'answer_lost' }, scope: { project: 'nobody' } }
    expect(await api('POST', '/faults', lost)).toMatchObject({ status: 404 })
    const misspelt = { effect: { kind: 'error', code: 'slug_takn' }, scope: { service: 'control' } }
    const refused = await api('POST', '/faults', misspelt)
    expect(refused.status).toBe(400)
    expect(refused.body.error.known).toContain('slug_taken')
  })

  it('is never affected by a fault', async () => {
    await arm({ kind: 'connection_dropped' })
    expect(await api('GET', '/faults')).toMatchObject({ status: 200 })
  })

  it('sends an event for arming, firing and disarming', async () => {
    await using events = await readEvents(at.url)
    await arm({ kind: 'error', code: '57014' }, { count: 1 })
    await events.next(({ kind, armed }) => kind === 'faults' && armed === 1)
    await read()
    await events.next(({ kind, armed }) => kind === 'faults' && armed === 0)
    const fired = await events.next(({ kind, entry }) => kind === 'request' && entry.fault !== null)
    expect(fired.entry.error_code).toBe('57014')
  })
})
