// The triggers that capture row changes: a tenant cannot change or remove them, and subscriptions receive the captured changes.
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

  it('loses no change when it tries to disable a trigger of change capture', async () => {
    await world
      .exec('alter table mine disable trigger platform_capture_insert')
      .catch((error: unknown) => expect(error).toBeInstanceOf(SqlError))
    await world.exec("insert into mine values (-1, 'x')")
    expect(listening.lines()).toEqual(['INSERT mine {"id":-1,"t":"x"}'])
  })

  it('cannot run its code with the rights of change capture', async () => {
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

  it('are created for the first listener, and dropped some time after the last listener closes', async () => {
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

  it('are not part of the structure that a clone copies', async () => {
    await world.exec('create table copied (id integer primary key)')
    await world.listen('copied')
    const { triggers } = await loadStructure(world.engine, PROJECT)
    expect(triggers.filter(({ name }) => name.startsWith('platform'))).toEqual([])
  })
})

describe('a subscription', () => {
  it('reports which of the requested tables exist', async () => {
    await world.exec(
      'create table there (id integer primary key); alter table there enable row level security',
    )
    const listening = await world.listen('there', 'absent')
    expect(
      [...listening.tables.values()].map(({ name, hasRowSecurity }) => [name, hasRowSecurity]),
    ).toEqual([['there', true]])
  })

  it('reports the new state of row-level security as soon as a statement switched it', async () => {
    await world.exec('create table switched (id integer primary key)')
    const listening = await world.listen('switched')
    await world.exec('alter table switched enable row level security')
    await world.exec('insert into switched values (1)')
    expect(listening.take()[0]?.table.hasRowSecurity).toBe(true)
  })

  it('gets no changes of other tables, and no changes after it is closed', async () => {
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

  it('finds no tables or is refused for a project that does not exist', async () => {
    const quiet = { onChanges: () => {}, onInterrupted: () => {} }
    const found = await world.source
      .subscribe(trusted.schemaName('proj_none'), new Set(['t']), quiet)
      .then(
        ({ tables }) => tables.size,
        (error: SqlError) => error.code,
      )
    expect(found).toBe(TEST_DATABASE_URL === undefined ? 0 : '3D000')
  })

  it('gets every change while the space of the outbox is freed repeatedly', async () => {
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

  it('gets no change from a rehearsal, and the rehearsal leaves nothing in the outbox', async () => {
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

  it('gets the changes of a function that makes later transactions of the session read-only', async () => {
    await world.exec(`create table barred (id integer primary key);
      create function bar(integer) returns text language sql as
        $$ insert into barred values ($1);
          select set_config('default_transaction_read_only', 'on', false) $$`)
    const listening = await world.listen('barred')
    await runAsRole(world.engine, PROJECT, 'service_role', [sql`select bar(1)`])
    expect(listening.lines()).toEqual(['INSERT barred {"id":1}'])
  })

  it('loses no change while the outbox is emptied', async () => {
    await world.exec('create table wide (id integer primary key, t text)')
    const listening = await world.listen('wide')
    for (let round = 0; round < 4; round++)
      await world.exec(
        `insert into wide select ${round * 1000} + n, repeat('x', 100) from generate_series(1, 1000) as n`,
      )
    expect(new Set(listening.take().map(({ row }) => row?.texts[0])).size).toBe(4000)
  })
})

describe('the change feed after a start', () => {
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
  })
})

// A cancel can arrive between two runs of the inner loop, where nothing catches it. The outer loop catches this cancel.
const CAUGHT = 'exception when query_canceled then null; end;'
const INNER = `begin loop begin perform pg_sleep(60); ${CAUGHT} end loop; ${CAUGHT}`
const UNCANCELLABLE = `do $$ begin loop ${INNER} end loop; end $$`

onlyEmbedded('no statement ends a server').describe('the change feed of a crashed engine', () => {
  it('interrupts the project’s subscribers when changes may be missing', async () => {
    const other = await openChangeWorld()
    const listening = await other.listen('notes')
    await expect(
      runAsRole(
        other.engine,
        PROJECT,
        `${PROJECT}_owner`,
        tenantScript(UNCANCELLABLE),
        // The deadline lets the loop begin. Cancelling the statement before the loop would not restart the engine.
        { timeoutMillis: 1_000 },
      ),
    ).rejects.toThrow(SqlError)
    expect(listening.interruptions).toHaveLength(1)
    await other.close()
  })
})
