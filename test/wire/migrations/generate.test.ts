// Generated steps over the emulator's own API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/fixture-folder.ts'
import { groupWith, migrate, NOTES } from '../../support/migrations.ts'
import type { TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

describe('a generated step', () => {
  it('contains the changes of the template, and makes the same changes in a tenant', async () => {
    await groupWith(at, 'made', ['made_a'])
    await ask(
      at,
      'made',
      'alter table notes add column stars int not null default 0; create policy all_read on notes for select using (stars > 1)',
    )
    const made = await migrate(at, 'made', 'generate', { steps: [NOTES] })
    expect(made).toMatchObject({ destroys: [], held_back: 0, rename_candidates: [] })
    const step = { file: '20260102000000_stars.sql', sql: made.sql }
    const steps = [NOTES, step]
    expect(await migrate(at, 'made', 'record', { steps, version: '20260102000000' })).toMatchObject(
      {
        group: 'made',
      },
    )
    const report = await migrate(at, 'made', 'apply', { steps, tenants: ['made_a'] })
    expect(report).toMatchObject({ ok: true, template: { applied: [] } })
    expect(report.tenants[0].applied).toEqual(['20260102000000'])
    const after = await migrate(at, 'made', 'drift', { steps })
    expect([after.template.differences, after.tenants[0].differences]).toEqual([[], []])
    expect(await migrate(at, 'made', 'generate', { steps })).toMatchObject({
      statements: 0,
      sql: '',
    })
  })

  it('leaves out destructive statements, and suggests renames', async () => {
    await groupWith(at, 'lossy')
    await ask(at, 'lossy', 'alter table notes rename column title to text')
    const steps = [NOTES]
    const candidate = { kind: 'column', from: 'notes.title', to: 'notes.text' }
    const held = await migrate(at, 'lossy', 'generate', { steps })
    expect(held).toMatchObject({ held_back: 1, rename_candidates: [candidate] })
    expect(held.destroys[0].sql).toBe('alter table notes drop column title')
    expect(held.sql).toContain('generate a further step with --allow-destructive')
    const renamed = await migrate(at, 'lossy', 'generate', { steps, renames: [candidate] })
    expect(renamed).toMatchObject({ destroys: [], rename_candidates: [] })
    expect(renamed.sql).toBe('alter table notes rename column title to text;\n')
    const wrong = { ...candidate, from: 'notes.unknown' }
    expect(await migrate(at, 'lossy', 'generate', { steps, renames: [wrong] })).toMatchObject({
      status: 400,
    })
  })

  it('is refused while steps are pending, and when an earlier step fails in an empty project', async () => {
    await groupWith(at, 'pending')
    const next = { file: '20260102000000_more.sql', sql: 'create table more (id int);' }
    const refused = await migrate(at, 'pending', 'generate', { steps: [NOTES, next] })
    expect(refused.status).toBe(409)
    expect(JSON.stringify(refused)).toContain('20260102000000_more.sql')
    await ask(at, 'pending', 'create table by_hand (id int)')
    const onHand = { file: '20260103000000_hand.sql', sql: 'alter table by_hand add column b int;' }
    await migrate(at, 'pending', 'apply', { steps: [NOTES, onHand] })
    const failed = await migrate(at, 'pending', 'generate', { steps: [NOTES, onHand] })
    expect(failed.status).toBe(409)
    expect(JSON.stringify(failed)).toContain('20260103000000_hand.sql:1 fails in an empty project')
  })

  it('is recorded only when it is the only pending step', async () => {
    await groupWith(at, 'recorded')
    const next = { file: '20260102000000_more.sql', sql: 'create table more (id int);' }
    const version = '20260101000000'
    expect(
      await migrate(at, 'recorded', 'record', { steps: [NOTES, next], version }),
    ).toMatchObject({
      status: 409,
    })
  })
})
