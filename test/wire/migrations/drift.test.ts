// Drift over the emulator's own API. The report of drift, rehearsals and the fleet use the same definition of drift.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { applyTo, ask, writeFixture } from '../../support/fixture-folder.ts'
import {
  fleetDriftOf,
  groupWith,
  migrate,
  NOTES,
  type StepText,
  surveyFleet,
} from '../../support/migrations.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
} from '../../support/test-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

/** Creates a group whose template and two tenants have the first step. */
async function world(name: string): Promise<readonly [string, string]> {
  const tenants = [`${name}_a`, `${name}_b`] as const
  await groupWith(at, name, tenants)
  return tenants
}

const drift = (group: string, steps: readonly StepText[]) => migrate(at, group, 'drift', { steps })

type Differences = readonly { readonly kind: string; readonly name: string }[]

/** Returns kind and name of each difference, by project. Fails unless report, rehearsal and fleet have the same differences. */
async function driftEverywhere(
  group: string,
  steps: readonly StepText[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const names = (all: Differences) => all.map(({ kind, name }) => `${kind} ${name}`)
  const report = await drift(group, steps)
  const projects: readonly Json[] = [report.template, ...report.tenants]
  const found = Object.fromEntries(
    projects.map(({ differences, slug }) => [slug, names(differences)]),
  )
  const rehearsal = await migrate(at, group, 'rehearse', { steps })
  for (const one of [rehearsal.template, ...rehearsal.tenants])
    expect(names(one.drift)).toEqual(found[one.slug])
  const fleet = await surveyFleet(at, group)
  for (const { differences, slug } of [fleet.template, ...fleet.tenants])
    expect([slug, differences]).toEqual([slug, found[slug]?.length])
  for (const { closing_sql: statements, compared_with, note, slug } of projects) {
    const shown = await fleetDriftOf(at, group, slug)
    expect(names(shown.differences)).toEqual(found[slug])
    expect(shown).toMatchObject({ statements, compared_with, note })
  }
  return found
}

describe('drift', () => {
  it('is empty for projects whose steps ran, and leaves no schema behind', async () => {
    const [a, b] = await world('calm')
    expect(await driftEverywhere('calm', [NOTES])).toEqual({ calm: [], [a]: [], [b]: [] })
    expect((await drift('calm', [NOTES])).template).toMatchObject({
      compared_with: 'steps',
      note: null,
      closing_sql: null,
    })
    const { body } = await at.call('GET', '/_emulator/v1/info')
    expect(JSON.stringify(body)).not.toContain('migration_steps')
  })

  it('names objects that were altered by hand in a tenant, and the statements that remove the drift', async () => {
    const [a, b] = await world('altered')
    await ask(
      at,
      b,
      'alter table notes add column stars int; drop policy service_role_all on notes',
    )
    const more = { file: '20260102000000_more.sql', sql: 'alter table notes add column more int;' }
    const found = await driftEverywhere('altered', [NOTES, more])
    expect(found).toMatchObject({ altered: [], [a]: [] })
    expect(found[b]).toEqual(['extra notes.stars', expect.stringMatching(/^missing /)])
    const [, { closing_sql: closing }] = (await drift('altered', [NOTES])).tenants
    expect(closing).toContain('-- alter table notes drop column stars')
    await ask(at, b, closing.replaceAll(/^-- (alter)/gm, '$1'))
    expect((await drift('altered', [NOTES])).tenants[1].differences).toEqual([])
  })

  it('names an object that was altered by hand in a template, and nothing in the version published from it', async () => {
    const [a] = await world('edited')
    await ask(at, 'edited', 'alter table notes add column by_hand int')
    expect(await driftEverywhere('edited', [NOTES])).toMatchObject({
      edited: ['extra notes.by_hand'],
      [a]: [],
    })
    const published = await migrate(at, 'edited', 'apply', { publish: true })
    expect(published).toMatchObject({ published: 'edited_v2' })
    expect((await surveyFleet(at, 'edited')).versions).toMatchObject([
      { slug: 'edited_v2', differences: 0, compared_with: 'edited_v2' },
    ])
    expect(await fleetDriftOf(at, 'edited', 'edited_v2')).toMatchObject({ differences: [] })
  })

  it('compares with another project that ran the same steps when the text of a step is missing', async () => {
    const [a] = await world('lost')
    await ask(at, a, 'create table extra (id int)')
    const changed = { ...NOTES, sql: `${NOTES.sql}-- edited\n` }
    const missing = expect.stringContaining('20260101000000_notes.sql is missing or changed')
    const lost = async () => (await drift('lost', [changed])).tenants[0]
    expect(await lost()).toMatchObject({ compared_with: 'lost', note: missing })
    await migrate(at, 'lost', 'apply', { steps: [NOTES], publish: true })
    expect(await lost()).toMatchObject({
      compared_with: 'lost_v2',
      note: missing,
    })
    expect((await driftEverywhere('lost', [changed]))[a]).toContain('extra extra.id')
  })
})

describe('the SQL of a fixture beside its steps', () => {
  const fixture = (slug: string, more = ''): string =>
    writeFixture(folder.path, {
      'fixture.yaml': `groups:
  - name: ${slug}
    template:
      slug: ${slug}
      migrations: steps
      sql: [base.sql]
${more}    tenants:
      - { slug: ${slug}_a }
      - { slug: ${slug}_b, sql: [{ text: create table own (id int) }] }
`,
      'base.sql': `create table settings (id int primary key, note int references notes);
create view proj_${slug}.titles as select title from proj_${slug}.notes;
insert into settings values (1, null);
`,
      [`steps/${NOTES.file}`]: NOTES.sql,
    })
  const ON_BASE = {
    file: '20260102000000_on_base.sql',
    sql: 'alter table settings add column theme text;\n',
  }

  const OWN = ['extra own', 'extra own.id', 'extra own.service_role_all', 'extra own']

  it('is not drift, also when later steps depend on the SQL', async () => {
    expect(await applyTo(at, fixture('based'))).toMatchObject({ problems: [] })
    const steps = [NOTES, ON_BASE]
    expect(await migrate(at, 'based', 'apply', { steps, tenants: ['based_a'] })).toMatchObject({
      ok: true,
    })
    await ask(at, 'based_a', 'alter table settings add column by_hand int')
    expect(await driftEverywhere('based', steps)).toMatchObject({
      based: [],
      based_a: ['extra settings.by_hand'],
      based_b: OWN,
    })
    expect(await migrate(at, 'based', 'generate', { steps })).toMatchObject({ sql: '' })
  })

  it('is expected in the version that declares the SQL, and in later versions', async () => {
    const versions = `      versions:
        - sql: [{ text: alter table notes add column stars int }]
`
    const path = fixture('grown', versions)
    expect(await applyTo(at, path)).toMatchObject({ problems: [] })
    const group = await surveyFleet(at, 'grown')
    expect(group.versions).toMatchObject([{ slug: 'grown_v2', differences: 0 }])
    expect(await driftEverywhere('grown', [NOTES])).toMatchObject({ grown: [], grown_a: [] })
  })

  it('is represented by the steps of a baseline', async () => {
    expect(
      await applyTo(
        at,
        writeFixture(folder.path, {
          'fixture.yaml':
            'groups:\n  - name: Older\n    template: { slug: older, sql: [base.sql] }\n    tenants: [{ slug: older_a }]\n',
          'base.sql': NOTES.sql,
        }),
      ),
    ).toMatchObject({ problems: [] })
    const order = { steps: [NOTES], baseline: '20260101000000', tenants: 'all' }
    expect(await migrate(at, 'Older', 'apply', order)).toMatchObject({ ok: true })
    await ask(at, 'older_a', 'alter table notes add column by_hand int')
    expect(await driftEverywhere('Older', [NOTES])).toEqual({
      older: [],
      older_a: ['extra notes.by_hand'],
    })
  })

  it('is the expected structure of a project without steps', async () => {
    const path = writeFixture(folder.path, {
      'fixture.yaml':
        'groups:\n  - name: Plain\n    template: { slug: plain, sql: [base.sql] }\n    tenants: [{ slug: plain_a }]\n',
      'base.sql': NOTES.sql,
    })
    await applyTo(at, path)
    await ask(at, 'plain', 'alter table notes add column by_hand int')
    expect(await driftEverywhere('Plain', [])).toEqual({
      plain: ['extra notes.by_hand'],
      plain_a: [],
    })
    expect((await drift('Plain', [])).template).toMatchObject({ compared_with: 'fixture' })
  })
})

describe('a group without steps and without a fixture', () => {
  it('is compared with the version that each tenant was cloned from', async () => {
    const group = await createGroup(at, 'bare', { sql: 'create table t (id int primary key)' })
    await provisionTenant(at, group, 'bare_a')
    await ask(at, 'bare_a', 'alter table t add column by_hand int')
    const { template, tenants } = await drift('bare', [])
    expect(template).toMatchObject({ compared_with: null, differences: [] })
    expect(tenants).toMatchObject([{ compared_with: 'bare', differences: [{ name: 't.by_hand' }] }])
  })
})
