// Function calls as plain requests. Covers all kinds of arguments and results, and the parts of the answer that functions set
// (PostgREST, "Functions as RPC", "Transaction-scoped settings", "Errors"; docs/wire/data-plane.md#gate).
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type AskOptions,
  type DataWorld,
  headersOf,
  startDataWorld,
} from '../../support/data-world.ts'

const SQL = `
  create table books (id int primary key, title text);
  insert into books values (1, 'Sea'), (2, 'Sand');
  create function add(a int, b int default 1) returns int immutable language sql as 'select a + b';
  create function joined(variadic words text[]) returns text immutable language sql as $$ select array_to_string(words, '-') $$;
  create function of_json(json) returns json immutable language sql as $$ select json_build_object('is', $1) $$;
  create function of_text(text) returns text immutable language sql as 'select upper($1)';
  create function of_bytes(bytea) returns int immutable language sql as 'select length($1)';
  create function unclear(a int) returns int immutable language sql as 'select 1';
  create function unclear(a text) returns int immutable language sql as 'select 2';
  create function by_names(a int) returns text immutable language sql as $$ select 'one' $$;
  create function by_names(a int, b int) returns text immutable language sql as $$ select 'two' $$;
  create function nothing() returns void language sql as '';
  create function no_number() returns int immutable language sql as 'select null::int';
  create function a_book() returns books stable language sql as 'select * from books where id = 1';
  create function no_book() returns books stable language sql as 'select * from books where id = 9';
  create function pair(out low int, out high text) immutable language sql as $$ select 1, 'x' $$;
  create function rows_of(n int) returns table (i int, twice int) immutable language sql as 'select i, i * 2 from generate_series(1, n) i';
  create function add_book(id int) returns books volatile language sql as $$ insert into books values (id, 'new') returning * $$;
  create function sly_book(id int) returns void stable language plpgsql as $$ begin perform add_book(id); end $$;
  create function told(name text) returns text stable language sql as 'select current_setting(name, true)';
  create function caller() returns text stable language sql as 'select current_user';
  create function answered(status text, headers text) returns text language plpgsql as $$
    begin
      perform set_config('response.status', status, true), set_config('response.headers', headers, true);
      return 'body';
    end $$;
  create function fails(code text, message text, detail text default '', hint text default '') returns void language plpgsql as
    $$ begin raise exception using errcode = code, message = message, detail = detail, hint = hint; end $$;
  create function fallen() returns int language plpgsql as $$ begin insert into books values (77, 'lost'); raise sqlstate 'PT409' using message = 'too late'; end $$;
`

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(SQL)
})

const get = (path: string, options: AskOptions = {}) => world.ask('GET', `/rpc/${path}`, options)
const post = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  world.ask('POST', `/rpc/${name}`, { body, headers })
const typed = (type: string) => ({ 'content-type': type })

