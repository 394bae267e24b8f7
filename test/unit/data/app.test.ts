import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAsOwner } from '../../support/test-engine.ts'
import { ALICE, type ClinicHost, NORTH, openClinicHost, SOUTH } from './clinic-host.ts'

let host: ClinicHost
let anonKey: string
let serviceKey: string
let otherKey: string

beforeAll(async () => {
  host = await openClinicHost(700)
  const keys = await host.keysOf(NORTH)
  anonKey = keys.anonKey
  serviceKey = keys.serviceRoleKey
  otherKey = (await host.keysOf(SOUTH)).anonKey
})

afterAll(() => host.engine.close())

interface Sent {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

function send(target: string, { method = 'GET', body, headers, signal }: Sent = {}) {
  const request = new Request(`http://localhost${target}`, {
    method,
    headers: {
      authorization: `Bearer ${anonKey}`,
      apikey: anonKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  })
  return host.fetch(request)
}

async function refusal(target: string, sent: Sent = {}) {
  const response = await send(target, sent)
  return {
    status: response.status,
    ...((await response.json()) as { code: string; message: string }),
  }
}

function without(name: string): Promise<Response> {
  const headers = new Headers({ authorization: `Bearer ${anonKey}`, apikey: anonKey })
  headers.delete(name)
  return host.fetch(new Request('http://localhost/clinics', { headers }))
}

describe('gate (docs/wire/data-plane.md#gate)', () => {
  it.each(['authorization', 'apikey'])('names the missing header %s', async (name) => {
    const response = await without(name)
    expect(response.status).toBe(401)
    const body = (await response.json()) as { code: string; message: string }
    expect(body).toMatchObject({ code: 'unauthorized', details: null })
    expect(body.message.toLowerCase()).toContain(name)
  })

  it('refuses text that is not a credential', async () => {
    expect(
      await refusal('/clinics', { headers: { authorization: 'Bearer nonsense' } }),
    ).toMatchObject({
      status: 401,
      code: 'unauthorized',
      message: expect.stringContaining('malformed'),
    })
  })

  it("refuses another project's apikey", async () => {
    expect(await refusal('/clinics', { headers: { apikey: otherKey } })).toMatchObject({
      status: 401,
      message: expect.stringContaining('different projects'),
    })
  })

  it('refuses an expired token', async () => {
    const token = await host.tokenOf(NORTH, ALICE)
    const start = host.clock.now()
    host.clock.advance(3_600_001)
    const answer = await refusal('/clinics', { headers: { authorization: `Bearer ${token}` } })
    host.clock.set(start)
    expect(answer).toMatchObject({ status: 401, message: expect.stringContaining('expired') })
  })

  it('refuses a key of an older key version', async () => {
    host.setProject(NORTH, { keyVersion: 2 })
    const answer = await refusal('/clinics')
    host.setProject(NORTH, { keyVersion: 1 })
    expect(answer).toMatchObject({ status: 401, message: expect.stringContaining('revoked') })
  })

  it('refuses keys of a project that is offline', async () => {
    host.setProject(NORTH, { state: 'deleted' })
    const answer = await refusal('/clinics')
    host.setProject(NORTH, { state: 'active' })
    expect(answer).toMatchObject({ status: 401, message: expect.stringContaining('offline') })
  })

  it.each([
    ['public', 200],
    [NORTH, 200],
    [SOUTH, 401],
    ['pg_catalog', 406],
  ])('answers a request for the profile %s with %i', async (profile, status) => {
    expect((await send('/clinics', { headers: { 'accept-profile': profile } })).status).toBe(status)
  })
})

describe('reading rows', () => {
  it('returns the JSON that Postgres made, unchanged', async () => {
    const response = await send('/clinics?select=id,name&order=id')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('content-range')).toBe('0-1/*')
    expect(response.headers.get('content-location')).toBe('/clinics?order=id&select=id%2Cname')
    expect(await response.text()).toBe('[{"id":1,"name":"North"}, \n {"id":2,"name":"South"}]')
  })

  it('answers 206 when more rows exist than the page has', async () => {
    const response = await send('/doctors?select=id&limit=1', {
      headers: { prefer: 'count=exact' },
    })
    expect([response.status, response.headers.get('content-range')]).toEqual([206, '0-0/3'])
  })

  it('answers 416 for a page that starts after the last row', async () => {
    const response = await send('/doctors?offset=9', { headers: { prefer: 'count=exact' } })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe('*/3')
    expect(await response.json()).toMatchObject({ code: 'PGRST103' })
  })

  it('honours the Range header', async () => {
    const response = await send('/doctors?select=name&order=id', { headers: { range: '1-2' } })
    expect(await response.json()).toEqual([{ name: 'Bob' }, { name: 'Cid' }])
  })

  it('counts without a body on HEAD', async () => {
    const response = await send('/doctors', { method: 'HEAD', headers: { prefer: 'count=exact' } })
    expect(response.headers.get('content-range')).toBe('0-2/3')
    expect(await response.text()).toBe('')
  })

  it('answers CSV on request', async () => {
    const response = await send('/clinics?select=id,name&order=id', {
      headers: { accept: 'text/csv' },
    })
    expect(await response.text()).toBe('id,name\n1,North\n2,South')
  })

  it('leaves nulls out on request', async () => {
    const response = await send('/doctors?select=id,tags&id=eq.3', {
      headers: { accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
    })
    expect(await response.json()).toEqual([{ id: 3 }])
  })
})

describe('functions', () => {
  it('take named arguments by GET and by POST', async () => {
    expect(await (await send('/rpc/add?a=1')).text()).toBe('11')
    const body = '{"a":1,"b":2}'
    expect(await (await send('/rpc/add', { method: 'POST', body })).text()).toBe('3')
  })

  it('may not write when called by GET', async () => {
    expect(await refusal('/rpc/rename_clinic?id=1&name=x')).toMatchObject({
      status: 405,
      code: '25006',
    })
  })

  it('set status and headers', async () => {
    const response = await send('/rpc/teapot', { method: 'POST', body: '{}' })
    expect([response.status, response.headers.get('x-tea')]).toEqual([418, 'green'])
  })

  it('raise errors with a status', async () => {
    expect(await refusal('/rpc/refuse', { method: 'POST', body: '{}' })).toMatchObject({
      status: 402,
      code: 'PT402',
      message: 'Payment Required',
    })
  })

  it('that cannot be found are named in the error', async () => {
    expect(await refusal('/rpc/none?x=1')).toMatchObject({
      status: 404,
      code: 'PGRST202',
      message: `Could not find the function ${NORTH}.none(x) in the schema cache`,
    })
  })

  it('are cancelled at the deadline', async () => {
    expect(await refusal('/rpc/slow', { method: 'POST', body: '{}' })).toMatchObject({
      code: '57014',
    })
  })

  it('are cancelled when the client disconnects', async () => {
    const controller = new AbortController()
    const answer = refusal('/rpc/slow', { signal: controller.signal })
    controller.abort()
    expect(await answer).toMatchObject({ code: '57014' })
  })
})

describe('errors', () => {
  it.each([
    ['/nothing', 404, 'PGRST205'],
    ['/a/b', 404, 'PGRST125'],
    ['/doctors?select=clinics(id),nothing(id)', 400, 'PGRST200'],
    ['/doctors?nothing.id=eq.1', 400, 'PGRST108'],
    ['/doctors?select=id,visits(id)&order=visits(id)', 400, 'PGRST118'],
    ['/doctors?limit=-1', 416, 'PGRST103'],
    ['/doctors?id=eq.x', 400, '22P02'],
    ['/doctors?none=eq.1', 400, '42703'],
    ['/closed', 401, '42501'],
    ['/auth_users', 401, '42501'],
  ])('%s is %i %s', async (target, status, code) => {
    const response = await send(target)
    expect(response.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      status,
      code,
    ])
  })

  it('have status 403 for authenticated callers', async () => {
    expect(
      await refusal('/closed', { headers: { authorization: `Bearer ${serviceKey}` } }),
    ).toMatchObject({ status: 403, code: '42501' })
  })

  it('list unknown preferences when strict', async () => {
    expect(
      await refusal('/clinics', { headers: { prefer: 'handling=strict, anything' } }),
    ).toMatchObject({ code: 'PGRST122', details: 'Invalid preferences: anything' })
  })
})

describe('schema changes', () => {
  it('are visible after the lifecycle reports a changed schema', async () => {
    expect((await send('/fresh')).status).toBe(404)
    await runAsOwner(host.engine, NORTH, 'create table fresh (id integer)')
    host.lifecycle.schemaChanged(host.projectOf(NORTH))
    expect((await send('/fresh')).status).toBe(200)
  })
})

describe('any request', () => {
  const word = fc.oneof(
    fc.constantFrom('id', 'name', 'eq.1', '*', 'clinics', '(', ')', '"', "'", '->', '::', ',', '.'),
    fc.constantFrom('%00', '%ff', '🦊', '\\', '--', '$1', '{', 'in.(1)', 'is.null', '-1', '9e9'),
    fc.string({ unit: 'binary', maxLength: 5 }),
  )
  const text = fc.array(word, { maxLength: 6 }).map((parts) => parts.join(''))
  const target = fc
    .tuple(
      fc.constantFrom('/doctors', '/clinics', '/rpc/add', '/rpc/none', '/'),
      fc.array(
        fc.tuple(fc.constantFrom('select', 'id', 'or', 'order', 'limit', 'a', 'columns'), text),
      ),
    )
    .map(([path, pairs]) => {
      const query = pairs.map(
        ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
      )
      return `${path}?${query.join('&')}`
    })
  const header = text.map((value) => value.replaceAll(/[^\t\x20-\x7e]/g, ''))
  const contentType = fc.oneof(
    header,
    fc.constantFrom('application/json', 'text/csv', 'text/plain'),
  )
  const body = fc.oneof(text, fc.json(), fc.constant('[{}]'), fc.constant('{"name":"\\u0000"}'))

  it('is answered or refused, without a 5xx status', async () => {
    await fc.assert(
      fc.asyncProperty(
        target,
        fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACK'),
        fc.record({ prefer: header, accept: header, range: header, 'content-type': contentType }),
        body,
        async (path, method, given, text) => {
          if (method === 'TRACK') return
          const headers = { ...given, prefer: `${given.prefer}, tx=rollback` }
          const hasBody = method !== 'GET' && method !== 'HEAD'
          const response = await send(path, { method, headers, ...(hasBody ? { body: text } : {}) })
          await response.arrayBuffer()
          expect(response.status).toBeLessThan(500)
        },
      ),
      { numRuns: 300 },
    )
  })
})
