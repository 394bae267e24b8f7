// Spans and metrics that a collector receives, decoded by the published messages of OTLP (otlp-collector.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CollectedSpan, type Collector, startCollector } from '../../support/otlp-collector.ts'
import { startRowWorld } from '../../support/row-world.ts'
import {
  createGroup,
  executeSql,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
  userToken,
} from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

const USER = '00000000-0000-4000-8000-00000000000a'
const OTHER = '00000000-0000-4000-8000-00000000000b'
const SQL = `
  create table notes (id int primary key, body text, owner uuid default auth.uid());
  alter table notes enable row level security;
  create policy own_notes on notes using (owner = auth.uid()) with check (owner = auth.uid());
  grant select, insert, update, delete on notes to authenticated;`

let collector: Collector
let at: TestEmulator
let tenant: TestTenant
let token: string
beforeAll(async () => {
  collector = await startCollector()
  at = await startTestEmulator({ otlp: collector.url, history: true })
  tenant = await provisionTenant(at, await createGroup(at, 'clinic', { sql: SQL }), 'north')
  token = await userToken(at, tenant.slug, USER)
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await collector[Symbol.asyncDispose]()
})

const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: Json) =>
  at.call(method, path, {
    credential: token,
    headers: { apikey: tenant.anonKey, ...headers },
    ...(body === undefined ? {} : { body }),
  })

/** Returns the span of the answered request. */
async function spanOf({ headers }: { readonly headers: Headers }): Promise<CollectedSpan> {
  const id = headers.get('x-request-id')
  const find = () =>
    collector.spans.find(({ attributes }) => attributes['tenantry.request_id'] === id)
  await until(() => find() !== undefined)
  return find() as CollectedSpan
}

const childrenOf = ({ spanId }: CollectedSpan) =>
  collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId)

describe('the span of a request', () => {
  it('has method, route, status, tenant and identity, by the conventions for HTTP servers', async () => {
    const span = await spanOf(await ask('GET', '/notes?select=id'))
    expect(span).toMatchObject({ name: 'GET /notes', kind: 2, status: { code: 0 } })
    expect(span.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/notes',
      'http.response.status_code': 200,
      'url.path': '/notes',
      'url.scheme': 'http',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(at.url).port),
      'tenantry.service': 'data',
      'tenantry.tenant': 'north',
      'tenantry.role': 'authenticated',
      'tenantry.subject': USER,
    })
  })

  it('has a child for the queue and one for Postgres with its SQL, inside its own time', async () => {
    const span = await spanOf(await ask('GET', '/notes?select=id'))
    const children = childrenOf(span)
    expect(children.map(({ kind, name }) => [name, kind])).toEqual([
      ['queue', 1],
      ['postgresql', 3],
    ])
    const [queue, postgres] = children as [CollectedSpan, CollectedSpan]
    expect(postgres.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.namespace': tenant.schemaName,
      'db.query.text': expect.stringMatching(/select[\s\S]*"notes"/i),
      'db.response.returned_rows': 0,
    })
    const times = [
      span.startTimeUnixNano,
      queue.startTimeUnixNano,
      queue.endTimeUnixNano,
      postgres.startTimeUnixNano,
      postgres.endTimeUnixNano,
      span.endTimeUnixNano,
    ]
    expect(times).toEqual(times.toSorted())
    expect(queue.traceId).toBe(span.traceId)
  })

  it('continues the trace of the application, with its state', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const span = await spanOf(
      await ask('GET', '/notes', {
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
        tracestate: 'shop=t61rcWkgMzE',
      }),
    )
    expect(span).toMatchObject({
      traceId,
      parentSpanId: '00f067aa0ba902b7',
      traceState: 'shop=t61rcWkgMzE',
    })
    expect(childrenOf(span).every((child) => child.traceId === traceId)).toBe(true)
  })

  it('begins a trace of its own when traceparent is malformed', async () => {
    const span = await spanOf(await ask('GET', '/notes', { traceparent: '00-0-0-01' }))
    expect(span.parentSpanId).toBeUndefined()
  })

  it('is not sent when the application does not sample its trace', async () => {
    const traceparent = '00-5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'
    await ask('GET', '/notes', { traceparent })
    await spanOf(await ask('GET', '/notes'))
    expect(collector.spans.filter(({ traceId }) => traceId.startsWith('5bf92f'))).toEqual([])
  })

  it('names the check and the policy that refused the request', async () => {
    const refused = await ask('POST', '/notes', {}, { id: 1, owner: OTHER })
    expect(refused.status).toBe(403)
    const { attributes, status } = await spanOf(refused)
    expect(status).toEqual({ code: 0 })
    expect(attributes).toMatchObject({
      'tenantry.refusal.code': '42501',
      'tenantry.refusal.check': 'row',
      'tenantry.refusal.reason': expect.stringContaining('own_notes'),
      'tenantry.policy.verdict': 'refused',
    })
  })

  it('says that a tenant of a refused credential is only claimed', async () => {
    const refused = await at.call('GET', '/notes', {
      credential: `${tenant.anonKey.slice(0, -4)}AAAA`,
      headers: { apikey: tenant.anonKey },
    })
    expect(refused.status).toBe(401)
    expect((await spanOf(refused)).attributes).toMatchObject({
      'tenantry.tenant': 'north',
      'tenantry.tenant.claimed': true,
      'tenantry.refusal.check': 'credential',
      'tenantry.policy.verdict': 'not_reached',
    })
  })

  it('masks secrets in addresses and in SQL', async () => {
    const sent = await executeSql(at, tenant, "alter role north_reader password 'very-secret-word'")
    const read = await ask('GET', '/notes?token=eq.very-secret-word')
    const texts = [await spanOf(sent), await spanOf(read)].map((span) => JSON.stringify(span))
    expect(texts[0]).toContain('alter role north_reader password')
    expect(texts[1]).toContain('token=eq.')
    for (const text of texts) expect(text).not.toContain('very-secret-word')
  })

  it('reads past rows as without telemetry', async () => {
    const past = await ask('GET', '/notes', { 'x-tenantry-at': new Date().toISOString() })
    expect({ status: past.status, body: past.body }).toEqual({ status: 200, body: [] })
  })

  it('does not exist for requests to the API of the emulator', async () => {
    await at.call('GET', '/_emulator/v1/health')
    await spanOf(await ask('GET', '/notes'))
    const own = collector.spans.filter(({ name }) => name.includes('_emulator'))
    expect(own).toEqual([])
  })
})

