import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { epochMillis, toIso } from '../../../../emulator/core/time.ts'
import { cellText, type Engine, type WorkResult } from '../../../../emulator/database/engine.ts'
import { type Sql, script, sql, tenantScript, verbatim } from '../../../../emulator/database/sql.ts'
import {
  admin,
  createTestTenant,
  lastCell,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../../../support/test-engine.ts'

const TENANT = 'proj_pipeline'
let engine: Engine

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await createTestTenant(engine, TENANT)
  await createTestTenant(engine, 'proj_other')
  await runAsOwner(
    engine,
    TENANT,
    `create table items (id integer primary key, name text);
     create table parents (id integer primary key);
     create table children (parent integer references parents deferrable initially deferred)`,
  )
}, 60_000)

afterAll(() => engine.close())

const asAnon = (statements: readonly Sql[], extra = {}): Promise<WorkResult> =>
  runAsRole(engine, TENANT, 'anon', statements, extra)

const count = async (table: string): Promise<number> =>
  Number(lastCell(await asAnon([sql`select count(*) from ${verbatim(table)}`])))

describe('run', () => {
  it('gives one result for each statement, with fields, cells as text and command tag', async () => {
    const { results, committed } = await asAnon([
      sql`select 1 as one, null as none, ${'é'}::text as word`,
      sql`select`,
    ])
    expect(results[0]?.fields.map(({ name, typeOid }) => [name, typeOid])).toEqual([
      ['one', 23],
      ['none', 25],
      ['word', 25],
    ])
    expect(results[0]?.rows[0]?.map((cell) => cellText(cell))).toEqual(['1', undefined, 'é'])
    expect(results.map(({ commandTag }) => commandTag)).toEqual(['SELECT 1', 'SELECT 1'])
    expect(committed).toBe(true)
  })

  it('runs as the role itself, with the settings given', async () => {
    const { results } = await asAnon(
      [
        sql`select current_user || ' ' || session_user || ' ' || current_setting('request.jwt.claims')`,
      ],
      { settings: { search_path: '', 'request.jwt.claims': '{"sub":"me"}' } },
    )
    expect(cellText(results[0]?.rows[0]?.[0])).toBe('anon anon {"sub":"me"}')
  })

  it('refuses a setting that Postgres does not take', async () => {
    const work = asAnon([sql`select 1`], { settings: { TimeZone: 'Nowhere/Land' } })
    await expect(work).rejects.toMatchObject({ code: '22023' })
  })

  it('rolls everything back when a later statement fails', async () => {
    const work = asAnon([sql`insert into items values (1, 'a')`, sql`select 1/0`])
    await expect(work).rejects.toMatchObject({ code: '22012' })
    expect(await count('items')).toBe(0)
  })

  it('refuses several statements in one', async () => {
    await expect(asAnon([sql`select 1; select 2`])).rejects.toMatchObject({ code: '42601' })
  })

  it('reports an error with its fields', async () => {
    await asAnon([sql`insert into items values (10, 'a')`])
    await expect(asAnon([sql`insert into items values (10, 'b')`])).rejects.toMatchObject({
      code: '23505',
      details: 'Key (id)=(10) already exists.',
      facts: { schema: TENANT, table: 'items', constraint: 'items_pkey' },
    })
  })

  it('passes notices on', async () => {
    const { notices } = await asAnon([sql`do $$begin raise notice 'hello'; end$$`])
    expect(notices).toEqual([{ severity: 'NOTICE', sqlState: '00000', message: 'hello' }])
  })

  it('reports a deferred constraint that fails at the commit', async () => {
    const work = asAnon([sql`insert into children values (99)`])
    await expect(work).rejects.toMatchObject({ code: '23503' })
    expect(await count('children')).toBe(0)
  })

  it('refuses writes in a read-only request', async () => {
    const work = asAnon([sql`insert into items values (2, 'a')`], { mode: 'readOnly' })
    await expect(work).rejects.toMatchObject({ code: '25006' })
  })

  it.each([
    ['a statement', 'set transaction read write'],
    ['a setting', 'set transaction_read_only = off'],
    ['a block', `do $$begin execute 'set transaction read write'; end$$`],
  ])('keeps a read-only request read-only against %s', async (_name, text) => {
    const work = asAnon([sql`${verbatim(text)}`, sql`insert into items values (3, 'a')`], {
      mode: 'readOnly',
    })
    await expect(work).rejects.toMatchObject({ code: '25001' })
  })

  it('does the same twice, prepared the second time', async () => {
    for (let round = 0; round < 4; round++)
      expect(lastCell(await asAnon([sql`select ${round}::integer + 1`]))).toBe(String(round + 1))
  })

  it('answers a prepared statement after its table has changed', async () => {
    const read = () => asAnon([sql`select * from items where id = ${10}`])
    for (let round = 0; round < 3; round++) await read()
    await runAsOwner(engine, TENANT, 'alter table items add column extra integer default 5')
    expect((await read()).results[0]?.fields.map(({ name }) => name)).toEqual([
      'id',
      'name',
      'extra',
    ])
  })

  it('answers a prepared statement after a request dropped all of them', async () => {
    const read = () => asAnon([sql`select 'kept'`])
    for (let round = 0; round < 3; round++) await read()
    await asAnon([sql`deallocate all`])
    expect(lastCell(await read())).toBe('kept')
  })
})

