// The report of a rehearsal about rows that identities would newly see or no longer see.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/fixture-folder.ts'
import { rehearsalWorld, rehearse, step } from '../../support/rehearsals.ts'
import type { Json, TestEmulator, TestTenant } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

describe('a rehearsal', () => {
  it('names the rows that would become visible to anon, with an example', async () => {
    const { group } = await rehearsalWorld(at, 'opens', 1)
    const opening = step(
      'open',
      `drop policy own on invoices;\ncreate policy open on invoices using (true);\n`,
    )
    const { ok, template, tenants } = await rehearse(at, group, [opening])
    expect(ok).toBe(true)
    expect(template).toMatchObject({ slug: 'opens', ok: true, visibility: [] })
    expect(tenants).toMatchObject([
      {
        slug: 'opens_1',
        ok: true,
        pending: ['20260201000000'],
        error: null,
        rows_changed: 0,
        notes: [],
      },
    ])
    expect(tenants[0].duration_ms).toBeGreaterThan(0)
    const found = Object.fromEntries(tenants[0].visibility.map((one: Json) => [one.identity, one]))
    expect(Object.keys(found).toSorted()).toEqual(['ann@x.test', 'anon', 'ben@x.test'])
    expect(found['anon']).toMatchObject({ table: 'invoices', gained: 2, lost: 0, error: null })
    expect(found['anon'].example).toMatchObject({ owner: expect.stringContaining('@x.test') })
    expect(found['ann@x.test']).toMatchObject({
      gained: 1,
      lost: 0,
      example: { id: '2', owner: 'ben@x.test', title: 'second' },
    })
  })

  it('names the rows that a user would no longer see', async () => {
    const { group } = await rehearsalWorld(at, 'closes', 1)
    const closing = step(
      'close',
      `alter policy own on invoices using (owner = auth.jwt() ->> 'email' and title <> 'first')`,
    )
    expect((await rehearse(at, group, [closing])).tenants[0].visibility).toEqual([
      {
        table: 'invoices',
        identity: 'ann@x.test',
        gained: 0,
        lost: 1,
        has_key: true,
        example: { id: '1', owner: 'ann@x.test', title: 'first' },
        lost_example: { id: '1', owner: 'ann@x.test', title: 'first' },
        error: null,
      },
    ])
  })

  it('notices a policy that is dropped without a replacement', async () => {
    const { group } = await rehearsalWorld(at, 'policyless', 1)
    const { tenants } = await rehearse(at, group, [step('drop', 'drop policy listed on plans')])
    expect(tenants[0].visibility).toMatchObject([
      { table: 'plans', identity: 'anon', gained: 0, lost: 1 },
      { table: 'plans', identity: 'ben@x.test', lost: 1 },
      { table: 'plans', identity: 'ann@x.test', lost: 1 },
    ])
  })

  it('reports a policy that fails when rows are read', async () => {
    const { group } = await rehearsalWorld(at, 'endless', 1)
    const steps = [
      step(
        'loop',
        'create policy loop on invoices for select using (exists (select from invoices as i where i.id = invoices.id))',
      ),
    ]
    const { ok, tenants } = await rehearse(at, group, steps)
    expect(ok).toBe(true)
    const { visibility } = tenants[0]
    expect(visibility).toContainEqual(
      expect.objectContaining({
        table: 'invoices',
        identity: 'anon',
        gained: 0,
        lost: 0,
        error:
          'anon: SELECT on invoices fails after the change: infinite recursion detected in policy for relation "invoices"',
      }),
    )
  })

  it('compares renamed tables, and tables and views that exist only before or after the steps', async () => {
    const { group } = await rehearsalWorld(at, 'reshaped', 1)
    const steps = [
      step(
        'reshape',
        `create view everything as select * from invoices;
alter table plans rename to offers; alter table offers rename column name to label; alter table offers alter id type bigint;
create table news (id int primary key, said text); insert into news values (1, repeat('x', 500));`,
      ),
    ]
    const {
      tenants: [{ visibility }],
    } = await rehearse(at, group, steps)
    const forAnon = visibility.filter(({ identity }: Json) => identity === 'anon')
    expect(forAnon).toMatchObject([
      { table: 'everything', gained: 2, lost: 0 },
      { table: 'news', gained: 1, lost: 0, example: { id: '1', said: `${'x'.repeat(80)}…` } },
    ])
    const dropping = [step('drop', 'drop table plans')]
    const dropped = (await rehearse(at, group, dropping)).tenants[0].visibility
    expect(
      dropped
        .map(({ gained, identity, lost, table }: Json) => [table, identity, gained, lost])
        .toSorted(),
    ).toEqual([
      ['plans', 'ann@x.test', 0, 1],
      ['plans', 'anon', 0, 1],
      ['plans', 'ben@x.test', 0, 1],
    ])
  })

  it('says that a changed row of a view counts twice, because no key matches it', async () => {
    const { group, tenants } = await rehearsalWorld(at, 'exchanged', 1)
    const [{ slug }] = tenants as [TestTenant]
    await ask(at, slug, 'create view board as select id, name from plans')
    const renaming = [step('rename', `update plans set name = name || '!'`)]
    const { visibility } = (await rehearse(at, group, renaming)).tenants[0]
    const ofBoard = visibility.filter(({ table }: Json) => table === 'board')
    expect(ofBoard[0]).toMatchObject({ identity: 'anon', gained: 1, lost: 1, has_key: false })
  })

  it('finds the rows whose visibility changes because a policy’s function changes', async () => {
    const { group, tenants } = await rehearsalWorld(at, 'behind', 1)
    const [{ slug }] = tenants as [TestTenant]
    await ask(
      at,
      slug,
      `create function may_see(text) returns boolean language sql stable as $$ select $1 = 'first' $$;
      create policy by_function on invoices for select to anon using (may_see(title))`,
    )
    const steps = [
      step(
        'replace',
        `create or replace function may_see(text) returns boolean language sql stable as $$ select true $$`,
      ),
    ]
    expect((await rehearse(at, group, steps)).tenants[0]).toMatchObject({
      visibility: [
        { table: 'invoices', identity: 'anon', gained: 1, lost: 0, example: { id: '2' } },
      ],
    })
  })

  it('does not compare tables with too many rows, and says so', async () => {
    const { group, tenants } = await rehearsalWorld(at, 'large', 1)
    const [{ slug }] = tenants as [TestTenant]
    await ask(
      at,
      slug,
      `insert into invoices select n, 'x', repeat('y', 200) from generate_series(10, 9000) as n`,
    )
    const {
      tenants: [found],
    } = await rehearse(at, group, [step('open', 'create policy open on invoices using (true)')])
    expect(found).toMatchObject({ ok: true, visibility: [] })
    expect(found.notes).toEqual([
      'Visible rows of invoices were not compared: it takes more than 1024 KB on disk.',
    ])
  })
})
