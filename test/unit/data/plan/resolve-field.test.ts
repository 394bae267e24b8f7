// Columns of a domain with casts that define its form in JSON and in query strings, at every place of a request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, openAsk, type Question } from '../open-ask.ts'

let asked: Asked

beforeAll(async () => {
  asked = await openAsk(
    `create domain color as integer;
     create function color_to_json(color) returns json language sql immutable as
       $$ select to_json('#' || lpad(upper(to_hex($1)), 6, '0')) $$;
     create function color_of_text(text) returns color language sql immutable as
       $$ select (('x' || lpad(replace($1, '#', ''), 8, '0'))::bit(32)::integer)::color $$;
     create function color_of_json(json) returns color language sql immutable as $$ select color_of_text($1 #>> '{}') $$;
     create cast (color as json) with function color_to_json(color) as implicit;
     create cast (json as color) with function color_of_json(json) as implicit;
     create cast (text as color) with function color_of_text(text) as implicit;
     create domain unread as integer;
     create table owners (id integer primary key, favourite color);
     create table paints (id integer primary key, tint color, plain unread, owner integer references owners);
     create view seen as select * from paints;
     create function all_paints() returns setof paints language sql stable as 'select * from paints order by id';
     create function one_color() returns color language sql stable as 'select 255::color';
     insert into owners values (1, 255);
     insert into paints values (1, 16711680, 5, 1), (2, 65280, 6, null)`,
  )
})

afterAll(() => asked.close())

async function rows(target: string, question: Question = {}): Promise<unknown> {
  const { status, json, text } = await asked.ask(target, question)
  return status < 300 ? json : text
}

describe('a value that is read', () => {
  it('is converted to JSON by the cast of its type, also in views, embeds, spreads and functions', async () => {
    const red = '#FF0000'
    expect(await rows('/paints?id=eq.1')).toEqual([{ id: 1, tint: red, plain: 5, owner: 1 }])
    expect(await rows('/seen?select=t:tint&id=eq.1')).toEqual([{ t: red }])
    expect(await rows('/paints?select=owners(*)&id=eq.1')).toEqual([
      { owners: { id: 1, favourite: '#0000FF' } },
    ])
    expect(await rows('/paints?select=...owners(favourite)&id=eq.1')).toEqual([
      { favourite: '#0000FF' },
    ])
    expect(await rows('/owners?select=...paints(tint)')).toEqual([{ tint: [red] }])
    expect(await rows('/rpc/all_paints?select=tint&limit=1')).toEqual([{ tint: red }])
  })

  it('is not converted in a scalar result or in an order', async () => {
    expect(await rows('/rpc/one_color')).toBe(255)
    expect(await rows('/paints?select=id&order=tint')).toEqual([{ id: 2 }, { id: 1 }])
  })

  it('can be used to group a count', async () => {
    expect(await rows('/paints?select=tint,count()&order=tint')).toEqual([
      { tint: '#00FF00', count: 1 },
      { tint: '#FF0000', count: 1 },
    ])
  })
})

describe('a value that is compared', () => {
  it('is converted from text by the cast of its type, also in trees, lists and negations', async () => {
    const found = [{ id: 1 }]
    for (const filter of [
      'tint=eq.%23FF0000',
      'tint=in.(FF0000,123456)',
      'tint=not.eq.00FF00',
      'or=(tint.eq.FF0000,tint.gt.FF0000)',
    ])
      expect(await rows(`/paints?select=id&${filter}`)).toEqual(found)
    expect(await rows('/rpc/all_paints?select=id&tint=eq.FF0000')).toEqual(found)
    expect(await rows('/owners?select=id,paints!inner(id)&paints.tint=eq.FF0000')).toEqual([
      { id: 1, paints: found },
    ])
  })

  it('is not converted for the operators is and isdistinct', async () => {
    expect(await rows('/paints?select=id&tint=isdistinct.65280')).toEqual([{ id: 1 }])
    expect(await rows('/paints?select=id&tint=is.null')).toEqual([])
  })
})

describe('a value that is written', () => {
  const ask = (method: string, target: string, body: unknown, type = 'application/json') =>
    rows(target, {
      method,
      body,
      headers: { prefer: 'return=representation, tx=rollback', 'content-type': type },
    })

  it('is converted from JSON by the cast of its type in inserts, updates, upserts and CSV', async () => {
    const blue = { id: 3, tint: '#0000FF' }
    const told = [{ tint: '#0000FF' }]
    expect(await ask('POST', '/paints?select=tint', blue)).toEqual(told)
    expect(await ask('POST', '/paints?select=tint', 'id,tint\n3,#0000FF', 'text/csv')).toEqual(told)
    expect(await ask('PATCH', '/paints?select=tint&id=eq.1', { tint: '#0000FF' })).toEqual(told)
    expect(await ask('PUT', '/paints?select=tint&id=eq.3', blue)).toEqual(told)
    expect(await ask('POST', '/seen?select=tint', blue)).toEqual(told)
  })
})
