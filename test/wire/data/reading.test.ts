// Reads as plain requests: status, headers and bytes that the reference client hides (PostgREST, "Pagination", "Resource
// Representation", "Prefer Header"; docs/wire/data-plane.md#gate).
import { beforeAll, describe, expect, it } from 'vitest'
import { type DataWorld, headersOf, startDataWorld } from '../../support/data-world.ts'

const SQL = `
  create table books (id int primary key, title text, price numeric(6,2), at timestamptz);
  create table secrets (id int primary key);
  create table keyless (a int);
  create table "odd (table)" ("a b" int primary key, "c,d.e" text);
  insert into "odd (table)" values (1, 'x"y'), (2, 'z');
  create domain "text/html" as text;
  create function page() returns "text/html" immutable language sql as $$ select '<b>hi</b>'::text $$;
  insert into books values (1, 'Sea', 9.50, '2024-01-01T12:00:00Z'), (2, 'Sand', 12, null), (3, 'Tide', null, null);
  revoke all on secrets from anon, authenticated;
`

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(SQL)
})

const JSON_TYPE = 'application/json; charset=utf-8'
const PAGE = ['content-type', 'content-range', 'content-location', 'preference-applied'] as const

const get = (path: string, headers: Record<string, string> = {}) =>
  world.ask('GET', path, { headers })

describe('a read', () => {
  it('returns Postgres’s JSON byte for byte, with Content-Range and Content-Location', async () => {
    const answer = await get('/books?select=id,price&order=id')
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(
      '[{"id":1,"price":9.50}, \n {"id":2,"price":12.00}, \n {"id":3,"price":null}]',
    )
    expect(headersOf(answer, PAGE)).toEqual({
      'content-type': JSON_TYPE,
      'content-range': '0-2/*',
      'content-location': '/books?order=id&select=id%2Cprice',
    })
  })

  it('returns an empty list when no row matches', async () => {
    const answer = await get('/books?id=eq.9')
    expect(answer.text).toBe('[]')
    expect(answer.headers.get('content-range')).toBe('*/*')
  })

  it.each([
    [{ range: '0-1' }, 200, '0-1/*'],
    [{ range: '1-' }, 200, '1-2/*'],
    [{ range: '0-1', prefer: 'count=exact' }, 206, '0-1/3'],
    [{ range: '0-9', prefer: 'count=exact' }, 200, '0-2/3'],
    [{ range: '7-9', prefer: 'count=exact' }, 416, '*/3'],
    [{ prefer: 'count=exact' }, 200, '0-2/3'],
  ])('with %j gets %i and the range %s', async (headers: Record<string, string>, status, range) => {
    const answer = await get('/books?order=id', headers)
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, range])
  })

  it('uses the narrower of Range and limit', async () => {
    const answer = await get('/books?select=id&order=id&offset=1&limit=9', { range: '0-1' })
    expect(answer.headers.get('content-range')).toBe('1-1/*')
  })

  it('refuses a Range that ends before it begins', async () => {
    expect(await get('/books', { range: '2-1' })).toMatchObject({
      status: 416,
      body: {
        code: 'PGRST103',
        message: 'Requested range not satisfiable',
        details:
          'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
        hint: null,
      },
    })
  })

  it('answers HEAD with the headers of GET, without a body or Content-Length', async () => {
    const answer = await world.ask('HEAD', '/books?select=id', {
      headers: { prefer: 'count=exact' },
    })
    expect(answer.text).toBe('')
    expect(headersOf(answer, [...PAGE, 'content-length'])).toEqual({
      'content-type': JSON_TYPE,
      'content-range': '0-2/3',
      'content-location': '/books?select=id',
      'preference-applied': 'count=exact',
    })
  })

  it('accepts quoted names with spaces and punctuation', async () => {
    const [odd, ab, cde] = ['odd (table)', '"a b"', '"c,d.e"'].map(encodeURIComponent)
    const rows = await get(`/${odd}?select=${ab},x:${cde}&${cde}=neq.z&order=${ab}.desc`)
    expect(rows.body).toEqual([{ 'a b': 1, x: 'x"y' }])
    const logic = await get(`/${odd}?select=${ab}&or=(${cde}.eq."z",${ab}.gt.5)`)
    expect(logic.body).toEqual([{ 'a b': 2 }])
  })

  it('streams a page of a thousand rows completely', async () => {
    await world.ask('POST', '/keyless', { body: Array.from({ length: 1_000 }, (_, a) => ({ a })) })
    const answer = await get('/keyless?order=a')
    expect(answer.body).toHaveLength(1_000)
    expect(answer.headers.get('content-range')).toBe('0-999/*')
    expect(answer.body[999]).toEqual({ a: 999 })
  })
})

