// Migrations of a group over the emulator's own API: their changes of the template and the tenants, and their reports.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/fixture-folder.ts'
import { groupWith as groupOf, migrate, NOTES, type StepText } from '../../support/migrations.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestGroup,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

const STARS = {
  file: '20260102000000_stars.sql',
  sql: '-- ratings\nalter table notes add column stars int;\n\nalter table notes add constraint stars_positive check (stars > 0);\n',
}

const apply = (
  { templateSlug }: Pick<TestGroup, 'templateSlug'>,
  steps: readonly StepText[],
  order: object = {},
): Promise<Json> => migrate(at, templateSlug, 'apply', { steps, ...order })
const status = ({ id }: TestGroup, steps: readonly StepText[]): Promise<Json> =>
  migrate(at, id, 'status', { steps })
const groupWith = (slug: string, ...tenants: readonly string[]): Promise<TestGroup> =>
  groupOf(at, slug, tenants)

const ledgerOf = (slug: string) =>
  ask(at, slug, 'select version, name, statements_done from tenantry_migrations order by 1')

async function columnsOf(slug: string): Promise<readonly string[]> {
  const sql = `select attname from pg_attribute where attrelid = 'notes'::regclass and attnum > 0 order by attnum`
  return (await ask(at, slug, sql)).flat()
}

