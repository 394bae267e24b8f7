// Which media type an answer has when an owner defines media type handlers: the order in which handlers are searched.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, openAsk, type Question } from '../open-ask.ts'

let asked: Asked

beforeAll(async () => {
  asked = await openAsk(
    `create domain "text/html" as text;
     create domain "text/csv" as text;
     create domain "application/x-Count" as text;
     create domain "*/*" as bytea;
     create table pages (id integer primary key, name text);
     create table blobs (id integer primary key, data bytea);
     create table others (id integer primary key);
     create type loose as (id integer);
     insert into pages values (1, 'a'), (2, 'b');
     insert into blobs values (1, 'one'), (2, 'two');
     insert into others values (1);
     create function add_page(made "text/html", page pages) returns "text/html" language sql immutable as
       $$ select (made || '<li>' || page.name)::"text/html" $$;
     create aggregate html_of(pages) (initcond = '', stype = "text/html", sfunc = add_page);
     create function add_csv(made "text/csv", page pages) returns "text/csv" language sql immutable as
       $$ select (made || page.name || ';')::"text/csv" $$;
     create aggregate csv_of(pages) (initcond = '', stype = "text/csv", sfunc = add_csv);
     create function add_any(made "application/x-Count", one anyelement) returns "application/x-Count"
       language sql immutable as $$ select (made || '#')::"application/x-Count" $$;
     create aggregate count_of(anyelement) (initcond = '', stype = "application/x-Count", sfunc = add_any);
     create function add_blob(made "*/*", blob blobs) returns "*/*" language sql immutable as
       $$ select (made || blob.data)::"*/*" $$;
     create aggregate blob_of(blobs) (initcond = '', stype = "*/*", sfunc = add_blob);
     create function add_loose(made "text/html", one loose) returns "text/html" language sql immutable as
       $$ select made $$;
     create aggregate loose_of(loose) (initcond = '', stype = "text/html", sfunc = add_loose);
     create function some_pages() returns setof pages language sql stable as 'select * from pages where id = 1';
     create function loose_rows() returns setof loose language sql stable as 'select row(1)::loose';
     create function front() returns "text/html" language sql stable as $$ select '<p>'::"text/html" $$;
     create function anything() returns "*/*" language sql stable as $$ select 'raw'::bytea::"*/*" $$`,
  )
})

afterAll(() => asked.close())

async function made(target: string, accept: string, question: Question = {}) {
  const { status, text, headers } = await asked.ask(target, {
    ...question,
    headers: { ...question.headers, accept },
  })
  return status < 300 ? [headers.get('content-type'), text] : status
}

describe('a media type handler of a relation', () => {
  it('receives whole rows, and is not used when columns are selected', async () => {
    expect(await made('/pages', 'text/html')).toEqual(['text/html', '<li>a<li>b'])
    expect(await made('/pages?select=*&id=eq.2', 'text/html')).toEqual(['text/html', '<li>b'])
    expect(await made('/pages?select=id,name', 'text/html')).toBe(406)
    expect(await made('/others', 'text/html')).toBe(406)
  })

  it('receives the rows that a function or a write returns', async () => {
    expect(await made('/rpc/some_pages', 'text/html')).toEqual(['text/html', '<li>a'])
    const question = {
      method: 'POST',
      body: { id: 3, name: 'c' },
      headers: { prefer: 'return=representation, tx=rollback' },
    }
    expect(await made('/pages', 'text/html', question)).toEqual(['text/html', '<li>c'])
  })

  it('is preferred to the built-in handler', async () => {
    expect(await made('/pages', 'text/csv')).toEqual(['text/csv; charset=utf-8', 'a;b;'])
    expect(await made('/pages?select=id', 'text/csv')).toEqual([
      'text/csv; charset=utf-8',
      'id\n1\n2',
    ])
  })

  it('for any media type answers every requested type with bytes', async () => {
    for (const accept of ['*/*', 'image/x', 'application/json', 'text/csv'])
      expect(await made('/blobs', accept)).toEqual(['application/octet-stream', 'onetwo'])
    expect(await made('/blobs?select=id', 'application/json')).toEqual([
      'application/json; charset=utf-8',
      expect.stringContaining('"id":1'),
    ])
    expect(await made('/blobs?select=id', 'image/x')).toBe(406)
  })

  it('does not handle JSON of one object', async () => {
    const accept = 'application/vnd.pgrst.object+json'
    expect(await made('/blobs?id=eq.1', accept)).toEqual([
      `${accept}; charset=utf-8`,
      expect.stringMatching(/^\{"id":1/),
    ])
  })

  it('does not handle rows of a composite type', async () => {
    expect(await made('/rpc/loose_rows', 'text/html')).toBe(406)
  })
})

describe('a media type handler of any element', () => {
  it('receives rows of every kind, also with selected columns', async () => {
    for (const target of ['/pages', '/others?select=id', '/rpc/some_pages'])
      expect(await made(target, 'application/x-count')).toEqual([
        'application/x-count',
        expect.stringMatching(/^#+$/),
      ])
  })
})

describe('a function that makes a media type', () => {
  it('returns that media type only when the request accepts it', async () => {
    expect(await made('/rpc/front', 'text/html')).toEqual(['text/html', '<p>'])
    expect(await made('/rpc/front', 'application/json')).toEqual([
      'application/json; charset=utf-8',
      '"<p>"',
    ])
    expect(await made('/rpc/anything', 'image/x')).toEqual(['application/octet-stream', 'raw'])
  })
})

describe('several media types that are accepted', () => {
  it('are tried by weight, then in the order of the header', async () => {
    expect(await made('/pages', 'image/x, text/html;q=0.5, application/json;q=0.9')).toEqual([
      'application/json; charset=utf-8',
      expect.any(String),
    ])
    expect(await made('/pages', 'image/x, text/html, application/json')).toEqual([
      'text/html',
      expect.any(String),
    ])
  })
})

describe('a plan', () => {
  it('is returned for the requested media type when plans are enabled', async () => {
    const accept = 'application/vnd.pgrst.plan+json; for="text/html"'
    expect(await made('/pages', accept)).toBe(406)
    const settings = { planEnabled: true }
    expect(await made('/pages', accept, { settings })).toEqual([
      'application/vnd.pgrst.plan+json; for="text/html"; charset=utf-8',
      expect.stringContaining('"Plan"'),
    ])
    const other = accept.replace('text/html', 'image/x')
    expect(await made('/pages', other, { settings })).toBe(406)
  })
})