describe('the media type', () => {
  it.each([
    ['*/*', JSON_TYPE, '[{"id":3,"price":null}]'],
    ['text/csv', 'text/csv; charset=utf-8', 'id,price\n3,'],
    ['text/csv;q=0.1, application/json', JSON_TYPE, '[{"id":3,"price":null}]'],
    ['text/unknown, text/csv', 'text/csv; charset=utf-8', 'id,price\n3,'],
    [
      'application/vnd.pgrst.object+json',
      'application/vnd.pgrst.object+json; charset=utf-8',
      '{"id":3,"price":null}',
    ],
    [
      'application/vnd.pgrst.object',
      'application/vnd.pgrst.object+json; charset=utf-8',
      '{"id":3,"price":null}',
    ],
    [
      'application/vnd.pgrst.object+json;nulls=stripped',
      'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
      '{"id":3}',
    ],
    [
      'application/vnd.pgrst.array+json;nulls=stripped',
      'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
      '[{"id":3}]',
    ],
  ])('is chosen by Accept: %s', async (accept, type, text) => {
    const answer = await get('/books?select=id,price&id=eq.3', { accept })
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      200,
      type,
      text,
    ])
  })

  it('can be defined by a function', async () => {
    const answer = await get('/rpc/page', { accept: 'text/html' })
    expect([answer.headers.get('content-type'), answer.text]).toEqual(['text/html', '<b>hi</b>'])
    expect((await get('/rpc/page')).body).toBe('<b>hi</b>')
  })

  it.each(['text/unknown', 'application/octet-stream', 'text/plain'])(
    '%s is refused for a table',
    async (accept) => {
      expect(await get('/books', { accept })).toMatchObject({
        status: 406,
        body: { code: 'PGRST107', message: `None of these media types are available: ${accept}` },
      })
    },
  )
})

describe('preferences and profiles', () => {
  it('convert times to a time zone, and Preference-Applied lists only effective preferences', async () => {
    const prefer = 'timezone=America/New_York, return=representation, handling=lenient, x=y'
    const answer = await get('/books?select=at&id=eq.1', { prefer })
    expect(answer.text).toBe('[{"at":"2024-01-01T07:00:00-05:00"}]')
    expect(answer.headers.get('preference-applied')).toBe(
      'handling=lenient, timezone=America/New_York',
    )
  })

  it('are refused when handling is strict, and the error lists the invalid preferences', async () => {
    const prefer = 'handling=strict, x=y, count=many'
    expect(await get('/books', { prefer })).toMatchObject({
      status: 400,
      body: {
        code: 'PGRST122',
        message: 'Invalid preferences given with handling=strict',
        details: 'Invalid preferences: x=y, count=many',
        hint: null,
      },
    })
  })

  it('return the requested profile in Content-Profile', async () => {
    const { schemaName } = world.tenant
    const answer = await get('/books?limit=1', { 'accept-profile': schemaName })
    expect(answer.headers.get('content-profile')).toBe(schemaName)
  })
})

describe('an error', () => {
  it('is compact JSON with all four keys in PostgREST’s order, and repeats its code in a header', async () => {
    const answer = await get('/bookz')
    const { schemaName } = world.tenant
    expect(answer.text).toBe(
      `{"code":"PGRST205","details":null,"hint":"Perhaps you meant the table '${schemaName}.books'","message":"Could not find the table '${schemaName}.bookz' in the schema cache"}`,
    )
    expect(headersOf(answer, ['content-type', 'content-length', 'proxy-status'])).toEqual({
      'content-type': JSON_TYPE,
      'content-length': String(Buffer.byteLength(answer.text)),
      'proxy-status': 'PostgREST; error=PGRST205',
    })
  })

  it.each([
    ['GET', '/a/b', 404, 'PGRST125', 'Invalid path specified in request URL'],
    ['POST', '/', 405, 'PGRST117', 'Unsupported HTTP method: POST'],
    ['PUT', '/rpc/page', 405, 'PGRST101', 'Cannot use the PUT method on RPC'],
    ['GET', '/books?id=eq.x', 400, '22P02', 'invalid input syntax for type integer: "x"'],
    ['GET', '/books?price=fts.x', 404, '42883', 'function to_tsvector(numeric) does not exist'],
  ])('for the request %s %s is %i %s', async (method, path, status, code, message) => {
    const body = method === 'GET' ? undefined : {}
    expect(await world.ask(method, path, { body })).toMatchObject({
      status,
      body: { code, message },
    })
  })

  it('for a missing grant is 401 for an anonymous caller and 403 for a user', async () => {
    const visitor = await world.ask('GET', '/secrets', { token: world.tenant.anonKey })
    expect([visitor.status, visitor.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    const token = await world.tokenOf('00000000-0000-4000-8000-000000000001')
    const user = await world.ask('GET', '/secrets', { token })
    expect(user).toMatchObject({
      status: 403,
      body: { code: '42501', message: 'permission denied for table secrets' },
    })
  })
})