describe('run with end rollback', () => {
  it('gives the results and keeps nothing', async () => {
    const { results, committed } = await asAnon(
      [sql`insert into items values (20, 'a') returning id`],
      { end: 'rollback' },
    )
    expect(results[0]?.commandTag).toBe('INSERT 0 1')
    expect(committed).toBe(false)
    expect(await count('items where id = 20')).toBe(0)
  })

  it('reports a deferred constraint that the commit would have refused', async () => {
    const work = asAnon([sql`insert into children values (98)`], { end: 'rollback' })
    await expect(work).rejects.toMatchObject({ code: '23503' })
  })

  it('holds a script too', async () => {
    const work = await runAsRole(
      engine,
      TENANT,
      `${TENANT}_owner`,
      tenantScript(`insert into items values (21, 'a'); select count(*) from items where id = 21`),
      { end: 'rollback' },
    )
    expect(lastCell(work)).toBe('1')
    expect(await count('items where id = 21')).toBe(0)
  })

  it('refuses a script that would commit by itself', async () => {
    const work = runAsRole(
      engine,
      TENANT,
      `${TENANT}_owner`,
      tenantScript(`insert into items values (22, 'a'); commit`),
      { end: 'rollback' },
    )
    await expect(work).rejects.toMatchObject({ code: '2D000' })
    expect(await count('items where id = 22')).toBe(0)
  })
})

describe('run with a postcondition', () => {
  const insert = sql`with added as (insert into items values (30, 'a') returning 1) select count(*) from added`

  it('rolls back when it does not hold', async () => {
    const { committed, results } = await asAnon([insert], {
      postcondition: { statement: 0, column: 0, min: 2, max: 2 },
    })
    expect(committed).toBe(false)
    expect(cellText(results[0]?.rows[0]?.[0])).toBe('1')
    expect(await count('items where id = 30')).toBe(0)
  })

  it('commits when it holds', async () => {
    const { committed } = await asAnon([insert], {
      postcondition: { statement: 0, column: 0, min: 1, max: 1 },
    })
    expect(committed).toBe(true)
    expect(await count('items where id = 30')).toBe(1)
  })
})

describe('a script', () => {
  it('gives the results of its statements and commits them together', async () => {
    const { results } = await runAsOwner(
      engine,
      TENANT,
      `insert into items values (40, 'a'), (41, 'b'); select name from items where id in (40, 41) order by id`,
    )
    expect(results.map(({ commandTag }) => commandTag)).toEqual(['INSERT 0 2', 'SELECT 2'])
  })

  it('is undone as a whole by an error', async () => {
    const work = runAsOwner(engine, TENANT, `insert into items values (42, 'a'); select 1/0`)
    await expect(work).rejects.toMatchObject({ code: '22012' })
    expect(await count('items where id = 42')).toBe(0)
  })

  it('finds its schema after a commit of its own', async () => {
    const { results } = await runAsOwner(
      engine,
      TENANT,
      `begin; insert into items values (43, 'a'); commit; select count(*) from items where id = 43`,
    )
    expect(cellText(results.at(-1)?.rows[0]?.[0])).toBe('1')
  })

  it('leaves no open transaction behind', async () => {
    await runAsOwner(engine, TENANT, `begin; insert into items values (44, 'a')`)
    expect(await count('items where id = 44')).toBe(0)
  })

  it('stays read-only when asked to', async () => {
    const work = runAsRole(
      engine,
      TENANT,
      `${TENANT}_owner`,
      tenantScript('commit; insert into items values (45)'),
      { mode: 'readOnly' },
    )
    await expect(work).rejects.toMatchObject({ code: '2D000' })
  })
})

describe('admin', () => {
  it('acts as superuser and undoes a failed script', async () => {
    const work = engine.admin(
      'cluster',
      script([sql`create schema proj_half`, sql`create schema proj_half`]),
    )
    await expect(work).rejects.toMatchObject({ code: '42P06' })
    const found = await engine.admin(
      'cluster',
      script([sql`select count(*) from pg_namespace where nspname = 'proj_half'`]),
    )
    expect(cellText(found[0]?.rows[0]?.[0])).toBe('0')
  })

  it('fences a schema it has made before any other work', async () => {
    const making = admin(
      engine,
      'create schema proj_fresh; create table proj_fresh.t (); grant usage on schema proj_fresh to public; grant select on proj_fresh.t to public',
    )
    const reading = asAnon([sql`select from proj_fresh.t`])
    await making
    await expect(reading).rejects.toMatchObject({ code: '42501' })
  })
})

