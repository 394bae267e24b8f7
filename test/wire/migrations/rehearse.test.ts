// Rehearsals of migrations over the emulator's own API: the effects of pending steps on each tenant, without applying them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_DATABASE_URL } from '../../support/engine-of-run.ts'
import { ask } from '../../support/fixture-folder.ts'
import { migrate } from '../../support/migrations.ts'
import { INVOICES, rehearsalWorld, rehearse, step } from '../../support/rehearsals.ts'
import {
  executeSql,
  type Json,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

/** Structure, rows and sequences of a project. */
// A server does not set sequences back, because other work may have used their values.
const VALUE = TEST_DATABASE_URL === undefined ? "coalesce(last_value::text, '')" : "''"

async function everythingIn(slug: string): Promise<Json> {
  return ask(
    at,
    slug,
    `select (select json_agg(c.relname || ' ' || coalesce(c.relacl::text, '') order by c.relname) from pg_class as c where c.relnamespace = current_schema()::regnamespace),
      (select json_agg(tablename || policyname || coalesce(qual, '') order by tablename, policyname) from pg_policies where schemaname = current_schema()),
      (select json_agg(i order by i.id) from invoices as i), (select json_agg(p order by p.id) from plans as p),
      (select json_agg(sequencename || ${VALUE} order by sequencename) from pg_sequences where schemaname = current_schema())`,
  )
}

describe('a rehearsal', () => {
  it('names the tenant in which a step fails, with step, statement and line', async () => {
    const { group } = await rehearsalWorld(at, 'altered', 3)
    await ask(at, 'altered_2', 'create view titles as select title from invoices')
    const dropping = step(
      'drop_title',
      `-- no longer used\nalter table plans add column price int;\n\nalter table invoices drop column title;\n`,
    )
    const { ok, tenants } = await rehearse(at, group, [dropping])
    expect(ok).toBe(false)
    expect(tenants.map(({ ok: isOk, slug }: Json) => [slug, isOk])).toEqual([
      ['altered_1', true],
      ['altered_2', false],
      ['altered_3', true],
    ])
    expect(tenants[1]).toMatchObject({
      step: '20260201000000_drop_title.sql',
      statement: 'alter table invoices drop column title',
      line: 4,
      error: { code: '2BP01' },
      visibility: [],
    })
  })

  it('counts the rows and values that the steps lose', async () => {
    const { group } = await rehearsalWorld(at, 'losing', 1)
    const dropping = step('drop_title', 'alter table invoices drop column title;\n')
    const { ok, tenants } = await rehearse(at, group, [dropping])
    expect(ok).toBe(true)
    expect(tenants[0].losses).toEqual([
      {
        table: 'invoices',
        column: 'title',
        rows: expect.any(Number),
        example: expect.stringContaining('"title"'),
      },
    ])
    expect(tenants[0].losses[0].rows).toBeGreaterThan(0)
  })

  it('finds the statement whose constraint the rows of a tenant violate', async () => {
    const { group } = await rehearsalWorld(at, 'violates', 2)
    await ask(at, 'violates_1', 'update invoices set title = null where id = 1')
    const steps = [
      step(
        'required',
        `select 1;\nupdate plans set name = 'x';\nalter table invoices alter title set not null;\n`,
      ),
    ]
    const { tenants } = await rehearse(at, group, steps)
    expect(tenants[0]).toMatchObject({
      ok: false,
      line: 3,
      error: { code: '23502' },
      statement: 'alter table invoices alter title set not null',
    })
    expect(tenants[1]).toMatchObject({ ok: true, rows_changed: 1 })
  })

  it('changes no structure, row, sequence or ledger', async () => {
    const { group, tenants } = await rehearsalWorld(at, 'unchanged', 1)
    const [{ slug }] = tenants as [TestTenant]
    const before = await everythingIn(slug)
    const steps = [
      step(
        'much',
        `insert into plans (name) values ('a'), ('b'); delete from invoices;
create table made (id serial primary key); insert into made default values;
create policy more on plans for insert with check (true); grant select on invoices to anon;`,
      ),
    ]
    const {
      tenants: [found],
    } = await rehearse(at, group, steps)
    expect(found).toMatchObject({ ok: true, rows_changed: 5 })
    expect(await everythingIn(slug)).toEqual(before)
    expect(await migrate(at, group.id, 'apply', { steps: [INVOICES, ...steps] })).toMatchObject({
      ok: true,
      template: { applied: ['20260201000000'] },
    })
    const {
      tenants: [again],
    } = await rehearse(at, group, steps)
    expect(again).toMatchObject({ ok: true, rows_changed: 5 })
  })

  it('runs several steps in order, also a step without a transaction', async () => {
    const { group } = await rehearsalWorld(at, 'several', 1)
    const steps = [
      {
        file: '20260201000000_kind.sql',
        sql: "-- tenantry: no-transaction\ncreate type kind as enum ('a');\nalter table plans add column kind kind;\n",
      },
      { file: '20260202000000_fill.sql', sql: "update plans set kind = 'a';" },
      { file: '20260203000000_fail.sql', sql: '\nselect 1 / 0;' },
    ]
    expect((await rehearse(at, group, steps.slice(0, 2))).tenants[0]).toMatchObject({
      ok: true,
      rows_changed: 1,
      pending: ['20260201000000', '20260202000000'],
    })
    expect((await rehearse(at, group, steps)).tenants[0]).toMatchObject({
      ok: false,
      step: '20260203000000_fail.sql',
      line: 2,
      statement: 'select 1 / 0',
    })
  })

  it('names a step that cannot be rehearsed because it uses an enum value that an earlier step adds', async () => {
    const { group, tenants } = await rehearsalWorld(at, 'enums', 1)
    const [{ slug }] = tenants as [TestTenant]
    await ask(at, slug, "create type kind as enum ('a'); alter table plans add column kind kind")
    const steps = [
      { file: '20260201000000_value.sql', sql: "alter type kind add value 'b';" },
      { file: '20260202000000_use.sql', sql: "update plans set kind = 'b';" },
    ]
    const {
      tenants: [found],
    } = await rehearse(at, group, steps)
    expect(found).toMatchObject({
      ok: true,
      notes: [expect.stringMatching(/^20260202000000_use.sql and later steps were not rehearsed/)],
    })
  })

  it('refuses the same steps as apply: forbidden SQL, broken SQL, and steps that changed after they ran', async () => {
    const { group } = await rehearsalWorld(at, 'refused', 1)
    const one = async (sql: string): Promise<Json> =>
      (await rehearse(at, group, [step('one', sql)])).tenants[0]
    expect(await one('select 1;\ncommit;')).toMatchObject({
      ok: false,
      error: { code: 'transaction_control_blocked' },
    })
    expect(await one('select 1;\nselect from from;')).toMatchObject({
      ok: false,
      line: 2,
      error: { code: '42601' },
    })
    const changed = { ...INVOICES, sql: `${INVOICES.sql}\n-- changed` }
    const { tenants } = await migrate(at, group.id, 'rehearse', { steps: [changed] })
    expect(tenants[0]).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('changed after it ran') },
    })
  })

  it('runs only in the named tenants, and refuses unknown tenants', async () => {
    const { group } = await rehearsalWorld(at, 'named', 2)
    const adding = step('add', 'alter table plans add column price int')
    expect((await rehearse(at, group, [adding], ['named_2'])).tenants).toMatchObject([
      { slug: 'named_2' },
    ])
    expect((await rehearse(at, group, [adding], 'none')).tenants).toEqual([])
    expect(await rehearse(at, group, [adding], ['nobody'])).toMatchObject({
      error: { code: 'not_found' },
    })
  })

  it('is remembered for each project until the project’s structure or the steps change', async () => {
    const { group } = await rehearsalWorld(at, 'noted', 2)
    const known = async (): Promise<Json> => {
      const path = `/_emulator/v1/groups/${group.id}/migrations/rehearsals`
      const { projects } = (await at.call('GET', path)).body
      return projects.map(({ slug, visibility }: Json) => [slug, visibility.length])
    }
    const open = step('open', 'create policy open on invoices using (true)')
    expect(await known()).toEqual([])
    await rehearse(at, group, [open])
    expect(await known()).toMatchObject([
      ['noted', 0],
      ['noted_1', expect.any(Number)],
      ['noted_2', expect.any(Number)],
    ])
    await ask(at, 'noted_1', 'create table by_hand (id int)')
    expect((await known()).map(([slug]: Json) => slug)).toEqual(['noted', 'noted_2'])
    await migrate(at, group.id, 'status', {
      steps: [INVOICES, open, { file: '20260301000000_more.sql', sql: 'select 1' }],
    })
    expect(await known()).toEqual([])
  })

  it('does not block requests of other tenants', async () => {
    const { group, tenants } = await rehearsalWorld(at, 'busy', 6)
    const other = tenants.at(-1) as TestTenant
    let isOver = false
    const rehearsed = rehearse(
      at,
      group,
      [step('open', 'create policy open on invoices using (true)')],
      tenants.slice(0, 5).map(({ slug }) => slug),
    ).finally(() => {
      isOver = true
    })
    let answered = 0
    while (!isOver && answered < 1000) {
      const { rows } = (await executeSql(at, other, 'select count(*)::int as n from plans')).body
      expect(rows).toEqual([{ n: 1 }])
      if (!isOver) answered += 1
    }
    expect((await rehearsed).ok).toBe(true)
    expect(answered).toBeGreaterThan(3)
  })
})