describe('applying steps', () => {
  it('applies pending steps to the template only, unless the request names tenants', async () => {
    const group = await groupWith('quiet', 'quiet_a')
    expect(await apply(group, [NOTES, STARS])).toMatchObject({
      ok: true,
      published: null,
      template: { slug: 'quiet', applied: ['20260102000000'], pending: [], error: null },
      tenants: [],
    })
    expect(await columnsOf('quiet')).toContain('stars')
    expect(await columnsOf('quiet_a')).toEqual(['id', 'title'])
    expect(await apply(group, [NOTES, STARS])).toMatchObject({ template: { applied: [] } })
  })

  it('derives a new tenant’s steps from its template version, and later records the steps as rows', async () => {
    const group = await groupWith('inherit', 'inherit_a')
    expect(await ledgerOf('inherit_a')).toEqual([])
    expect(await status(group, [NOTES, STARS])).toMatchObject({
      group: 'inherit',
      template: { state: 'behind', template_version: null },
      tenants: [
        {
          slug: 'inherit_a',
          state: 'behind',
          template_version: 'inherit',
          steps: [
            { state: 'applied' },
            { version: '20260102000000', name: 'stars', state: 'pending' },
          ],
        },
      ],
    })
    expect(await apply(group, [NOTES, STARS], { tenants: 'all' })).toMatchObject({
      ok: true,
      tenants: [{ slug: 'inherit_a', ok: true, applied: ['20260102000000'] }],
    })
    expect(await ledgerOf('inherit_a')).toEqual([
      ['20260101000000', 'notes', null],
      ['20260102000000', 'stars', null],
    ])
    expect(await status(group, [NOTES, STARS])).toMatchObject({
      template: { state: 'up_to_date' },
      tenants: [{ state: 'up_to_date', problem: null }],
    })
  })

  it('leaves a failed tenant unchanged, names the failing line, and continues with the next tenant', async () => {
    const group = await groupWith('partly', 'partly_a', 'partly_b', 'partly_c')
    await ask(at, 'partly_b', 'alter table notes add constraint stars_positive check (id > 0)')
    const report = await apply(group, [NOTES, STARS], { tenants: 'all' })
    expect(report.ok).toBe(false)
    expect(report.tenants).toMatchObject([
      { slug: 'partly_a', ok: true },
      {
        slug: 'partly_b',
        ok: false,
        applied: [],
        pending: ['20260102000000'],
        error: {
          step: STARS.file,
          statement: 'alter table notes add constraint stars_positive check (stars > 0)',
          line: 4,
          code: '42710',
          message: expect.stringContaining('already exists'),
        },
      },
      { slug: 'partly_c', ok: true },
    ])
    expect(await columnsOf('partly_b')).toEqual(['id', 'title'])
    await ask(at, 'partly_b', 'alter table notes drop constraint stars_positive')
    expect((await apply(group, [NOTES, STARS], { tenants: 'all' })).tenants).toMatchObject([
      { applied: [] },
      { slug: 'partly_b', ok: true, applied: ['20260102000000'] },
      { applied: [] },
    ])
  })

  it('stops at the first failed tenant, or after a failed canary', async () => {
    const group = await groupWith('careful', 'careful_a', 'careful_b', 'careful_c')
    await ask(at, 'careful_b', 'alter table notes add column stars text')
    const summary = (report: Json) =>
      report.tenants.map(({ ok, skipped, slug }: Json) => [slug, ok, skipped])
    const order = { tenants: 'all', canary: ['careful_b'] }
    expect(summary(await apply(group, [NOTES, STARS], order))).toEqual([
      ['careful_b', false, null],
      ['careful_a', false, 'canary_failed'],
      ['careful_c', false, 'canary_failed'],
    ])
    const stopping = { tenants: ['careful_a', 'careful_b', 'careful_c'], on_failure: 'stop' }
    expect(summary(await apply(group, [NOTES, STARS], stopping))).toEqual([
      ['careful_a', true, null],
      ['careful_b', false, null],
      ['careful_c', false, 'stopped'],
    ])
  })

  it('applies steps to no tenant when the template fails', async () => {
    const group = await groupWith('broken', 'broken_a')
    const wrong = { file: '20260103000000_wrong.sql', sql: 'select 1;\n\nselect * frm notes;' }
    expect(await apply(group, [NOTES, wrong], { tenants: 'all', publish: true })).toMatchObject({
      ok: false,
      published: null,
      template: { error: { step: wrong.file, line: 3, code: '42601' } },
      tenants: [{ skipped: 'template_failed' }],
    })
  })

  it('refuses unknown tenants and groups before it changes anything', async () => {
    const group = await groupWith('known', 'known_a')
    expect(await apply(group, [NOTES, STARS], { tenants: ['known_a', 'nobody'] })).toMatchObject({
      error: { code: 'not_found', message: 'The group has no tenant nobody.' },
    })
    expect(await columnsOf('known')).toEqual(['id', 'title'])
    expect(await apply({ ...group, templateSlug: 'nowhere' }, [])).toMatchObject({
      error: { code: 'not_found', hint: expect.stringContaining('known') },
    })
    expect(await apply(group, [{ file: 'notes.sql', sql: '' }])).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining('notes.sql') },
    })
  })

  it('reports the pending steps in a dry run, and runs no step', async () => {
    const group = await groupWith('dry', 'dry_a')
    expect(
      await apply(group, [NOTES, STARS], { tenants: 'all', publish: true, dry_run: true }),
    ).toMatchObject({
      ok: true,
      published: null,
      template: { applied: [], pending: ['20260102000000'] },
      tenants: [{ applied: [], pending: ['20260102000000'] }],
    })
    expect(await columnsOf('dry')).toEqual(['id', 'title'])
  })

  it('skips removed tenants', async () => {
    const group = await groupWith('left', 'left_a')
    await at.call('DELETE', `/groups/v1/${group.id}/tenants/left_a`, { credential: group.key })
    expect(await apply(group, [NOTES, STARS], { tenants: 'all' })).toMatchObject({
      ok: true,
      tenants: [{ slug: 'left_a', skipped: 'deleted', applied: [] }],
    })
    expect((await status(group, [NOTES, STARS])).tenants).toMatchObject([{ state: 'deleted' }])
  })

  it('publishes the template only once for the same steps', async () => {
    const group = await groupWith('press', 'press_a')
    const publish = { publish: true }
    expect(await apply(group, [NOTES, STARS], publish)).toMatchObject({ published: 'press_v2' })
    expect(await apply(group, [NOTES, STARS], publish)).toMatchObject({ published: 'press_v2' })
    await provisionTenant(at, group, 'press_b')
    expect(await status(group, [NOTES, STARS])).toMatchObject({
      versions: [{ slug: 'press_v2', state: 'up_to_date' }],
      tenants: [
        { slug: 'press_a', template_version: 'press', state: 'behind' },
        { slug: 'press_b', template_version: 'press_v2', state: 'up_to_date' },
      ],
    })
  })

  it('records the steps up to the baseline in a project that was built without steps', async () => {
    const group = await createGroup(at, 'older', { sql: NOTES.sql })
    await provisionTenant(at, group, 'older_a')
    const order = { tenants: 'all', baseline: '20260101000000' }
    expect(await apply(group, [NOTES, STARS], { ...order, dry_run: true })).toMatchObject({
      template: { pending: ['20260102000000'] },
    })
    expect(await apply(group, [NOTES, STARS], order)).toMatchObject({
      ok: true,
      template: { applied: ['20260102000000'] },
      tenants: [{ applied: ['20260102000000'] }],
    })
    expect(await ledgerOf('older_a')).toHaveLength(2)
  })

  it('records the baseline in published versions, so that clones of a version need only later steps', async () => {
    const group = await createGroup(at, 'aged', { sql: NOTES.sql })
    await at.call('POST', `/groups/v1/${group.id}/template/publish`, { credential: group.key })
    const order = { baseline: '20260101000000' }
    expect(await apply(group, [NOTES], { ...order, dry_run: true })).toMatchObject({
      versions: [{ slug: 'aged_v2', error: null, recorded: ['20260101000000'] }],
    })
    expect(await ask(at, 'aged_v2', "select to_regclass('tenantry_migrations')")).toEqual([[null]])
    const report = await apply(group, [NOTES], { ...order, publish: true })
    expect(report).toMatchObject({ published: 'aged_v2', versions: [{ slug: 'aged_v2' }] })
    expect(await apply(group, [NOTES], order)).toMatchObject({ versions: [] })
    await provisionTenant(at, group, 'aged_a')
    expect(await apply(group, [NOTES, STARS], { tenants: 'all' })).toMatchObject({
      tenants: [{ ok: true, applied: ['20260102000000'] }],
    })
  })
})

