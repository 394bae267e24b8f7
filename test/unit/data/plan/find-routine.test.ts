// Which function a call uses, by the names of its arguments or by its body.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, openAsk, type Question } from '../open-ask.ts'

let asked: Asked

beforeAll(async () => {
  asked = await openAsk(
    `create table things (id integer primary key, name text);
     insert into things values (1, 'a'), (2, 'b');
     create function pick(a integer) returns text language sql immutable as $$ select 'one' $$;
     create function pick(a integer, b text default 'x') returns text language sql immutable as $$ select 'two' $$;
     create function said(a text, z integer) returns text language sql immutable as $$ select 'late' $$;
     comment on function said(text, integer) is 'something';
     create function said(z integer, a text) returns text language sql immutable as $$ select 'swapped' $$;
     create function said(a integer, z integer) returns text language sql immutable as $$ select 'early' $$;
     create function strewn(variadic words text[]) returns text language sql immutable as
       $$ select array_to_string(words, '|') $$;
     create function body(json) returns json language sql immutable as $$ select $1 $$;
     create function body(text) returns text language sql immutable as $$ select 'text ' || $1 $$;
     create function body(bytea) returns text language sql immutable as $$ select 'bytes ' || length($1) $$;
     create function mixed(jsonb) returns text language sql immutable as $$ select 'whole' $$;
     create function mixed(a integer) returns text language sql immutable as $$ select 'named' $$;
     create function numbers() returns setof integer language sql stable as 'select id from things order by 1';
     create function thing(id integer) returns things language sql stable as
       'select * from things t where t.id = thing.id';
     create function "%odd name"() returns integer language sql volatile as 'select 1'`,
  )
})

afterAll(() => asked.close())

async function said(target: string, question: Question = {}): Promise<unknown> {
  const { json, text } = await asked.ask(target, question)
  return json ?? text
}

function posted(body: unknown, type = 'application/json'): Question {
  return { method: 'POST', body, headers: { 'content-type': type } }
}

describe('arguments by name', () => {
  it('must include all required arguments and no unknown arguments', async () => {
    expect(await said('/rpc/pick?a=1&b=q')).toBe('two')
    expect(await said('/rpc/pick?b=q')).toMatchObject({ code: 'PGRST202' })
    expect(await said('/rpc/pick?a=1&c=2')).toMatchObject({ code: 'PGRST202' })
  })

  it('fail when several functions fit; the error lists fewest parameters first, then functions without a comment', async () => {
    expect(await said('/rpc/pick?a=1')).toMatchObject({
      code: 'PGRST203',
      message: expect.stringMatching(
        /pick\(a => integer\), proj_asked\.pick\(a => integer, b => text\)$/,
      ),
    })
    expect(await said('/rpc/said', posted({ a: 1, z: 2 }))).toMatchObject({
      message: expect.stringMatching(
        /said\(a => integer, z => integer\), .*said\(z => integer, a => text\), .*said\(a => text, z => integer\)$/,
      ),
    })
  })

  it('for a variadic parameter can be repeated, or be a list in JSON', async () => {
    expect(await said('/rpc/strewn?words=a&words=b')).toBe('a|b')
    expect(await said('/rpc/strewn', posted({ words: ['a', 'b'] }))).toBe('a|b')
    const form = posted('words=a&words=b', 'application/x-www-form-urlencoded')
    expect(await said('/rpc/strewn', form)).toBe('a|b')
  })
})

describe('a body', () => {
  it('is passed to the unnamed parameter that fits its media type', async () => {
    expect(await said('/rpc/body', posted({ a: [1] }))).toEqual({ a: [1] })
    expect(await said('/rpc/body', posted('hey', 'text/plain'))).toBe('text hey')
    expect(await said('/rpc/body', posted('abc', 'application/octet-stream'))).toBe('bytes 3')
  })

  it('provides named arguments when a function has parameters for its keys', async () => {
    expect(await said('/rpc/mixed', posted({ a: 1 }))).toBe('named')
    expect(await said('/rpc/mixed', posted({ b: 1 }))).toBe('whole')
  })

  it('is refused when no function accepts its media type', async () => {
    expect(await said('/rpc/strewn', posted('hey', 'text/plain'))).toEqual({
      code: 'PGRST202',
      message: 'Could not find the function proj_asked.strewn in the schema cache',
      details:
        'Searched for the function proj_asked.strewn with a single unnamed text parameter, but no matches were found in the schema cache.',
      hint: null,
    })
  })
})

describe('the result of a function', () => {
  it('is a list for a set and an object for one row, and on request an object for a set of one row', async () => {
    expect(await said('/rpc/numbers')).toEqual([1, 2])
    expect(await said('/rpc/thing?id=2')).toEqual({ id: 2, name: 'b' })
    const headers = { accept: 'application/vnd.pgrst.object+json' }
    expect(await said('/rpc/thing?id=2', { headers })).toEqual({ id: 2, name: 'b' })
    expect(await said('/rpc/numbers?limit=1', { headers })).toEqual({ pgrst_scalar: 1 })
  })
})

describe('an OPTIONS request for a function', () => {
  it('returns the methods that the function’s volatility allows', async () => {
    const allowed = async (name: string) =>
      (await asked.ask(`/rpc/${name}`, { method: 'OPTIONS' })).headers.get('allow')
    expect(await allowed('numbers')).toBe('OPTIONS,GET,HEAD,POST')
    expect(await allowed('%25odd%20name')).toBe('OPTIONS,POST')
  })

  it('is refused when the function call would be refused', async () => {
    const ask = (target: string, accept: string) =>
      said(target, { method: 'OPTIONS', headers: { accept } })
    expect(await ask('/rpc/pick', '*/*')).toMatchObject({ code: 'PGRST202' })
    expect(await ask('/rpc/numbers', 'image/x')).toMatchObject({ code: 'PGRST107' })
    expect(await ask('/rpc/numbers?select=nothing(id)', '*/*')).toMatchObject({ code: 'PGRST200' })
  })
})
