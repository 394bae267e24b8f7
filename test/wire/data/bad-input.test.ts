// Bad input of any kind to the data plane. Each request gets an error of PostgREST, and never a stack trace or a 5xx that
// PostgREST would not return. The tenant's rows stay unchanged.
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Answer,
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'

const SQL = `
  create table things (id int primary key, name text, size int, "we ird.col,""x" text, data jsonb, tags text[], big bigint);
  create table parts (id int primary key, thing_id int references things, label text);
  create table "odd table" (id int primary key);
  create function echo(x json) returns json language sql as 'select x';
  create function endless(n int) returns int language plpgsql as $$begin return endless(n + 1); end$$;
  create function fail_with(code text) returns int language plpgsql as $$begin raise exception using errcode = code, message = 'm'; end$$;
`

let at: TestEmulator
let tenant: TestTenant
let neighbour: TestTenant

beforeAll(async () => {
  at = await startTestEmulator()
  const group = await createGroup(at, 'rugged', { sql: SQL })
  tenant = await provisionTenant(at, group, 'rough')
  neighbour = await provisionTenant(at, group, 'calm')
  for (const { slug } of [tenant, neighbour]) {
    const path = `/groups/v1/${group.id}/tenants/${slug}`
    const { body: detail } = await at.call('GET', path, { credential: group.key })
    await at.call('POST', `/platform/v1/projects/${detail.project_id}/db/exec`, {
      credential: at.session,
      body: { sql: `insert into things (id, name) values (1, 'one'), (2, 'two')` },
    })
  }
})
afterAll(() => at.emulator.close())

function ask(
  method: string,
  path: string,
  options: { readonly headers?: Record<string, string>; readonly body?: unknown } = {},
): Promise<Answer<Json>> {
  return at.call<Json>(method, path, {
    credential: tenant.serviceRoleKey,
    ...(options.body === undefined ? {} : { body: options.body }),
    headers: { apikey: tenant.anonKey, ...options.headers },
  })
}

async function expectUnharmed(): Promise<void> {
  const own = await ask('GET', '/things?select=id,name&order=id')
  expect(own.body).toEqual([
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ])
  const other = await at.call('GET', '/things?select=id', {
    credential: neighbour.serviceRoleKey,
    headers: { apikey: neighbour.anonKey },
  })
  expect(other.body).toHaveLength(2)
}

function expectHonest({ status, text }: Answer): void {
  expect(text).not.toMatch(/node_modules|\.ts:\d|at async|RangeError|TypeError/)
  expect(status, text).toBeLessThan(500)
}

