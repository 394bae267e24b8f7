// Drift and generated steps over the emulator's own API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/fixture-folder.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
} from '../../support/test-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

interface Source {
  readonly file: string
  readonly sql: string
}

const NOTES: Source = {
  file: '20260101000000_notes.sql',
  sql: 'create table notes (id int primary key, body text);\nalter table notes enable row level security;\n',
}

async function call(group: string, what: string, body: object): Promise<Json> {
  const path = `/_emulator/v1/groups/${group}/migrations/${what}`
  const answer = await at.call('POST', path, { body })
  return { ...answer.body, status: answer.status }
}

/** A group whose template and two tenants have the first step. */
async function world(name: string): Promise<readonly [string, string]> {
  const group = await createGroup(at, name)
  await call(name, 'apply', { steps: [NOTES] })
  const tenants = [`${name}_a`, `${name}_b`] as const
  for (const slug of tenants) await provisionTenant(at, group, slug)
  await call(name, 'apply', { steps: [NOTES], tenants: 'all' })
  return tenants
}

const drift = (group: string, steps: readonly Source[]) => call(group, 'drift', { steps })

describe('drift', () => {
  it('is empty for projects whose steps ran, and leaves no schema behind', async () => {
    await world('calm')
    const report = await drift('calm', [NOTES])
    for (const project of [report.template, ...report.tenants])
      expect(project).toMatchObject({
        compared_with: 'steps',
        note: null,
        differences: [],
        closing_sql: null,
      })
    const { body } = await at.call('GET', '/_emulator/v1/info')
    expect(JSON.stringify(body)).not.toContain('migration_steps')
  })

  it('names what was altered by hand, and the statements that end the drift', async () => {
    const [a, b] = await world('altered')
    await ask(
      at,
      b,
      'alter table notes add column stars int; drop policy service_role_all on notes',
    )
    const { tenants } = await drift('altered', [NOTES])
    expect(tenants.map(({ differences, slug }: Json) => [slug, differences.length])).toEqual([
      [a, 0],
      [b, 2],
    ])
    expect(tenants[1].differences).toMatchObject([
      { kind: 'extra', object: 'column', name: 'notes.stars' },
      { kind: 'missing', object: 'policy' },
    ])
    expect(tenants[1].closing_sql).toContain('-- alter table notes drop column stars')
    await ask(at, b, tenants[1].closing_sql.replaceAll(/^-- (alter)/gm, '$1'))
    expect((await drift('altered', [NOTES])).tenants[1].differences).toEqual([])
  })

  it('compares with a published version with the same steps when the text of a step is gone', async () => {
    const [a] = await world('lost')
    await ask(at, a, 'create table extra (id int)')
    const changed = { ...NOTES, sql: `${NOTES.sql}-- edited\n` }
    expect((await drift('lost', [changed])).tenants[0]).toMatchObject({ compared_with: null })
    await call('lost', 'apply', { steps: [NOTES], publish: true })
    const { tenants } = await drift('lost', [changed])
    expect(tenants[0]).toMatchObject({
      compared_with: expect.stringContaining('lost'),
      note: expect.stringContaining('20260101000000_notes.sql is missing or changed'),
    })
    expect(tenants[0].differences[0]).toMatchObject({ kind: 'extra', name: 'extra' })
  })

  it('is part of the report of a rehearsal', async () => {
    const [, b] = await world('rehearsed')
    await ask(at, b, 'alter table notes add column stars int')
    const next = { file: '20260102000000_more.sql', sql: 'alter table notes add column more int;' }
    const { tenants } = await call('rehearsed', 'rehearse', { steps: [NOTES, next] })
    expect(tenants.map((one: Json) => one.drift.map(({ name }: Json) => name))).toEqual([
      [],
      ['notes.stars'],
    ])
  })
})

describe('a generated step', () => {
  it('contains what changed in the template, and brings it to a tenant', async () => {
    const [a] = await world('made')
    await ask(
      at,
      'made',
      'alter table notes add column stars int not null default 0; create policy all_read on notes for select using (stars > 1)',
    )
    const made = await call('made', 'generate', { steps: [NOTES] })
    expect(made).toMatchObject({ destroys: [], held_back: 0, rename_candidates: [] })
    const step = { file: '20260102000000_stars.sql', sql: made.sql }
    const steps = [NOTES, step]
    expect(await call('made', 'record', { steps, version: '20260102000000' })).toMatchObject({
      group: 'made',
    })
    const report = await call('made', 'apply', { steps, tenants: [a] })
    expect(report).toMatchObject({ ok: true, template: { applied: [] } })
    expect(report.tenants[0].applied).toEqual(['20260102000000'])
    const after = await drift('made', steps)
    expect([after.template.differences, after.tenants[0].differences]).toEqual([[], []])
    expect(await call('made', 'generate', { steps })).toMatchObject({ statements: 0, sql: '' })
  })

  it('holds back what destroys data, and offers renames', async () => {
    await world('lossy')
    await ask(at, 'lossy', 'alter table notes rename column body to text')
    const steps = [NOTES]
    const candidate = { kind: 'column', from: 'notes.body', to: 'notes.text' }
    const held = await call('lossy', 'generate', { steps })
    expect(held).toMatchObject({ held_back: 1, rename_candidates: [candidate] })
    expect(held.destroys[0].sql).toBe('alter table notes drop column body')
    expect(held.sql).toContain('generate a further step with --allow-destructive')
    const renamed = await call('lossy', 'generate', { steps, renames: [candidate] })
    expect(renamed).toMatchObject({ destroys: [], rename_candidates: [] })
    expect(renamed.sql).toBe('alter table notes rename column body to text;\n')
    const wrong = { ...candidate, from: 'notes.unknown' }
    expect(await call('lossy', 'generate', { steps, renames: [wrong] })).toMatchObject({
      status: 400,
    })
  })

  it('is refused while steps are pending, and for a step that fails in an empty project', async () => {
    await world('pending')
    const next = { file: '20260102000000_more.sql', sql: 'create table more (id int);' }
    const refused = await call('pending', 'generate', { steps: [NOTES, next] })
    expect(refused.status).toBe(409)
    expect(JSON.stringify(refused)).toContain('20260102000000_more.sql')
    await ask(at, 'pending', 'create table by_hand (id int)')
    const onHand = { file: '20260103000000_hand.sql', sql: 'alter table by_hand add column b int;' }
    await call('pending', 'apply', { steps: [NOTES, onHand] })
    const failed = await call('pending', 'generate', { steps: [NOTES, onHand] })
    expect(failed.status).toBe(409)
    expect(JSON.stringify(failed)).toContain('20260103000000_hand.sql:1 fails in an empty project')
  })

  it('is recorded only when it is the only pending step', async () => {
    await world('recorded')
    const next = { file: '20260102000000_more.sql', sql: 'create table more (id int);' }
    const version = '20260101000000'
    expect(await call('recorded', 'record', { steps: [NOTES, next], version })).toMatchObject({
      status: 409,
    })
  })
})
