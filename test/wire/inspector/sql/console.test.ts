// SQL as any identity of a project over /_emulator/v1: results, errors, privileges. query-plan.test.ts tests plans.
import { beforeAll, describe, expect, it } from 'vitest'
import { ANA, BIA, startTableWorld, type TableWorld } from '../../../support/table-world.ts'
import type { Json } from '../../../support/test-emulator.ts'

let world: TableWorld
beforeAll(async () => {
  world = await startTableWorld()
})

const ana = { kind: 'user', user: ANA }
const codeOf = ({ status, body }: Json) => `${status} ${body.error?.code}`

describe('a script', () => {
  it('gives one result per statement, with types, tags and notices', async () => {
    const { body, status } = await world.sql(
      `select 1 as n, 'sad'::mood as m, null as nothing;
      insert into clinics (name) values ('oeste');
      do $$ begin raise notice 'told'; end $$;
      select name from clinics where false;`,
    )
    expect(status).toBe(200)
    expect(body.error).toBeNull()
    expect(body.results).toEqual([
      {
        command_tag: 'SELECT 1',
        columns: [
          { name: 'n', type: 'integer' },
          { name: 'm', type: 'mood' },
          { name: 'nothing', type: 'text' },
        ],
        rows: [['1', 'sad', null]],
        rows_left_out: 0,
      },
      { command_tag: 'INSERT 0 1', columns: [], rows: [], rows_left_out: 0 },
      { command_tag: 'DO', columns: [], rows: [], rows_left_out: 0 },
      {
        command_tag: 'SELECT 0',
        columns: [{ name: 'name', type: 'text' }],
        rows: [],
        rows_left_out: 0,
      },
    ])
    expect(body.notices).toEqual([{ severity: 'NOTICE', message: 'told' }])
    expect(body.duration_ms).toBeGreaterThan(0)
  })

  it('may be empty', async () => {
    for (const text of ['', '  -- nothing\n', ';;'])
      expect((await world.sql(text)).body).toMatchObject({ results: [], error: null })
  })

  it('counts the rows that are left out, and is stopped at 50,000 rows', async () => {
    const few = await world.sql('select generate_series(1, 30)', { max_rows: 10 })
    expect(few.body.results[0].rows).toHaveLength(10)
    expect(few.body.results[0].rows_left_out).toBe(20)
    const endless = await world.sql('select generate_series(1, 100000000); select 2', {
      max_rows: 0,
    })
    expect(endless.body.results[0].rows_left_out).toBe(50_000)
    expect(endless.body.results[1].rows_left_out).toBe(1)
  })

  it('returns advice for a table without row-level security', async () => {
    const { body } = await world.sql('create table open_one (id int)')
    expect(body.notices[0]).toMatchObject({ severity: 'ADVICE' })
    expect(body.notices[0].message).toContain('open_one')
    await world.sql('drop table open_one')
  })

  it('is rolled back as a whole when a statement fails', async () => {
    const { body, status } = await world.sql(`create table half (id int); select * from nothing`)
    expect(status).toBe(200)
    expect(body.results).toEqual([])
    expect(body.error).toMatchObject({ code: '42P01', position: 43 })
    expect((await world.api('GET', '/tables/half')).status).toBe(404)
  })

  it.each([
    ['select 1;\n  selekt 2', 13],
    ["select 'é😀'; selekt", 15],
    ["select 'é😀'; select nothing", 22],
    ['select 1; select 2; select nothing', 28],
    ['grant select on clinics to public; select nothing', 43],
  ])('%j reports the position of the error in the caller’s text', async (text, position) => {
    expect((await world.sql(text)).body.error.position).toBe(position)
  })

  it('returns at most 32 MB of rows and a megabyte of notices, and counts the rest', async () => {
    const { body } = await world.sql(
      `do $$ begin for n in 1 .. 30000 loop raise notice '%', repeat('n', 100); end loop; end $$;
       select repeat('x', 1000) from generate_series(1, 200000) limit 200000; select 1`,
      { max_rows: 10 },
    )
    expect(body.error).toBeNull()
    expect(body.notices.length).toBeLessThan(10_000)
    const [many, one] = body.results.slice(-2)
    expect([many.rows.length, many.rows_left_out]).toEqual([10, 199_990])
    expect([one.rows, one.rows_left_out]).toEqual([[], 1])
  })

  it('returns the notices that were raised before a failure', async () => {
    const { body } = await world.sql(`do $$ begin raise notice 'so far'; end $$; select 1 / 0`)
    expect(body.notices).toEqual([{ severity: 'NOTICE', message: 'so far' }])
    expect(body.error.code).toBe('22012')
  })

  it('in mode rollback leaves nothing behind', async () => {
    const { body } = await world.sql(
      `insert into clinics (name) values ('gone') returning name; create table gone (id int)`,
      { mode: 'rollback' },
    )
    expect(body.results[0].rows).toEqual([['gone']])
    const after = await world.sql(`select count(*) from clinics where name = 'gone'`)
    expect(after.body.results[0].rows).toEqual([['0']])
    expect((await world.api('GET', '/tables/gone')).status).toBe(404)
  })

  it('in mode explain returns the plan and changes nothing', async () => {
    const { body } = await world.sql(`delete from loose`, { mode: 'explain' })
    const plan = body.results[0].rows.map(([line]: Json) => line).join('\n')
    expect(plan).toContain('Delete on')
    expect(plan).toContain('actual')
    expect((await world.rows('loose')).body.total).toBe(3)
    const own = await world.sql('explain select 1', { mode: 'explain' })
    expect(own.body.error).toBeNull()
    const two = await world.sql('select 1; select 2', { mode: 'explain' })
    expect(two.body.error.code).toBe('42601')
    const broken = await world.sql('  select nothing', { mode: 'explain' })
    expect(broken.body.error).toMatchObject({ code: '42703', position: 10 })
  })

  it('ends at its time limit', async () => {
    const { body } = await world.sql('select pg_sleep(60)', { timeout_ms: 200 })
    expect(body.error.code).toBe('57014')
    const loop = await world.sql('do $$ begin loop null; end loop; end $$', { timeout_ms: 200 })
    expect(loop.body.error.code).toBe('57014')
  })

  it('ends when its caller disconnects', async () => {
    const abort = new AbortController()
    const asked = fetch(`${world.at.url}/_emulator/v1/projects/${world.tenant.slug}/sql`, {
      method: 'POST',
      body: JSON.stringify({ sql: 'select pg_sleep(100)', identity: 'owner', timeout_ms: 110_000 }),
      signal: abort.signal,
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    abort.abort()
    await expect(asked).rejects.toThrow('abort')
    expect((await world.sql('select 1')).body.error).toBeNull()
  })

  it.each([
    [{ identity: 'unknown' }, '400 invalid_request'],
    [{ identity: { kind: 'user', user: 'x@y.z' } }, '404 not_found'],
    [{ max_rows: -1 }, '400 invalid_request'],
    [{ timeout_ms: 0 }, '400 invalid_request'],
    [{ timeout_ms: 120_001 }, '400 invalid_request'],
    [{ mode: 'commit' }, '400 invalid_request'],
    [{ sql: 7 }, '400 invalid_request'],
    [{ and: 1 }, '400 invalid_request'],
  ])('with %j is refused', async (request, expected) => {
    expect(codeOf(await world.sql('select 1', request))).toBe(expected)
  })
})

describe('a script that runs as an identity', () => {
  it('sees and changes what policies allow', async () => {
    const seen = await world.sql(
      `select current_user, auth.uid(), auth.jwt() ->> 'role'; select body from notes;
       update notes set body = body || '!'; insert into notes (body) values ('new') returning owner`,
      { identity: ana, mode: 'rollback' },
    )
    expect(seen.body.results.map((result: Json) => [result.command_tag, result.rows])).toEqual([
      ['SELECT 1', [['authenticated', ANA, 'authenticated']]],
      ['SELECT 1', [['of ana']]],
      ['UPDATE 1', []],
      ['INSERT 0 1', [[ANA]]],
    ])
    const refused = await world.sql(`insert into notes (owner) values ('${BIA}')`, {
      identity: ana,
    })
    expect(refused.body.error.code).toBe('42501')
  })

  it('commits its changes', async () => {
    await world.sql(`update notes set body = 'mine'`, { identity: ana })
    const all = await world.sql('select body from notes order by id')
    expect(all.body.results[0].rows.slice(0, 2)).toEqual([['mine'], ['of bia']])
    await world.sql(`update notes set body = 'of ana'`, { identity: ana })
  })

  it('cannot change the structure, and has no rights of the owner', async () => {
    for (const text of [
      'create table mine (id int)',
      'drop table notes',
      'alter table notes disable row level security',
      'select * from secrets',
      'select * from auth_users',
    ])
      expect((await world.sql(text, { identity: ana })).body.error.code).toBe('42501')
  })

  it('runs with the claims that the caller chooses', async () => {
    const identity = { kind: 'claims', role: 'anon', claims: { sub: 'x', org: [1] } }
    const { body } = await world.sql(`select auth.jwt() -> 'org', current_user`, { identity })
    expect(body.results[0].rows).toEqual([['[1]', 'anon']])
  })
})

// The embedded engine refuses another project's objects; on a server they are in another database.
const NOT_THERE = expect.stringMatching(/^42(501|P01)$/)

describe.each([
  ['the owner', 'owner'],
  ['a user', { kind: 'user', user: ANA }],
  ['the server side', { kind: 'service_role' }],
] as const)('%s cannot leave role and schema', (_who, identity) => {
  it.each([
    ['set role postgres', 'role_change_blocked'],
    ['set session authorization postgres', 'role_change_blocked'],
    ["select set_config('role', 'postgres', false)", 'role_change_blocked'],
    ["select set_config('ro' || 'le', 'auth_admin', false)", '42501'],
    ["do $$ begin execute 'set ro' || 'le auth_admin'; end $$", '42501'],
    ["do $$ begin execute 'reset role'; end $$", 'role_change_blocked'],
    ['begin; select 1; commit', 'transaction_control_blocked'],
    ['do $$ begin commit; end $$', '2D000'],
    ['select * from proj_vendor.auth_users', 'system_schema_protected'],
    ["do $$ begin execute 'select 1 from proj_ven' || 'dor.auth_users'; end $$", NOT_THERE],
    ['select * from pg_authid', '42501'],
    ["select pg_read_file('/etc/passwd')", '42501'],
    ['copy notes from stdin', '0A000'],
    ['copy (select 1) to stdout', '0A000'],
    ["copy notes to program 'id'", '0A000'],
    ['select * from auth_credentials', '42501'],
    ['alter system set work_mem = 1', undefined],
    ['create extension dblink', undefined],
    ['vacuum full', undefined],
    ['select \0', '22021'],
  ])('by %j', async (text, code) => {
    const { body, status } = await world.sql(text, { identity, mode: 'run' })
    expect(status).toBe(200)
    if (code === undefined) expect(body.error.code).not.toBe('')
    else expect(body.error.code).toEqual(code)
    const after = await world.sql('select current_user')
    expect(after.body.results[0].rows).toEqual([[`${world.tenant.schemaName}_owner`]])
  })
})

describe('names for the editor', () => {
  it('include tables with columns, and functions', async () => {
    const { body } = await world.api('GET', '/completions')
    expect(body.tables).toContainEqual({ name: 'loose', columns: ['a', 'b'] })
    expect(body.functions).toEqual(expect.arrayContaining(['auth.uid', 'gen_salt']))
  })

  it('include a new function at once', async () => {
    await world.api('GET', '/completions')
    await world.sql('create function my_own(int) returns int language sql as $$ select $1 $$')
    const { body } = await world.api('GET', '/completions')
    expect(body.functions).toContain('my_own')
  })
})