describe('arguments', () => {
  it.each([
    ['by GET', () => get('add?a=2&b=3'), 5],
    ['by GET, one left to its default', () => get('add?a=2'), 3],
    ['by POST', () => post('add', { a: 2, b: 3 }), 5],
    ['by a form', () => post('add', 'a=2&b=3', typed('application/x-www-form-urlencoded')), 5],
    ['as text in JSON', () => post('add', { a: '2' }), 3],
    ['variadic, repeated', () => get('joined?words=a&words=b'), 'a-b'],
    ['variadic, once', () => get('joined?words=a'), 'a'],
    ['variadic, as a list', () => post('joined', { words: ['a', 'b', 'c'] }), 'a-b-c'],
    ['one unnamed of json', () => post('of_json', { a: [1, null] }), { is: { a: [1, null] } }],
    ['one unnamed of text', () => post('of_text', 'raw', typed('text/plain')), 'RAW'],
    ['one unnamed of bytes', () => post('of_bytes', 'äb', typed('application/octet-stream')), 3],
    ['that choose an overload', () => post('by_names', { a: 1, b: 2 }), 'two'],
    ['that choose another overload', () => get('by_names?a=1'), 'one'],
  ])('are taken %s', async (_name, call, value) => {
    const answer = await call()
    expect([answer.status, answer.body]).toEqual([200, value])
  })

  it('that fit several functions are refused, and the error lists the functions', async () => {
    const { schemaName } = world.tenant
    expect(await get('unclear?a=1')).toMatchObject({
      status: 300,
      body: {
        code: 'PGRST203',
        message: `Could not choose the best candidate function between: ${schemaName}.unclear(a => integer), ${schemaName}.unclear(a => text)`,
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    })
  })

  it('that fit no function are refused, and the error names the most similar one', async () => {
    const { schemaName } = world.tenant
    expect(await get('add?a=1&c=2')).toMatchObject({
      status: 404,
      body: {
        code: 'PGRST202',
        message: `Could not find the function ${schemaName}.add(a, c) in the schema cache`,
        details: `Searched for the function ${schemaName}.add with parameters a, c, but no matches were found in the schema cache.`,
        hint: `Perhaps you meant to call the function ${schemaName}.add(a, b)`,
      },
    })
    expect((await post('nothingness', {})).body.message).toBe(
      `Could not find the function ${schemaName}.nothingness without parameters in the schema cache`,
    )
  })

  it('of another type are refused with Postgres’s error', async () => {
    expect(await get('add?a=x')).toMatchObject({
      status: 400,
      body: { code: '22P02', message: 'invalid input syntax for type integer: "x"' },
    })
  })
})

describe('the result of a function', () => {
  it.each([
    ['add?a=1', '2'],
    ['no_number', 'null'],
    ['a_book', '{"id":1,"title":"Sea"}'],
    ['a_book?select=title', '{"title":"Sea"}'],
    ['no_book', '{"id":null,"title":null}'],
    ['pair', '{"low":1,"high":"x"}'],
    ['rows_of?n=3&twice=gt.2&order=i.desc', '[{"i":3,"twice":6}, \n {"i":2,"twice":4}]'],
    ['rows_of?n=3&select=sum:twice.sum()', '[{"sum":12}]'],
    ['rows_of?n=9&limit=1&offset=4', '[{"i":5,"twice":10}]'],
  ])('called as %s is %s', async (path, text) => {
    const answer = await get(path)
    expect([answer.status, answer.text]).toEqual([200, text])
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('is status 204 without a Content-Type when the function returns void', async () => {
    const answer = await post('nothing', {})
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(headersOf(answer, ['content-type', 'content-range'])).toEqual({
      'content-range': '0-0/*',
    })
  })

  it('can be CSV of rows, or a single JSON object', async () => {
    const rows = await get('rows_of?n=2', { headers: { accept: 'text/csv' } })
    expect(rows.text).toBe('i,twice\n1,2\n2,4')
    const one = await get('a_book', { headers: { accept: 'application/vnd.pgrst.object+json' } })
    expect(one.body).toEqual({ id: 1, title: 'Sea' })
  })
})

describe('what a function may do', () => {
  it.each([
    ['a volatile one by GET', () => get('add_book?id=10')],
    ['a stable one by POST', () => post('sly_book', { id: 10 })],
  ])('%s may not write', async (_name, call) => {
    expect(await call()).toMatchObject({
      status: 405,
      body: { code: '25006', message: 'cannot execute INSERT in a read-only transaction' },
    })
  })

  it('a volatile function called by POST writes, unless it is rolled back', async () => {
    expect((await post('add_book', { id: 11 }, { prefer: 'tx=rollback' })).status).toBe(200)
    expect((await world.ask('GET', '/books?id=eq.11')).body).toEqual([])
    expect((await post('add_book', { id: 11 })).body).toEqual({ id: 11, title: 'new' })
    expect((await world.ask('GET', '/books?id=eq.11')).body).toHaveLength(1)
  })

  it('a function that fails changes nothing', async () => {
    expect((await post('fallen', {})).status).toBe(409)
    expect((await world.ask('GET', '/books?id=eq.77')).body).toEqual([])
  })

  it('a function reads the method, path, headers, claims and role of the request', async () => {
    const headers = { 'x-mine': 'yes' }
    const told = async (name: string) => (await get(`told?name=${name}`, { headers })).body
    expect(await told('request.method')).toBe('GET')
    expect(await told('request.path')).toBe('/rpc/told')
    expect(JSON.parse(await told('request.headers'))).toMatchObject(headers)
    expect(JSON.parse(await told('request.jwt.claims'))).toMatchObject({ role: 'service_role' })
    expect((await get('caller')).body).toBe('service_role')
  })
})

describe('a function sets', () => {
  it('the status and headers of the answer, also repeated headers', async () => {
    const headers =
      '[{"X-One":"1"},{"Set-Cookie":"a=1"},{"Set-Cookie":"b=2"},{"Cache-Control":"max-age=9"}]'
    const answer = await post('answered', { status: '418', headers })
    expect([answer.status, answer.body]).toEqual([418, 'body'])
    expect(headersOf(answer, ['x-one', 'cache-control'])).toEqual({
      'x-one': '1',
      'cache-control': 'max-age=9',
    })
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it.each([
    [
      '200',
      '{"X":"1"}',
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    ],
    [
      '200',
      '[{"X":"1","Y":"2"}]',
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    ],
    ['soon', '[]', 'PGRST112', 'response.status guc must be a valid status code'],
  ])('no status or headers from invalid values: %s, %s', async (status, headers, code, message) => {
    expect(await post('answered', { status, headers })).toMatchObject({
      status: 500,
      body: { code, message },
    })
  })

  it('an error with its own status', async () => {
    const raised = { code: 'PT402', message: 'Pay first', detail: 'Quota', hint: 'Upgrade' }
    const answer = await post('fails', raised)
    expect([answer.status, answer.body]).toEqual([
      402,
      { code: 'PT402', message: 'Pay first', details: 'Quota', hint: 'Upgrade' },
    ])
    expect(answer.headers.get('proxy-status')).toBe('PostgREST; error=PT402')
  })

  it('an error with its own status, headers and body', async () => {
    const message = JSON.stringify({ code: '123', message: 'ABC', details: 'DEF', hint: 'XYZ' })
    const detail = JSON.stringify({ status: 421, headers: { 'X-Tried': 'twice' } })
    const answer = await post('fails', { code: 'PGRST', message, detail })
    expect([answer.status, answer.body, answer.headers.get('x-tried')]).toEqual([
      421,
      JSON.parse(message),
      'twice',
    ])
  })

  it.each([
    ['ABC', '{}', "Invalid JSON value for MESSAGE: 'ABC'"],
    ['{"code":"1","message":"m"}', 'DEF', "Invalid JSON value for DETAIL: 'DEF'"],
  ])('no error of its own with the invalid values %s and %s', async (message, detail, details) => {
    expect(await post('fails', { code: 'PGRST', message, detail })).toMatchObject({
      status: 500,
      body: {
        code: 'PGRST121',
        message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
        details,
      },
    })
  })
})
