// SQL as any identity of a project over /_emulator/v1: results, errors, privileges.
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

describe('a query plan', () => {
  const plan = (sql: string, more: object = {}) =>
    world.api('POST', '/sql/plan', { sql, identity: ana, ...more })
  const owner = { identity: 'owner' }
  const nodesOf = async (sql: string, more: object = {}): Promise<Json> =>
    (await plan(sql, more)).body.nodes

  beforeAll(async () => {
    await world.sql(`
      create table wards (clinic_id bigint references clinics, person uuid);
      alter table wards enable row level security;
      create policy own_wards on wards for select to authenticated using (person = auth.uid());
      create table visits (id bigint primary key, clinic_id bigint, note text);
      alter table visits enable row level security;
      create policy of_my_wards on visits to authenticated
        using (clinic_id in (select clinic_id from wards));
      create policy no_drafts on visits as restrictive for select to authenticated using (note <> 'draft');
      create policy own_edits on visits for update to authenticated using (note is not null);
      create policy of_anon on visits for select to anon using (id < 0);
      create table doors (id bigint primary key);
      alter table doors enable row level security;
      create policy signed_in on doors for select to authenticated using (auth.uid() is not null);
      insert into visits select n, n % 10, 'note ' || n from generate_series(1, 2000) as n;
      insert into wards values (1, '${ANA}');
      analyze visits;`)
  })

  it('marks the conditions that policies add, but not the conditions of the statement', async () => {
    const { body } = await plan('select note from visits where id < 500 order by note')
    expect(body.error).toBeNull()
    const scan = body.nodes.find(({ relation }: Json) => relation === 'visits')
    const stated = scan.conditions.filter(({ is_policy: isPolicy }: Json) => !isPolicy)
    const added = scan.conditions.filter(({ is_policy: isPolicy }: Json) => isPolicy)
    expect(stated.map(({ text }: Json) => text).join()).toContain('visits.id < 500')
    expect(added).toHaveLength(1)
    expect(added[0].text).toContain("visits.note <> 'draft'")
    expect(added[0].text).not.toContain('visits.id')
    expect(scan.policies).toEqual(['no_drafts', 'of_my_wards'])
    const inner = body.nodes.find(({ relation }: Json) => relation === 'wards')
    expect(inner).toMatchObject({ is_policy: true, policies: ['own_wards'] })
    expect(JSON.stringify(inner.conditions)).toContain('wards.person = auth.uid()')
    expect(body.cost_without_policies).toBeLessThan(body.nodes[0].total_cost)
    expect(body.nodes.every(({ measured }: Json) => measured === null)).toBe(true)
  })

  it.each([
    ['a policy', 'select note from visits where id < 500 order by note limit 3'],
    ['a nested loop', 'select * from clinics c join visits v on v.clinic_id > c.id'],
    [
      'a lateral join',
      'select * from visits v cross join lateral (select * from visits w where w.id = v.id limit 1) l',
    ],
    [
      'a subplan',
      'select (select max(w.id) from visits w where w.clinic_id = v.clinic_id) from visits v',
    ],
    [
      'a CTE',
      'with x as materialized (select * from visits) select * from x a join x b on a.id = b.id',
    ],
    [
      'a recursive CTE',
      'with recursive r(n) as (select 1 union all select n + 1 from r where n < 9) select * from r',
    ],
  ])('divides cost and time of the statement among the nodes, for %s', async (_, sql) => {
    const estimated = await nodesOf(sql, owner)
    const sum = (nodes: Json, own: (node: Json) => number): number =>
      nodes.reduce((total: number, node: Json) => total + own(node), 0)
    const cost = estimated[0].total_cost
    expect(sum(estimated, ({ self_cost: own }) => own) / cost).toBeCloseTo(1, 6)
    const nodes = await nodesOf(sql, { ...owner, analyze: true })
    const time = nodes[0].measured.total_ms
    expect(sum(nodes, ({ measured }) => measured.self_ms)).toBeLessThanOrEqual(time * 1.001)
  })

  it('counts the inner side of a nested loop once for each outer row', async () => {
    const nodes = await nodesOf(
      'select * from visits v cross join lateral (select * from visits w where w.id = v.id limit 1) l',
      owner,
    )
    const [loop, , limit] = nodes
    expect(loop.type).toBe('Nested Loop')
    expect(limit.whole_cost).toBeGreaterThan(1_000 * limit.total_cost)
    expect(loop.self_cost).toBeLessThan(loop.total_cost / 5)
  })

  it('names the policies of a condition that depends on no row', async () => {
    const nodes = await nodesOf('select * from doors')
    const marked = nodes.filter(({ policies }: Json) => policies.length > 0)
    expect(marked).toMatchObject([
      { policies: ['signed_in'], conditions: [{ text: '(auth.uid() IS NOT NULL)' }] },
    ])
  })

  it('marks no condition when no policy applies', async () => {
    for (const identity of ['owner', { kind: 'service_role' }]) {
      const { body } = await plan("select * from visits where note <> 'draft'", { identity })
      expect(body.nodes[0]).toMatchObject({ is_policy: false, policies: [] })
      expect(body.cost_without_policies).toBeNull()
    }
    const nodes = await nodesOf("select * from clinics where name <> 'x'")
    expect(nodes[0].conditions).toEqual([
      { kind: 'Filter', text: "(clinics.name <> 'x'::text)", is_policy: false },
    ])
  })

  it('measures the rows and the time of each node, and writes nothing', async () => {
    const { body } = await plan("update visits set note = 'seen' where clinic_id = 1", {
      analyze: true,
    })
    expect(body.error).toBeNull()
    const [root] = body.nodes
    const marked = body.nodes.find(({ policies }: Json) => policies.includes('own_edits'))
    expect(marked.policies).toEqual(['no_drafts', 'of_my_wards', 'own_edits'])
    expect(root).toMatchObject({ type: 'ModifyTable', relation: 'visits', depth: 0, parent: null })
    const scan = body.nodes.find(
      ({ type, relation }: Json) => type !== 'ModifyTable' && relation === 'visits',
    )
    expect(scan.measured).toMatchObject({ rows: 200, loops: 1 })
    expect(scan.rows_removed).toBe(1_800)
    const own = body.nodes.reduce((sum: number, { measured }: Json) => sum + measured.self_ms, 0)
    expect(own).toBeGreaterThan(0)
    expect(own).toBeLessThanOrEqual(root.measured.total_ms * 1.01)
    expect(body.execution_ms).toBeGreaterThan(0)
    const { body: after } = await world.sql("select count(*) from visits where note = 'seen'")
    expect(after.results[0].rows).toEqual([['0']])
  })

  it('accepts an EXPLAIN statement, and reports an error’s position in the caller’s text', async () => {
    const [node] = await nodesOf('explain (analyze, buffers) select 1', owner)
    expect(node).toMatchObject({ type: 'Result', measured: null })
    const broken = await plan('explain analyze select nothing', owner)
    expect(broken.body.error).toMatchObject({ code: '42703', position: 24 })
    const two = await plan('select 1; select 2', owner)
    expect(two.body.error.code).toBe('42601')
    const denied = await plan('select * from secrets')
    expect(denied.body.error.code).toBe('42501')
  })
})
