// Every way in which a row changes, and nothing else, is told (docs/wire/realtime.md#changes).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ManualClock } from '../../emulator/core/clock.ts'
import { trusted } from '../../emulator/core/names.ts'
import { createChangeFeed } from '../../emulator/database/changes/change-feed.ts'
import { cellText, SqlError } from '../../emulator/database/engine.ts'
import { script, sql, tenantScript } from '../../emulator/database/sql.ts'
import { loadStructure } from '../../emulator/database/template/structure.ts'
import {
  type ChangeWorld,
  COMMITTED_AT,
  type Listening,
  openChangeWorld,
  PROJECT,
} from '../support/change-world.ts'
import { onlyEmbedded, TEST_DATABASE_URL } from '../support/engine-of-run.ts'
import {
  createTestTenant,
  lastCell,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../support/test-engine.ts'

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
  ])('is told of %s', async (_, text, expected) => {
    await world.exec(text)
    expect(listening.lines()).toEqual(expected)
  })

  it('delivers the versions of one row in the order in which they were made', async () => {
    await world.exec("insert into slug (id, name) values (1, 'A'), (2, 'B')")
    expect(listening.lines()).toEqual([
      'INSERT slug {"id":1,"name":"A","slug":null}',
      'UPDATE slug {"id":1,"name":"A","slug":"a"}',
      'INSERT slug {"id":2,"name":"B","slug":null}',
      'UPDATE slug {"id":2,"name":"B","slug":"b"}',
    ])
  })

  it('delivers a row that was replaced by an equal one in the order of the statements', async () => {
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

  it('is delivered before the work’s caller gets its result', async () => {
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
  it('is what to_jsonb makes of it', async () => {
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
  ])('follows replica identity %s', async (replicaIdentity, expected) => {
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

describe('a tenant', () => {
  let listening: Listening
  beforeAll(async () => {
    await world.exec('create table mine (id integer primary key, t text)')
    listening = await world.listen('mine')
  })

  it.each([
    ['read the outbox', 'select * from platform.row_changes'],
    [
      'write into the outbox',
      "insert into platform.row_changes (relation, kind, row) values (1, 'I', '(1)')",
    ],
    ['call the capture', 'select platform.capture_inserted()'],
    ['ask for triggers', "select platform.capture_relations('proj_y', '{}')"],
    ['drop a trigger of the capture', 'drop trigger platform_capture_insert on mine'],
    [
      'replace it',
      'create or replace trigger platform_capture_insert after insert on mine for each statement execute function suppress_redundant_updates_trigger()',
    ],
    [
      'use its function',
      'create trigger forged after insert on mine referencing new table as new_rows for each statement execute function platform.capture_inserted()',
    ],
    ['become the capture', 'set role change_capture'],
    ['become its reader', 'set session authorization change_reader'],
  ])('cannot %s', async (_, text) => {
    await expect(world.exec(text)).rejects.toThrow(SqlError)
  })

  onlyEmbedded('a server shows all triggers').it(
    'does not see triggers in the catalogue’s views',
    async () => {
      const result = await world.exec(
        "select count(*) from information_schema.triggers where event_object_table = 'mine'",
      )
      expect(lastCell(result)).toBe('0')
    },
  )

  it.each([
    ['renames a trigger', 'alter trigger platform_capture_insert on mine rename to other'],
    ['disables its own triggers', 'alter table mine disable trigger user'],
    [
      'names a table like the transition table',
      'create table new_rows (id integer); create temp table new_rows (id integer)',
    ],
    ['names a table like the outbox', 'create temp table row_changes (like mine)'],
  ])('loses no change when it %s', async (_, text) => {
    const id = Math.floor(listening.tables.size + performance.now() * 1000) % 1_000_000_000
    await world.exec(`${text}; insert into mine values (${id}, 'x')`)
    expect(listening.lines()).toEqual([`INSERT mine {"id":${id},"t":"x"}`])
  })

  it('loses no change when it tries to disable a trigger of the capture', async () => {
    await world
      .exec('alter table mine disable trigger platform_capture_insert')
      .catch((error: unknown) => expect(error).toBeInstanceOf(SqlError))
    await world.exec("insert into mine values (-1, 'x')")
    expect(listening.lines()).toEqual(['INSERT mine {"id":-1,"t":"x"}'])
  })

  it('gets none of its code run with the capture’s rights', async () => {
    await world.exec(`
      create type secret as (t text);
      create table ran (who text);
      create function spy(secret) returns json language plpgsql as $$ begin insert into ran values (current_user); return '{}'; end $$;
      create cast (secret as json) with function spy(secret);
      create function spy_text(secret) returns text language plpgsql as $$ begin insert into ran values (current_user); return 'spied'; end $$;
      create cast (secret as text) with function spy_text(secret) as implicit;
      create function checks(text) returns boolean language plpgsql as $$ begin insert into ran values (current_user); return true; end $$;
      create domain checked as text check (checks(value));
      create table trap (id integer primary key, s secret, c checked);
      create function row_text(trap) returns text language plpgsql as $$ begin insert into ran values (current_user); return 'row'; end $$;
      create cast (trap as text) with function row_text(trap) as implicit;
      create function pg_catalog_record_out(trap) returns text language sql as $$ select 'no' $$`)
    const traps = await world.listen('trap')
    await world.exec("insert into trap values (1, row('t'), 'c')")
    expect(traps.lines()).toEqual(['INSERT trap {"id":1,"s":{"t":"t"},"c":"c"}'])
    const who = await world.exec("select coalesce(string_agg(distinct who, ','), '') from ran")
    expect(lastCell(who)).toBe('proj_x_owner')
  })
})

describe('triggers', () => {
  const count = async () => {
    const text = sql`select count(*) from pg_trigger where tgrelid = 'proj_x.passing'::regclass`
    const [result] = await world.engine.admin(PROJECT, script([text]))
    return cellText(result?.rows[0]?.[0])
  }

  it('come with the first listener and go a while after the last', async () => {
    await world.exec('create table passing (id integer primary key)')
    const counts = [await count()]
    const one = await world.listen('passing')
    counts.push(await count())
    one.close()
    counts.push(await count())
    world.wallClock.advance(10_000)
    await world.listen('other')
    counts.push(await count())
    expect(counts).toEqual(['0', '3', '3', '0'])
  })

  it('are no part of a structure that is cloned', async () => {
    await world.exec('create table copied (id integer primary key)')
    await world.listen('copied')
    const { triggers } = await loadStructure(world.engine, PROJECT)
    expect(triggers.filter(({ name }) => name.startsWith('platform'))).toEqual([])
  })
})

describe('a subscription', () => {
  it('reports which of its tables exist', async () => {
    await world.exec(
      'create table there (id integer primary key); alter table there enable row level security',
    )
    const listening = await world.listen('there', 'absent')
    expect(
      [...listening.tables.values()].map(({ name, hasRowSecurity }) => [name, hasRowSecurity]),
    ).toEqual([['there', true]])
  })

  it('sees row-level security switched as soon as the statement has ended', async () => {
    await world.exec('create table switched (id integer primary key)')
    const listening = await world.listen('switched')
    await world.exec('alter table switched enable row level security')
    await world.exec('insert into switched values (1)')
    expect(listening.take()[0]?.table.hasRowSecurity).toBe(true)
  })

  it('gets no changes of other tables and none after it was closed', async () => {
    await world.exec(
      'create table heard (id integer primary key); create table unheard (id integer primary key)',
    )
    const listening = await world.listen('heard')
    await world.listen('unheard')
    await world.exec('insert into unheard values (1)')
    listening.close()
    await world.exec('insert into heard values (1)')
    expect(listening.take()).toEqual([])
  })

  it('finds no tables in a project that does not exist, or is refused', async () => {
    const quiet = { onChanges: () => {}, onInterrupted: () => {} }
    const found = await world.source
      .subscribe(trusted.schemaName('proj_none'), new Set(['t']), quiet)
      .then(
        ({ tables }) => tables.size,
        (error: SqlError) => error.code,
      )
    expect(found).toBe(TEST_DATABASE_URL === undefined ? 0 : '3D000')
  })

  it('gets every change while the space of the outbox is freed again and again', async () => {
    await world.exec('create table thick (id integer primary key, t text)')
    const listening = await world.listen('thick')
    for (let id = 1; id <= 60; id++)
      await world.exec(`insert into thick values (${id}, repeat('x', 20000))`)
    expect(listening.take().map(({ row }) => row?.texts[0])).toEqual(
      Array.from({ length: 60 }, (_, index) => String(index + 1)),
    )
    const [size] = await world.engine.admin(
      PROJECT,
      script([sql`select pg_total_relation_size('platform.row_changes') < 1024 * 1024`]),
    )
    expect(cellText(size?.rows[0]?.[0])).toBe('t')
  })

  it('gets no change of a rehearsal, which leaves nothing in the outbox', async () => {
    await world.exec('create table tried (id integer primary key)')
    const listening = await world.listen('tried')
    const { scripts } = await world.engine.rehearse({
      actor: { schemaName: PROJECT, role: `${PROJECT}_owner` as never },
      settings: { search_path: `${PROJECT}, extensions` },
      scripts: [tenantScript('insert into tried select generate_series(1, 2000)')],
      before: [],
      after: [],
      maxResultBytes: 1000,
      timeoutMillis: 8000,
    })
    expect(scripts[0]?.results[0]?.commandTag).toBe('INSERT 0 2000')
    await world.exec('insert into tried values (1)')
    expect(listening.lines()).toEqual(['INSERT tried {"id":1}'])
    const [rows] = await world.engine.admin(
      PROJECT,
      script([sql`select count(*) from platform.row_changes`]),
    )
    expect(cellText(rows?.rows[0]?.[0])).toBe('0')
  })

  onlyEmbedded('a server frees the space later').it(
    'keeps the outbox small in a rehearsal',
    async () => {
      const [size] = await world.engine.admin(
        PROJECT,
        script([sql`select pg_total_relation_size('platform.row_changes') <= 65536`]),
      )
      expect(cellText(size?.rows[0]?.[0])).toBe('t')
    },
  )

  it('gets the changes of a function that makes the session’s transactions read-only', async () => {
    await world.exec(`create table barred (id integer primary key);
      create function bar(integer) returns text language sql as
        $$ insert into barred values ($1);
          select set_config('default_transaction_read_only', 'on', false) $$`)
    const listening = await world.listen('barred')
    await runAsRole(world.engine, PROJECT, 'service_role', [sql`select bar(1)`])
    expect(listening.lines()).toEqual(['INSERT barred {"id":1}'])
  })

  it('loses nothing while the outbox is emptied out', async () => {
    await world.exec('create table wide (id integer primary key, t text)')
    const listening = await world.listen('wide')
    for (let round = 0; round < 4; round++)
      await world.exec(
        `insert into wide select ${round * 1000} + n, repeat('x', 100) from generate_series(1, 1000) as n`,
      )
    expect(new Set(listening.take().map(({ row }) => row?.texts[0])).size).toBe(4000)
  })
})

describe('after a start', () => {
  it('removes triggers of an earlier process when a row without subscribers changes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-feed-'))
    const earlier = await openTestEngine({ folder })
    await createTestTenant(earlier.engine, PROJECT)
    const clock = new ManualClock(COMMITTED_AT)
    const quiet = { onChanges: () => {}, onInterrupted: () => {} }
    await createChangeFeed(earlier.engine, { clock, wallClock: clock }).source.subscribe(
      PROJECT,
      'all',
      quiet,
    )
    await earlier.engine.close()

    const { engine } = await openTestEngine({ folder })
    let captured = 0
    engine.changes.watch({
      onCommit: ({ rows }) => {
        captured += rows?.length ?? 0
        return undefined
      },
      onMissed: () => {},
    })
    const { source } = createChangeFeed(engine, { clock, wallClock: clock })
    await runAsOwner(engine, PROJECT, "insert into notes (owner) values ('z')")
    const before = captured
    clock.advance(10_000)
    await source.subscribe(PROJECT, new Set(), quiet)
    await runAsOwner(engine, PROJECT, "insert into notes (owner) values ('z')")
    const after = captured
    await engine.close()
    rmSync(folder, { recursive: true })
    expect([before, after]).toEqual([1, 1])
  }, 30_000)
})

onlyEmbedded('no statement ends a server').describe('when the engine is lost under a write', () => {
  it('interrupts the project’s subscribers when changes may be missing', async () => {
    const other = await openChangeWorld()
    const listening = await other.listen('notes')
    await expect(
      runAsRole(
        other.engine,
        PROJECT,
        `${PROJECT}_owner`,
        tenantScript(
          'do $$ begin loop begin perform pg_sleep(60); exception when query_canceled then null; end; end loop; end $$',
        ),
        { timeoutMillis: 100 },
      ),
    ).rejects.toThrow(SqlError)
    expect(listening.interruptions).toHaveLength(1)
    await other.close()
  }, 20_000)
})