describe('a step that conflicts with the ledger', () => {
  it.each([
    ['changed', [{ ...NOTES, sql: 'select 1' }, STARS], 'changed after it ran'],
    ['missing', [STARS], 'the file is missing'],
    ['late', [{ ...STARS, file: '20251231000000_stars.sql' }, NOTES], 'older than a step that ran'],
  ])('prevents all steps from running: %s', async (slug, steps, reason) => {
    const group = await groupWith(slug)
    const report = await apply(group, steps)
    expect(report.template).toMatchObject({ ok: false, applied: [], error: { code: 'conflict' } })
    expect(report.template.error.message).toContain(reason)
    expect(await status(group, steps)).toMatchObject({
      template: { state: 'conflict', problem: report.template.error.message },
    })
    expect(await columnsOf(slug)).toEqual(['id', 'title'])
  })
})

describe('a step without a transaction', () => {
  const step = (third: string): StepText => ({
    file: '20260104000000_kinds.sql',
    sql: `-- tenantry: no-transaction\ncreate type kind as enum ('a');\nalter type kind add value 'b';\ncreate table kinds (\n  kind kind default ${third}\n);\ninsert into kinds default values;\n`,
  })

  it('keeps the statements that ran, and continues after these statements', async () => {
    const group = await groupWith('stepwise')
    const first = await apply(group, [NOTES, step("'c'")])
    expect(first.template.error).toMatchObject({ line: 5, code: '22P02', step: step('').file })
    expect((await ledgerOf('stepwise')).at(-1)).toEqual(['20260104000000', 'kinds', '2'])
    expect((await status(group, [NOTES, step("'b'")])).template).toMatchObject({
      state: 'behind',
      steps: [{ state: 'applied' }, { state: 'interrupted' }],
    })
    expect(await apply(group, [NOTES, step("'b'")])).toMatchObject({
      ok: true,
      template: { applied: ['20260104000000'] },
    })
    expect(await ask(at, 'stepwise', 'select kind from kinds')).toEqual([['b']])
    expect((await ledgerOf('stepwise')).at(-1)).toEqual(['20260104000000', 'kinds', null])
    expect(await status(group, [NOTES, step("'b'")])).toMatchObject({
      template: { state: 'up_to_date' },
    })
  })
})

describe('the ledger in the schema', () => {
  let tenant: TestTenant
  beforeAll(async () => {
    tenant = await provisionTenant(at, await groupWith('closed'), 'closed_a')
  })

  it.each(['anonKey', 'serviceRoleKey'] as const)('is closed to the %s', async (name) => {
    const headers = { apikey: tenant.anonKey, 'accept-profile': tenant.schemaName }
    const credential = tenant[name]
    const answer = await at.call('GET', '/tenantry_migrations', { credential, headers })
    expect(answer.body).toMatchObject({ code: '42501' })
    const described = await at.call('GET', '/', { credential, headers })
    expect(Object.keys(described.body.paths)).toContain('/notes')
    expect(Object.keys(described.body.paths)).not.toContain('/tenantry_migrations')
  })

  it('does not appear in the lists of the inspector', async () => {
    for (const list of ['tables', 'structure', 'policies']) {
      const { body } = await at.call('GET', `/_emulator/v1/projects/${tenant.slug}/${list}`)
      const names = body.tables.map(({ name }: Json) => name)
      expect(names).toContain('notes')
      expect(names).not.toContain('tenantry_migrations')
    }
    expect(await ledgerOf(tenant.slug)).toEqual([])
  })
})
