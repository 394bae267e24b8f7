// The change feed reports every kind of row change, and nothing else (docs/wire/realtime.md#changes).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SqlError } from '../../emulator/database/engine.ts'
import { sql } from '../../emulator/database/sql.ts'
import {
  type ChangeWorld,
  COMMITTED_AT,
  type Listening,
  openChangeWorld,
  PROJECT,
} from '../support/change-world.ts'
import { lastCell, runAsRole } from '../support/test-engine.ts'

let world: ChangeWorld
beforeAll(async () => {
  world = await openChangeWorld()
})
afterAll(() => world.close())

describe('a change', () => {
  let listening: Listening
  beforeAll(async () => {
    await world.exec(`
      create table team (id integer primary key, name text);
      create table member (id integer primary key, team integer references team on delete cascade, nick text);
      create table log (id integer generated always as identity primary key, said text);
      create function note() returns trigger language plpgsql as $$
        begin insert into log (said) values (new.name); return null; end $$;
      create trigger note after insert on team for each row execute function note();
      create function hire(integer) returns void language sql as
        $$ insert into member (id, nick) values ($1, 'hired') $$;
      create table slug (id integer primary key, name text, slug text);
      create function fill() returns trigger language plpgsql as $$
        begin update slug set slug = lower(name) where id = new.id; return null; end $$;
      create trigger fill after insert on slug for each row execute function fill();
      create table gapped (id integer primary key, gone text, kept text);
      alter table gapped drop column gone;
      create table part (id integer, kind text, primary key (id, kind)) partition by list (kind);
      create table part_a (kind text not null, id integer not null);
      alter table part attach partition part_a for values in ('a');
      create table part_b partition of part for values in ('b');
      create procedure half() language plpgsql as $$
        begin insert into member (id) values (900); commit; insert into member (id) values (901); raise 'no'; end $$`)
    listening = await world.listen()
  })
  afterAll(() => listening.close())

  it.each([
    [
      'an insert',
      'insert into member (id) values (1)',
      ['INSERT member {"id":1,"team":null,"nick":null}'],
    ],
    [
      'many inserts',
      'insert into member (id) select n from generate_series(2, 4) as n',
      [2, 3, 4].map((id) => `INSERT member {"id":${id},"team":null,"nick":null}`),
    ],
    [
      'an upsert',
      "insert into member (id, nick) values (4, 'up'), (5, 'new') on conflict (id) do update set nick = excluded.nick",
      [
        'UPDATE member {"id":4,"team":null,"nick":"up"}',
        'INSERT member {"id":5,"team":null,"nick":"new"}',
      ],
    ],
    [
      'a merge',
      "merge into member using (values (5), (6)) as v (id) on v.id = member.id when matched then update set nick = 'm' when not matched then insert (id) values (v.id)",
      [
        'UPDATE member {"id":5,"team":null,"nick":"m"}',
        'INSERT member {"id":6,"team":null,"nick":null}',
      ],
    ],
    [
      'an update of a key',
      'update member set id = 60 where id = 6',
      ['UPDATE member {"id":60,"team":null,"nick":null}'],
    ],
    ['a delete', 'delete from member where id = 60', ['DELETE member {"id":60}']],
    [
      'a trigger',
      "insert into team values (1, 'red')",
      ['INSERT log {"id":1,"said":"red"}', 'INSERT team {"id":1,"name":"red"}'],
    ],
    ['a function', 'select hire(7)', ['INSERT member {"id":7,"team":null,"nick":"hired"}']],
    [
      'several statements',
      'delete from member; insert into member (id, team) values (8, 1)',
      [1, 2, 3, 4, 5, 7]
        .map((id) => `DELETE member {"id":${id}}`)
        .concat('INSERT member {"id":8,"team":1,"nick":null}'),
    ],
    [
      'a cascade',
      'delete from team where id = 1',
      ['DELETE team {"id":1}', 'DELETE member {"id":8}'],
    ],
    ['a statement that changes nothing', "update member set nick = 'x' where false", []],
    [
      'a savepoint that was rolled back',
      "do $$ begin begin insert into member (id) values (9); raise 'no'; exception when others then null; end; insert into member (id) values (10); end $$",
      ['INSERT member {"id":10,"team":null,"nick":null}'],
    ],
    ['TRUNCATE', 'truncate member', []],
    [
      'a row beside a dropped column',
      "insert into gapped values (1, 'k')",
      ['INSERT gapped {"id":1,"kept":"k"}'],
    ],
    [
      'rows of partitions',
      "insert into part values (1, 'a'), (2, 'b')",
      ['INSERT part {"id":1,"kind":"a"}', 'INSERT part {"id":2,"kind":"b"}'],
    ],
    [
      'a row put into a partition itself',
      "insert into part_a (kind, id) values ('a', 3)",
      ['INSERT part {"id":3,"kind":"a"}'],
    ],
    [
      'a row that moves to another partition',
      "update part set kind = 'b' where id = 3",
      ['UPDATE part {"id":3,"kind":"b"}'],
    ],
    ['a table made in the same script', 'create table late (id integer primary key)', []],
    [
      'a table that was made while somebody listens',
      'insert into late values (1)',
      ['INSERT late {"id":1}'],
    ],
    ['a table that was altered', "alter table late add column more text default 'd'", []],
    [
      'a row of the altered table',
      'insert into late values (2)',
      ['INSERT late {"id":2,"more":"d"}'],
    ],
    [
      'rows before and after a column came',
      'insert into late values (3); alter table late add column most integer; insert into late values (4)',
      ['INSERT late {"id":3,"more":"d"}', 'INSERT late {"id":4,"more":"d","most":null}'],
    ],
  ])('is delivered correctly for %s', async (_, text, expected) => {
    await world.exec(text)
    expect(listening.lines()).toEqual(expected)
  })

  it('is delivered after earlier changes of the same row', async () => {
    await world.exec("insert into slug (id, name) values (1, 'A'), (2, 'B')")
    expect(listening.lines()).toEqual([
      'INSERT slug {"id":1,"name":"A","slug":null}',
      'UPDATE slug {"id":1,"name":"A","slug":"a"}',
      'INSERT slug {"id":2,"name":"B","slug":null}',
      'UPDATE slug {"id":2,"name":"B","slug":"b"}',
    ])
  })

  it('is delivered in statement order when a row is deleted and inserted again with equal values', async () => {
    await world.exec('insert into member (id) values (50)')
    await world.exec('delete from member where id = 50; insert into member (id) values (50)')
    expect(listening.lines().slice(1)).toEqual([
      'DELETE member {"id":50}',
      'INSERT member {"id":50,"team":null,"nick":null}',
    ])
  })

  it('is not delivered when the work fails', async () => {
    await expect(world.exec('insert into member (id) values (20); select 1 / 0')).rejects.toThrow(
      SqlError,
    )
    expect(listening.lines()).toEqual([])
  })

  it('is not delivered when the work is rolled back', async () => {
    await runAsRole(
      world.engine,
      PROJECT,
      'service_role',
      [sql`insert into member (id) values (21)`],
      { end: 'rollback' },
    )
    expect(listening.lines()).toEqual([])
  })

  it('is delivered when a procedure committed it before it failed', async () => {
    await expect(world.exec('call half()')).rejects.toThrow('no')
    expect(listening.lines()).toEqual(['INSERT member {"id":900,"team":null,"nick":null}'])
  })

  it('is delivered for statements of every request role', async () => {
    await runAsRole(world.engine, PROJECT, 'authenticated', [
      sql`insert into member (id) values (30)`,
    ])
    expect(listening.lines()).toHaveLength(1)
  })

  it('carries platform time and a number that rises by one', async () => {
    await world.exec('insert into member (id) values (31), (32)')
    const [first, second] = listening.take()
    expect([first?.committedAt, (second?.number ?? 0) - (first?.number ?? 0)]).toEqual([
      COMMITTED_AT,
      1,
    ])
  })

  it('is delivered before the caller gets the result of the work', async () => {
    const ended: string[] = []
    await Promise.all(
      [40, 41, 42].map(async (id) => {
        await runAsRole(world.engine, PROJECT, 'service_role', [
          sql`insert into member (id) values (${id})`,
        ])
        ended.push(...listening.lines().map((line) => /\d+/.exec(line)?.[0] ?? ''), `end ${id}`)
      }),
    )
    const places = [40, 41, 42].map((id) => [ended.indexOf(`${id}`), ended.indexOf(`end ${id}`)])
    expect(places.every(([change = -1, end = -1]) => change >= 0 && change < end)).toBe(true)
  })
})