describe('setTime', () => {
  const now = async () =>
    lastCell(await asAnon([sql`select to_json(now() at time zone 'UTC')#>>'{}'`]))

  it.each([
    ['frozen', { kind: 'frozen', at: epochMillis(1_000_000_000_000) } as const],
    ['set back', { kind: 'frozen', at: epochMillis(-1_000_000_000_000) } as const],
  ])('stands still when %s', async (_name, time) => {
    await engine.setTime(time)
    expect(`${await now()}Z`).toBe(toIso(time.at).replace('.000Z', 'Z'))
    await engine.setTime({ kind: 'offset', offsetMillis: 0 })
  })

  it('runs ahead by an offset', async () => {
    const before = Date.parse(`${await now()}Z`)
    await engine.setTime({ kind: 'offset', offsetMillis: 365 * 86_400_000 })
    const after = Date.parse(`${await now()}Z`)
    expect(after - before).toBeGreaterThanOrEqual(365 * 86_400_000)
    expect(after - before).toBeLessThan(366 * 86_400_000)
    await engine.setTime({ kind: 'offset', offsetMillis: 0 })
  })
})

describe('deadlines', () => {
  it.each([
    ['a plpgsql loop', 'do $$begin loop null; end loop; end$$'],
    [
      'a loop that catches everything',
      'do $$begin loop begin perform 1/0; exception when others then null; end; end loop; end$$',
    ],
    ['pg_sleep', 'select pg_sleep(30)'],
    [
      'a cross join',
      'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b',
    ],
    [
      'an endless recursion',
      'with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r',
    ],
  ])('cancel %s', async (_name, text) => {
    const work = asAnon([sql`${verbatim(text)}`], { timeoutMillis: 150 })
    await expect(work).rejects.toMatchObject({
      code: '57014',
      message: 'canceling statement due to statement timeout',
    })
  })

  it('never hit the request behind', async () => {
    const requests = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? asAnon([sql`select pg_sleep(5)`], { timeoutMillis: 30 }).catch((error) => error.code)
        : asAnon([sql`select ${index}::integer`]).then(lastCell),
    )
    expect(await Promise.all(requests)).toEqual(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? '57014' : String(index))),
    )
  })

  it('are counted from the start of the request, not from its arrival', async () => {
    const slow = asAnon([sql`select pg_sleep(0.3)`])
    const quick = asAnon([sql`select 'done'`], { timeoutMillis: 100 })
    await slow
    expect(lastCell(await quick)).toBe('done')
  })

  it('cancel for an aborted signal, running or waiting', async () => {
    const running = new AbortController()
    const waiting = new AbortController()
    const first = asAnon([sql`select pg_sleep(30)`], { signal: running.signal })
    const second = asAnon([sql`select pg_sleep(30)`], { signal: waiting.signal })
    waiting.abort()
    running.abort()
    const refusal = { code: '57014', message: 'canceling statement due to user request' }
    await Promise.all([first, second].map((work) => expect(work).rejects.toMatchObject(refusal)))
  })

  it('cancel at whatever moment of a request they come, without a restart', async () => {
    for (let round = 0; round < 60; round++) {
      const abort = new AbortController()
      const work = asAnon([sql`select 1`, sql`select pg_sleep(30)`], { signal: abort.signal })
      // Each turn of the loop is a moment further into the request.
      for (let turn = 0; turn < round; turn++) await new Promise(setImmediate)
      abort.abort()
      await expect(work).rejects.toMatchObject({ code: '57014' })
    }
    expect(engine.stats().restarts).toBe(0)
  })

  it('leave an error of the same code alone', async () => {
    const work = asAnon([sql`do $$begin raise sqlstate '57014' using message = 'mine'; end$$`])
    await expect(work).rejects.toMatchObject({ code: '57014', message: 'mine' })
  })
})

describe('deep recursion', () => {
  it.each([
    [
      'plpgsql',
      `create function deep() returns integer language plpgsql as 'begin return deep(); end'; select deep()`,
    ],
    ['an expression', `select ${'1+'.repeat(100_000)}1`],
  ])('is an ordinary error: %s', async (_name, text) => {
    await expect(runAsOwner(engine, TENANT, text)).rejects.toMatchObject({ code: '54001' })
  })
})

describe('stats', () => {
  it('reports queue, heap, restarts and missing capabilities', () => {
    expect(engine.stats()).toEqual({
      queued: 0,
      submitted: expect.any(Number),
      isIdle: true,
      heapBytes: expect.any(Number),
      restarts: 0,
      degraded: [],
    })
  })
})