describe('what a collector gets', () => {
  it('has the form that OTLP publishes, and names the service', async () => {
    await spanOf(await ask('GET', '/notes'))
    expect(collector.problems).toEqual([])
    expect(collector.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(collector.resource).toMatchObject({
      'service.name': 'tenantry',
      'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
  })

  it('has metrics of durations, of the queue and of row changes when the emulator closes', async () => {
    await using own = await startCollector()
    const world = await startRowWorld(SQL, { otlp: own.url })
    const { schemaName: schema } = world.tenant
    const watched = { event: '*', schema, table: 'notes' }
    await world.watch(await world.userToken(), watched)
    const written = await world.at.call('POST', '/notes', {
      credential: world.tenant.serviceRoleKey,
      headers: { apikey: world.tenant.anonKey },
      body: { id: 1 },
    })
    expect(written).toMatchObject({ status: 201 })
    await until(() => world.seen.some(({ kind }) => kind === 'changeJudged'))
    await world[Symbol.asyncDispose]()
    const metric = (name: string) => own.metrics.find((one) => one.name === name)
    const duration = metric('http.server.request.duration')
    expect(own.problems).toEqual([])
    expect(duration).toMatchObject({ unit: 's' })
    const point = duration?.histogram?.dataPoints.find(
      ({ attributes }) => attributes['http.route'] === '/notes',
    )
    expect(point).toMatchObject({
      count: 1,
      explicitBounds: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 201,
        'url.scheme': 'http',
        'tenantry.tenant': 'acme',
      },
    })
    expect(metric('tenantry.queue.wait')?.histogram?.dataPoints).toMatchObject([
      { count: 1, attributes: { 'tenantry.tenant': 'acme' } },
    ])
    expect(metric('tenantry.changes')?.sum?.dataPoints).toMatchObject([
      {
        asInt: 1,
        attributes: {
          'tenantry.tenant': 'acme',
          'db.collection.name': 'notes',
          'db.operation.name': 'INSERT',
        },
      },
    ])
  })
})