describe('JSON of a cell', () => {
  it('equals the JSON that to_jsonb returns', async () => {
    await world.exec(`
      create type mood as enum ('ok', 'so, so');
      create type pair as (a integer, "b c" text[], m timestamptz);
      create domain even as integer check (value % 2 = 0);
      create table every (id integer primary key, i2 smallint, i8 bigint, f4 real, f8 double precision, n numeric,
        b boolean, t text, vc varchar(9), ch char(4), d date, tm time, tz timetz, ts timestamp, tsz timestamptz,
        iv interval, u uuid, j json, jb jsonb, by bytea, ip inet, m mood, p pair, ps pair[], e even, r int4range,
        mr int4multirange, ia integer[], ta text[], da date[], ja jsonb[], bx box[], ci extensions.citext, lt extensions.ltree,
        x xml, bits bit(3), mac macaddr, pt point, tv tsvector, o oid, na name, up text generated always as (upper(t)) stored)`)
    const listening = await world.listen('every')
    await world.exec(`
      set datestyle = 'German, DMY'; set timezone = 'Asia/Tokyo'; set extra_float_digits = -3; set intervalstyle = 'sql_standard';
      insert into every values (1, 2, 9007199254740993, 1.1, 1e-30, 12345678901234567890.10, true, E'q"u\\\\o\\nte, (x)', 'vc', 'ch',
        '2026-11-21', '10:00:01.5', '10:00+02', '2026-11-21 10:00:00.25', '2026-11-21 10:00:00+05:30', '-1 day 2 hours',
        'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"a": [1, 2]}', '{"a": {"b": null}}', '\\xdeadbeef', '10.0.0.1/8', 'so, so',
        row(1, '{"x y",NULL,"q\\"","b\\\\"}', '2026-01-01 00:00+00'), array[row(1, null, null)::pair, null], 4, '[1,5)', '{[1,3),[7,9)}',
        '{{1,2},{3,null}}', '{"a,b","{c}",null,"NULL",""}', '{2026-01-01,infinity}', array['{"k": "v, w"}'::jsonb, '[]'],
        '{(1,1),(0,0);(2,2),(0,0)}', 'CI', 'a.b', '<a/>', '101', '08:00:2b:01:02:03', '(1,2)', 'a b', 7, 'nm');
      insert into every (id, i8, f4, f8, n, b, t, vc, ch, d, ts, tsz)
      values (2, -1, 'NaN', '-Infinity', 'Infinity', false, '', ' ', ' ', '0044-03-15 BC', 'infinity', '0044-03-15 10:00+00 BC')`)
    const [full, sparse] = listening.take()
    const result = await runAsRole(world.engine, PROJECT, 'service_role', [
      sql`select jsonb_agg(to_jsonb(every) order by id) from every`,
    ])
    const told = [full, sparse].map((change) =>
      Object.fromEntries(
        change?.table.columns.map(({ name }, index) => [
          name,
          JSON.parse(change.row?.jsonOf(index) ?? ''),
        ]) ?? [],
      ),
    )
    expect(told).toEqual(JSON.parse(lastCell(result) ?? ''))
    expect(full?.row?.jsonOf(2)).toBe('9007199254740993')
  })
})

describe('the old row of an UPDATE', () => {
  it.each([
    ['default', { id: 1 }],
    ['full', { id: 1, a: 'x', b: 'y' }],
    ['using index before_b', { id: 1, b: 'y' }],
    ['nothing', { id: 1 }],
  ])('has the columns for replica identity %s', async (replicaIdentity, expected) => {
    await world.exec(`
      drop table if exists before;
      create table before (id integer primary key, a text, b text not null constraint before_b unique);
      insert into before values (1, 'x', 'y'); alter table before replica identity ${replicaIdentity}`)
    const listening = await world.listen('before')
    await world.exec("update before set a = 'new'")
    const [change] = listening.take()
    const cells = change?.table.columns.flatMap(({ name }, index) =>
      change.oldRow?.texts[index] === undefined
        ? []
        : [[name, JSON.parse(change.oldRow.jsonOf(index))]],
    )
    expect(Object.fromEntries(cells ?? [])).toEqual(expected)
  })
})
