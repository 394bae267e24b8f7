// The conformance host with its own database: settings of roles and functions, and the handling of callers, CORS and trace
// headers.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../emulator/database/engine.ts'
import { parseConfiguration } from '../../conformance/configuration.ts'
import { type ConformanceHost, openConformanceHost } from '../../conformance/host.ts'
import { bareEngine, loadFixtures, loginRoleOf } from '../../conformance/open-engine.ts'

const SQL = `
  create role gate login noinherit;
  create role visitor;
  create role auditor;
  create role outsider;
  grant visitor, auditor to gate;
  alter role auditor set default_transaction_isolation = 'repeatable read';
  alter role auditor set work_mem = '256kB';
  alter role auditor set log_statement = 'all';
  alter role gate set default_transaction_isolation = 'serializable';
  create schema api;
  grant usage on schema api to visitor, auditor;
  create function api.level() returns text language sql as $$select current_setting('transaction_isolation')$$;
  create function api.strict() returns text language sql set default_transaction_isolation = 'serializable' as
    $$select current_setting('transaction_isolation')$$;
  create function api.setting(name text) returns text language sql as $$select current_setting(name, true)$$;
  create function api.hoisted() returns text language sql set lock_timeout = '7s' as
    $$select current_setting('lock_timeout')$$;
  create function api.root() returns text language sql as $$select 'root of ' || current_user$$;
  create function api.pay() returns void language plpgsql as
    $$begin raise sqlstate 'PT402' using message = 'Pay at the desk'; end$$;
  create function api.check_request() returns void language plpgsql as $$
    begin
      if current_setting('request.headers')::json ->> 'x-evil' is not null then raise 'evil'; end if;
    end$$;
`
const SECRET = 'a passphrase of thirty-two bytes'

let host: ConformanceHost
let engine: Engine

beforeAll(async () => {
  host = await openConformanceHost()
  const database = await loadFixtures(SQL)
  engine = bareEngine(database, await loginRoleOf(database))
})

afterAll(async () => {
  await host.close()
  await engine.close()
})

function configure(options: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const given = { 'db-schemas': 'api', 'db-anon-role': 'visitor', 'jwt-secret': SECRET, ...options }
  return host.configure(parseConfiguration(given), engine)
}

function send(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return fetch(host.baseUrl + path, { method, headers })
}

function as(role: string): { authorization: string } {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encoded({ alg: 'HS256' })}.${encoded({ role })}`
  const signature = createHmac('sha256', SECRET).update(text).digest('base64url')
  return { authorization: `Bearer ${text}.${signature}` }
}

describe('a role', () => {
  beforeAll(() => configure())

  it.each([
    ['visitor', 'level', 'read committed'],
    ['auditor', 'level', 'repeatable read'],
    ['auditor', 'strict', 'serializable'],
    ['auditor', 'setting?name=work_mem', '256kB'],
    ['auditor', 'setting?name=log_statement', 'none'],
    ['auditor', 'setting?name=default_transaction_isolation', 'read committed'],
  ])('%s calling %s sees %s', async (role, path, value) => {
    expect(await (await send(`/rpc/${path}`, as(role))).json()).toBe(value)
  })

  it('that the caller may not use is refused', async () => {
    const answer = await send('/rpc/level', as('outsider'))
    expect([answer.status, (await answer.json()).code]).toEqual([403, '42501'])
  })

  it('that does not exist is refused like an invalid token', async () => {
    const answer = await send('/rpc/level', as('nobody'))
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await answer.json()).toMatchObject({
      code: '22023',
      message: 'role "nobody" does not exist',
    })
  })
})

describe('an option', () => {
  it('sets the application’s settings and the settings of a role', async () => {
    await configure({
      'app.settings.color': 'blue',
      'role-settings': [['visitor', [['lock_timeout', '3s']]]],
    })
    expect(await (await send('/rpc/setting?name=app.settings.color')).json()).toBe('blue')
    expect(await (await send('/rpc/setting?name=lock_timeout')).json()).toBe('3s')
  })

  it('names the function that answers at the root', async () => {
    await configure({ 'db-root-spec': 'root' })
    expect(await (await send('/', as('auditor'))).json()).toBe('root of auditor')
  })

  it('names the function that runs before every request', async () => {
    await configure({ 'db-pre-request': 'check_request' })
    expect((await send('/rpc/level')).status).toBe(200)
    expect(await (await send('/rpc/level', { 'x-evil': 'yes' })).json()).toMatchObject({
      code: 'P0001',
      message: 'evil',
    })
  })

  it('sets the address in the OpenAPI document', async () => {
    await configure({ 'openapi-server-proxy-uri': 'https://example.test/api.json' })
    expect(await (await send('/')).json()).toMatchObject({
      host: 'example.test:443',
      schemes: ['https'],
      basePath: '/api.json',
    })
    await configure()
    expect(await (await send('/')).json()).toMatchObject({
      host: '0.0.0.0:3000',
      schemes: ['http'],
      basePath: '/',
    })
  })

  it('disables the OpenAPI document', async () => {
    await configure({ 'openapi-mode': 'disabled' })
    expect((await send('/')).status).toBe(404)
  })

  it('returns the trace header of the request, or an empty header when the request has none', async () => {
    await configure({ 'server-trace-header': 'X-Request-Id' })
    const traced = await send('/rpc/level', { 'x-request-id': 'r1' })
    expect(traced.headers.get('x-request-id')).toBe('r1')
    expect((await send('/nothing')).headers.get('x-request-id')).toBe('')
  })

  it('adds the duration of each stage to a successful response', async () => {
    await configure({ 'server-timing-enabled': true })
    const timing = (await send('/rpc/level')).headers.get('server-timing')
    expect(timing).toMatch(
      /^jwt;dur=\d+\.\d, parse;dur=\d+\.\d, plan;dur=\d+\.\d, transaction;dur=\d+\.\d, response;dur=\d+\.\d$/,
    )
    expect((await send('/nothing')).headers.get('server-timing')).toBeNull()
  })

  it('lists the origins that may read responses, errors included', async () => {
    await configure({ 'server-cors-allowed-origins': 'http://a.test, http://b.test' })
    const own = await send('/nothing', { origin: 'http://b.test' })
    expect(own.headers.get('access-control-allow-origin')).toBe('http://b.test')
    expect(own.headers.get('access-control-allow-credentials')).toBe('true')
    const foreign = await send('/rpc/level', { origin: 'http://c.test' })
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([
      200,
      null,
    ])
    const preflight = { origin: 'http://a.test', 'access-control-request-method': 'PATCH' }
    const asked = await send('/rpc/level', preflight, 'OPTIONS')
    expect([asked.status, await asked.text()]).toEqual([200, ''])
    expect(asked.headers.get('access-control-max-age')).toBe('86400')
  })

  it('that is not supported causes a refusal of every request', async () => {
    host.refuseEverything()
    expect((await send('/rpc/level')).status).toBe(500)
  })
})

it('keeps a function’s own error text in the status line', async () => {
  await configure()
  const answer = await send('/rpc/pay', {}, 'POST')
  expect([answer.status, answer.statusText]).toEqual([402, 'Pay at the desk'])
})
