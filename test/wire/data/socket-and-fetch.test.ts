// The port and `emulator.fetch` return the same answer to the same request, although the port sends plain bytes and `fetch` makes
// a `Response`.
import { beforeAll, describe, expect, it } from 'vitest'
import { type DataWorld, startDataWorld } from '../../support/data-world.ts'

const SQL = `
  create table books (id int primary key, title text);
  create table big (id int primary key, text text);
  insert into books values (1, 'Sea'), (2, 'Café ✓');
  insert into big select n, repeat('ø', 1000) from generate_series(1, 40) n;
  create function nothing() returns void language sql as '';
  create function cookies() returns int language sql as $$
    select set_config('response.headers', '[{"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}, {"X-Word": "one"}]', true);
    select 1 $$;
  create function misspelt() returns int language sql as $$
    select set_config('response.headers', '[{"X-Word": 1}]', true);
    select 1 $$;
  create function brew() returns void language plpgsql as $body$
    begin
      raise sqlstate 'PGRST' using
        message = '{"code": "tea", "message": "Short and stout"}',
        detail = '{"status": 418, "status_text": "I am a teapot", "headers": {"X-Tea": "green"}}';
    end $body$;
  create function heard() returns json language sql as $$select current_setting('request.headers')::json$$;
`

interface Row {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly isAnonymous?: true
}

const REQUESTS: readonly Row[] = [
  { name: 'rows', path: '/books?order=id' },
  { name: 'rows below /rest/v1', path: '/rest/v1/books?order=id' },
  { name: 'more rows than one buffer', path: '/big?order=id' },
  { name: 'no row', path: '/books?id=eq.9' },
  { name: 'an empty query', path: '/books?' },
  {
    name: 'a page with its count',
    path: '/books',
    headers: { range: '0-0', prefer: 'count=exact' },
  },
  {
    name: 'a range beyond the end',
    path: '/books',
    headers: { range: '9-', prefer: 'count=exact' },
  },
  {
    name: 'one row as an object',
    path: '/books?id=eq.2',
    headers: { accept: 'application/vnd.pgrst.object+json' },
  },
  { name: 'rows as CSV', path: '/books?order=id', headers: { accept: 'text/csv' } },
  { name: 'HEAD', method: 'HEAD', path: '/books' },
  { name: 'HEAD of an unknown table', method: 'HEAD', path: '/unknown' },
  { name: 'OPTIONS', method: 'OPTIONS', path: '/books' },
  {
    name: 'a preflight',
    method: 'OPTIONS',
    path: '/books',
    headers: { origin: 'http://page.test', 'access-control-request-method': 'GET' },
  },
  { name: 'a request of a page', path: '/books?id=eq.1', headers: { origin: 'http://page.test' } },
  {
    name: 'the description of the schema',
    path: '/',
    headers: { accept: 'application/openapi+json' },
  },
  { name: 'a function without a result', method: 'POST', path: '/rpc/nothing', body: '{}' },
  { name: 'headers that a function sets', method: 'POST', path: '/rpc/cookies', body: '{}' },
  { name: 'headers that a function spoils', method: 'POST', path: '/rpc/misspelt', body: '{}' },
  { name: 'a status line that a function sets', method: 'POST', path: '/rpc/brew', body: '{}' },
  {
    name: 'an update that returns rows',
    method: 'PATCH',
    path: '/books?id=eq.1',
    body: '{"title":"Sea"}',
    headers: { prefer: 'return=representation' },
  },
  {
    name: 'an update below /rest/v1',
    method: 'PATCH',
    path: '/rest/v1/books?id=eq.1',
    body: '{"title":"Sea"}',
  },
  { name: 'a conflict', method: 'POST', path: '/books', body: '{"id":1}' },
  { name: 'a deletion of no row', method: 'DELETE', path: '/books?id=eq.9' },
  { name: 'a body that is no JSON', method: 'POST', path: '/books', body: '{' },
  { name: 'an unknown table', path: '/unknown' },
  { name: 'a malformed filter', path: '/books?id=is.3' },
  { name: 'a missing credential', path: '/books', isAnonymous: true },
  { name: 'a service worker', path: '/books', headers: { 'service-worker': 'script' } },
  { name: 'a refusal of another service', path: '/auth/v1/nowhere' },
]

/** Headers that differ between any two answers, or that belong to the connection. */
const NOT_COMPARED = [
  'x-request-id',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(SQL)
})

function requestOf({ method = 'GET', path, headers = {}, body, isAnonymous }: Row): Request {
  const { tenant, at } = world
  return new Request(at.url + path, {
    method,
    headers: {
      ...(isAnonymous === true
        ? {}
        : { apikey: tenant.anonKey, authorization: `Bearer ${tenant.serviceRoleKey}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
}

async function told(response: Response) {
  const headers = [...response.headers].filter(([name]) => !NOT_COMPARED.includes(name))
  return { status: response.status, headers, text: await response.text() }
}

describe('the port and emulator.fetch', () => {
  it.each(REQUESTS)('give the same answer to $name', async (row) => {
    const ofPort = await fetch(requestOf(row))
    const ofFetch = await world.at.emulator.fetch(requestOf(row))
    const length = ofPort.headers.get('content-length')
    const answer = await told(ofPort)
    expect(answer).toEqual(await told(ofFetch))
    if (row.method !== 'HEAD' && length !== null)
      expect(Number(length)).toBe(Buffer.byteLength(answer.text))
  })

  it('give the same reason phrase when a function sets one', async () => {
    const row = { name: '', method: 'POST', path: '/rpc/brew', body: '{}' }
    const { statusText } = await fetch(requestOf(row))
    expect(statusText).toBe('I am a teapot')
    expect((await world.at.emulator.fetch(requestOf(row))).statusText).toBe(statusText)
  })

  it('show the same headers to a function', async () => {
    const row = { name: '', path: '/rpc/heard', headers: { 'x-twice': 'one', cookie: 'a=1; b=2' } }
    const sent = ['x-twice', 'apikey', 'authorization']
    const read = async (response: Response) => {
      const heard = (await response.json()) as Record<string, string>
      return [sent.map((name) => heard[name]), 'cookie' in heard]
    }
    const ofPort = await read(await fetch(requestOf(row)))
    expect(ofPort).toEqual(await read(await world.at.emulator.fetch(requestOf(row))))
    expect(ofPort[0]).toContain('one')
  })
})
