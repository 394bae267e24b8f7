// The history of committed row changes, over GET /_emulator/v1/projects/:ref/history.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPastTenant, type PastTenant } from '../../../support/past-tenant.ts'
import { userToken } from '../../../support/test-emulator.ts'

const USER = '00000000-0000-4000-8000-00000000000a'

let past: PastTenant
beforeAll(async () => {
  past = await openPastTenant(`create table parents (id integer primary key, name text);
    create table children (id integer primary key, parent integer references parents on delete cascade, note text);
    create table pairs (one text, two integer, word text, primary key (two, one) include (word));
    create table loose (word text);
    create function note_parent() returns trigger language plpgsql as
      $$ begin insert into children values (new.id + 100, new.id, 'made'); return new; end $$;
    create trigger note_parent after insert on parents for each row execute function note_parent()`)
})
afterAll(() => past[Symbol.asyncDispose]())

const kinds = async (query: string) =>
  (await past.history(query)).changes.map(({ columns, key, kind, table }) => [
    kind,
    table,
    key,
    columns,
  ])

describe('the history of a row', () => {
  it('has each change with its request, identity and changed columns', async () => {
    const token = await userToken(past.at, 'past', USER)
    const made = await past.request('POST', '/pairs', { one: 'a', two: 1, word: 'x' }, token)
    const changed = await past.request('PATCH', '/pairs?one=eq.a', { word: 'y' }, token)
    const { changes, is_recorded } = await past.history('table=pairs&key=["1","a"]')
    const by = { role: 'authenticated', user_id: USER, key: { one: 'a', two: '1' } }
    expect(changes).toMatchObject([
      { ...by, kind: 'UPDATE', columns: { word: ['x', 'y'] }, request_id: changed },
      { ...by, kind: 'INSERT', columns: { word: [null, 'x'] }, request_id: made },
    ])
    expect(is_recorded).toBe(true)
  })

  it('follows a changed key', async () => {
    await past.write(`insert into loose values ('none'); insert into pairs values ('k', 5, 'z')`)
    await past.write(`update pairs set two = 6 where two = 5`)
    await past.write(`delete from pairs where two = 6`)
    expect(await kinds('table=pairs&key=["6","k"]')).toEqual([
      [
        'DELETE',
        'pairs',
        { one: 'k', two: '6' },
        { one: ['k', null], two: ['6', null], word: ['z', null] },
      ],
      ['UPDATE', 'pairs', { one: 'k', two: '6' }, { two: ['5', '6'] }],
    ])
  })

  it('contains what triggers and cascades of a request changed', async () => {
    await past.request('POST', '/parents', { id: 1, name: 'one' })
    const request = await past.request('DELETE', '/parents?id=eq.1')
    expect(
      (await kinds(`request_id=${request}`)).map(([kind, table]) => [kind, table]).sort(),
    ).toEqual([
      ['DELETE', 'children'],
      ['DELETE', 'parents'],
    ])
  })

  it('contains rows that the script of their table inserted', async () => {
    await past.write(
      `create table fresh (id integer); insert into fresh values (1); drop table fresh`,
    )
    expect(await kinds('table=fresh')).toEqual([
      ['DROP', 'fresh', {}, {}],
      ['INSERT', 'fresh', { id: '1' }, { id: [null, '1'] }],
    ])
  })

  it('has values in the usual formats, whatever the settings of the session are', async () => {
    await past.write(
      'create table formats (id integer primary key, at timestamptz, span interval, raw bytea, real float8)',
    )
    await past.write(`set local datestyle = 'SQL, DMY'; set local timezone = 'America/Sao_Paulo'; set local intervalstyle = 'iso_8601';
      set local bytea_output = 'escape'; set local extra_float_digits = -5;
      insert into formats values (1, '2026-01-02 03:04:05+00', '1 day 2 hours', '\\x00ff', 1.23456789012345);
      create table shown as select current_setting('datestyle') || ' ' || current_setting('timezone') as settings`)
    const [inserted] = (await past.history('table=formats')).changes
    expect(inserted?.columns).toEqual({
      id: [null, '1'],
      at: [null, '2026-01-02 03:04:05+00'],
      span: [null, '1 day 02:00:00'],
      raw: [null, '\\x00ff'],
      real: [null, '1.23456789012345'],
    })
    const { results } = await past.ask('select settings from shown')
    expect(results[0]?.rows).toEqual([['SQL, DMY America/Sao_Paulo']])
  })

  it('has no change that was rolled back', async () => {
    await past.write(`insert into loose values ('never'); select 1 / 0`)
    expect(
      (await past.history('table=loose')).changes.map(({ columns }) => columns),
    ).not.toContainEqual({
      word: [null, 'never'],
    })
  })

  it('has pages', async () => {
    await past.write(`insert into loose select 'many' || n from generate_series(1, 30) as n`)
    const first = await past.history('table=loose&limit=10')
    const second = await past.history(
      `table=loose&limit=10&before=${first.changes.at(-1)?.sequence}`,
    )
    const words = [...first.changes, ...second.changes].map(({ columns }) => columns['word']?.[1])
    expect(words).toEqual(Array.from({ length: 20 }, (_, index) => `many${30 - index}`))
    expect(first.has_more).toBe(true)
  })

  it('adds no trigger that the owner of a table can see', async () => {
    await past.write('create table watched (id integer)')
    const { results } = await past.ask(
      `select count(*) from pg_trigger where tgrelid in ('watched'::regclass, 'pairs'::regclass) and not tgisinternal`,
    )
    expect(results[0]?.rows).toEqual([['0']])
  })

  it('cannot be read or written by a tenant', async () => {
    const read = await past.at.call('POST', '/_emulator/v1/projects/past/sql', {
      body: { sql: 'select * from platform.row_history', identity: 'owner', mode: 'read_only' },
    })
    expect(read.body.error.code).toBe('system_schema_protected')
  })
})
