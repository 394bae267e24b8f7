// Query plans of the SQL console over /_emulator/v1: nodes, shares of cost and time, and conditions that come from policies.
import { beforeAll, describe, expect, it } from 'vitest'
import { ANA, startTableWorld, type TableWorld } from '../../../support/table-world.ts'
import type { Json } from '../../../support/test-emulator.ts'

let world: TableWorld
beforeAll(async () => {
  world = await startTableWorld()
})

const ana = { kind: 'user', user: ANA }

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