describe('a request outside the grammar', () => {
  it.each([
    ['NUL in a value', 'GET', '/things?name=eq.%00', 400],
    ['NUL in a column', 'GET', '/things?na%00me=eq.1', 400],
    ['NUL as a table', 'GET', '/%00', 404],
    ['broken percent-encoding in a path', 'GET', '/%', 404],
    ['bytes that are no UTF-8', 'GET', '/things?name=eq.%ff%fe', 200],
    ['an encoded lone surrogate', 'GET', '/things?name=eq.%ed%a0%80', 200],
    ['two slashes', 'GET', '//things', 404],
    ['an integer out of range', 'GET', '/things?id=eq.99999999999999999999', 400],
    ['a bigint out of range', 'GET', '/things?big=eq.9223372036854775808', 400],
    ['a limit beyond bigint', 'GET', '/things?limit=99999999999999999999', 400],
    ['a negative limit', 'GET', '/things?limit=-1', 416],
    ['an offset beyond bigint', 'GET', '/things?offset=9223372036854775808', 400],
    ['an offset beyond the rows', 'GET', '/things?offset=9223372036854775807', 200],
    ['an operator without a value', 'GET', '/things?id=eq', 400],
    ['an unknown operator', 'GET', '/things?id=foo.1', 400],
    ['an open list', 'GET', '/things?id=in.(', 400],
    ['an empty logic tree', 'GET', '/things?or=()', 400],
    ['an empty parameter name', 'GET', '/things?=', 400],
    ['a broken regular expression', 'GET', '/things?name=match.(', 400],
    ['a broken array', 'GET', '/things?tags=cs.{', 400],
    ['an unknown column', 'GET', '/things?nosuch=eq.1', 400],
    ['an unknown relationship', 'GET', '/things?select=nosuch(*)', 400],
    ['an unknown table', 'GET', '/nosuch', 404],
    ['a table of the sign-in service', 'GET', '/auth_users', 403],
    ['a catalogue table', 'GET', '/pg_class', 404],
    ['an unknown function', 'GET', '/rpc/nosuch', 404],
    ['a function’s missing argument', 'GET', '/rpc/echo', 404],
    ['TRACE’s cousin PROPFIND', 'PROPFIND', '/things', 405],
    ['an insert without an array or object', 'POST', '/things', 400, '"x'],
    ['a body of another type', 'POST', '/things', 400, '[{"id":{}}]'],
    ['NUL in JSON', 'POST', '/things', 400, '[{"id":9,"name":"a\\u0000"}]'],
    ['a lone surrogate in JSON', 'POST', '/things', 400, '[{"id":9,"name":"\\ud800"}]'],
    ['objects of different keys', 'POST', '/things', 400, '[{"id":9},{"name":"x"}]'],
    ['an update to another type', 'PATCH', '/things?id=eq.1', 400, '{"size":"x"}'],
    ['an unknown conflict target', 'POST', '/things?on_conflict=nosuch', 400, '[{"id":1}]'],
  ])('gets PostgREST’s status: %s', async (_name, method, path, status, body?: string) => {
    const headers = { prefer: 'resolution=merge-duplicates' }
    const answer = await ask(method, path, body === undefined ? {} : { body, headers })
    expectHonest(answer)
    expect(answer.status, answer.text).toBe(status)
    if (status >= 400) expect(answer.body).toMatchObject({ code: expect.any(String) })
    await expectUnharmed()
  })

  it.each([
    ['range', 'abc', 200],
    ['range', '5-1', 416],
    ['range', '99999999999999999999-', 400],
    ['accept', 'garbage', 406],
    ['accept', 'application/xml', 406],
    ['accept', 'application/vnd.pgrst.object+json', 406],
    ['prefer', ',,;;=', 200],
    ['prefer', 'handling=strict, foo=bar', 400],
    ['prefer', `timezone='; drop table things`, 200],
    ['prefer', 'handling=strict, timezone=Nowhere', 400],
    ['prefer', 'count=foo, max-affected=99999999999999999999', 200],
    ['accept-profile', 'nosuch', 406],
    ['accept-profile', 'proj_calm', 401],
    ['accept-profile', 'public', 200],
    ['x-http-method-override', 'DELETE', 200],
  ])('with the header %s: %s gets PostgREST’s status', async (name, value, status) => {
    const answer = await ask('GET', '/things', { headers: { [name]: value } })
    expect(answer.status, answer.text).toBe(status)
    await expectUnharmed()
  })

  it.each(['text/plain', 'application/xml', ';;;', 'multipart/form-data; boundary=x'])(
    'is refused with a body of type %s',
    async (type) => {
      const answer = await ask('POST', '/things', { body: 'x', headers: { 'content-type': type } })
      expect(answer).toMatchObject({ status: 400, body: { code: 'PGRST102' } })
    },
  )

  it('gets Postgres’s error for a function that calls itself endlessly', async () => {
    const answer = await ask('GET', '/rpc/endless?n=1')
    expect(answer).toMatchObject({ status: 500, body: { code: '54001' } })
    await expectUnharmed()
  })

  it.each([
    ['PT418', 418],
    ['40001', 500],
    ['57P02', 503],
    ['P0001', 400],
  ])('gets PostgREST’s status for a function that raises %s', async (code, status) => {
    expect((await ask('GET', `/rpc/fail_with?code=${code}`)).status).toBe(status)
    await expectUnharmed()
  })
})

