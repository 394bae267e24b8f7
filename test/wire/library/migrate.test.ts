// `emulator.migrate()` runs the steps of an application's folder in an emulator of this process.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from '../../../emulator/index.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import { TEST_ENGINE } from '../../support/engine-of-run.ts'
import { writeFixture } from '../../support/fixture-folder.ts'

const root = temporaryFolder()
let emulator: Emulator
beforeAll(async () => {
  emulator = await createEmulator(TEST_ENGINE)
  const fixture = {
    'fixture.yaml': 'groups: [{ name: A, template: { slug: a }, tenants: [{ slug: one }] }]\n',
  }
  await emulator.applyFixture(writeFixture(root.path, fixture))
})
afterAll(async () => {
  await emulator.close()
  root.remove()
})

describe('emulator.migrate', () => {
  it('applies a folder of steps to the template and to the tenants that the call names', async () => {
    const folder = writeFixture(root.path, {
      'steps/20260101000000_notes.sql': 'create table notes (id int primary key);\n',
    })
    const dir = join(folder, 'steps')
    expect(await emulator.migrate({ dir })).toMatchObject({
      ok: true,
      template: { slug: 'a', applied: ['20260101000000'] },
      tenants: [],
    })
    expect(await emulator.migrate({ dir, tenants: ['one'] })).toMatchObject({
      template: { applied: [] },
      tenants: [{ slug: 'one', applied: ['20260101000000'] }],
    })
    const one = await emulator.tenant('one')
    expect(await one.sql('select count(*) as count from notes')).toEqual([{ count: '0' }])
  })

  it('throws with the file, the line and the reason of a failed step', async () => {
    const steps = [
      { file: '20260101000000_notes.sql', sql: 'create table notes (id int primary key);\n' },
      { file: '20260102000000_wrong.sql', sql: '\nalter table note add x int;\n' },
    ]
    await expect(emulator.migrate({ group: 'A', steps })).rejects.toThrow(
      'a: 20260102000000_wrong.sql:2: relation "note" does not exist (42P01)',
    )
  })
})