describe('the data plane', () => {
  it('refuses 10 MB of broken JSON', async () => {
    const answer = await ask('POST', '/things', { body: `[{"name":"${'x'.repeat(10_000_000)}` })
    expect(answer).toMatchObject({ status: 400, body: { code: 'PGRST102' } })
    await expectUnharmed()
  })

  it('stores 10 MB of rows and deletes the rows again', async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ id: n + 10, name: 'x'.repeat(10_000) }))
    const added = await ask('POST', '/things', { body: rows })
    expect(added.status, added.text.slice(0, 200)).toBe(201)
    expect((await ask('DELETE', '/things?id=gte.10')).status).toBe(204)
    await expectUnharmed()
  })

  it('answers a filter nested 500 levels deep without an internal error', async () => {
    const tree = `${'(or'.repeat(500)}(id.eq.1)${')'.repeat(500)}`
    expectHonest(await ask('GET', `/things?select=id&or=${tree}`))
    await expectUnharmed()
  })

  it('answers embeds nested 40 levels deep without an internal error', async () => {
    expectHonest(await ask('GET', `/things?select=${'parts('.repeat(40)}id${')'.repeat(40)}`))
    await expectUnharmed()
  })

  it('answers JSON nested 10,000 levels deep without an internal error', async () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    expectHonest(await ask('PATCH', '/things?id=eq.2', { body: `{"data":${deep}}` }))
    await expectUnharmed()
  })
})

describe('a socket', () => {
  const raw = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(at.url).port), '127.0.0.1')
      let answer = ''
      socket.on('data', (bytes) => {
        answer += bytes.toString('latin1')
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''))
      socket.write(text, 'latin1')
    })
  const request = (line: string, headers = 'Host: x\r\n', body = ''): string =>
    `${line}\r\n${headers}apikey: ${tenant.anonKey}\r\nAuthorization: Bearer ${tenant.serviceRoleKey}\r\nConnection: close\r\n\r\n${body}`

  it.each([
    ['no HTTP at all', () => '\x00\x01\r\n\r\n', 400],
    ['no Host', () => request('GET /things HTTP/1.1', ''), 400],
    ['an impossible Host', () => request('GET /things HTTP/1.1', 'Host: a b\r\n'), 400],
    ['a Host with a path', () => request('GET /things HTTP/1.1', 'Host: a/b?c#\r\n'), 400],
    ['a raw NUL', () => request('GET /th\x00ings HTTP/1.1'), 400],
    ['OPTIONS *', () => request('OPTIONS * HTTP/1.1'), 400],
    ['TRACE', () => request('TRACE /things HTTP/1.1'), 405],
    ['an unknown method', () => request('FOO /things HTTP/1.1'), 400],
    ['an upgrade', () => request('GET /things HTTP/1.1', 'Host: x\r\nUpgrade: h2c\r\n'), 200],
    [
      'a huge header',
      () => request('GET /things HTTP/1.1', `Host: x\r\nX: ${'a'.repeat(80_000)}\r\n`),
      431,
    ],
    [
      'a header beyond ASCII',
      () => request('GET /things HTTP/1.1', 'Host: x\r\nX-Name: \xe9\xff\r\n'),
      200,
    ],
    [
      'Authorization twice with another apikey',
      () => request('GET /things HTTP/1.1', `Host: x\r\napikey: ${neighbour.anonKey}\r\n`),
      401,
    ],
    [
      'length and chunks',
      () =>
        request(
          'POST /things HTTP/1.1',
          'Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n',
          '0\r\n\r\n',
        ),
      400,
    ],
    [
      'dots into the emulator’s API',
      () => request('GET /a/%2e%2e/_emulator/v1/info HTTP/1.1'),
      403,
    ],
  ])('gets a status line when it sends %s', async (_name, text, status) => {
    expect(await raw(text())).toContain(` ${status} `)
    await expectUnharmed()
  })

  it('can be closed in the middle of a request, and later requests succeed', async () => {
    const port = Number(new URL(at.url).port)
    await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const abort = new AbortController()
        const asked = fetch(`http://127.0.0.1:${port}/things?select=id,parts(*)`, {
          headers: { authorization: `Bearer ${tenant.serviceRoleKey}`, apikey: tenant.anonKey },
          signal: abort.signal,
        }).then(
          (response) => response.text(),
          () => 'aborted',
        )
        if (n % 2 === 0) abort.abort()
        await asked
      }),
    )
    await expectUnharmed()
  })
})
