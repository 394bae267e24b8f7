// Repeated rehearsals do not make the catalogues of the embedded database grow.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import type { Engine } from '../../../../emulator/database/engine.ts'
import type { EngineRehearsals, RehearsalResult } from '../../../../emulator/database/rehearsal.ts'
import { tenantScript } from '../../../../emulator/database/sql.ts'
import { admin, createTestTenant, openEmbeddedEngine } from '../../../support/test-engine.ts'

let engine: Engine & EngineRehearsals
beforeAll(async () => {
  engine = (await openEmbeddedEngine()).engine
  await createTestTenant(engine, 'proj_x')
})
afterAll(() => engine.close())

function rehearse(text: string): Promise<RehearsalResult> {
  return engine.rehearse({
    actor: { schemaName: trusted.schemaName('proj_x'), role: trusted.roleName('proj_x_owner') },
    settings: { search_path: 'proj_x, extensions' },
    scripts: [tenantScript(text)],
    before: [],
    after: [],
    maxResultBytes: 1 << 20,
    timeoutMillis: 8_000,
  })
}

describe('rehearsals', () => {
  it('do not make the catalogue grow when they are repeated', async () => {
    const columns = Array.from({ length: 100 }, (_, index) => `c${index} int`).join(', ')
    const size = async () =>
      Number(await admin(engine, 'cluster', "select pg_relation_size('pg_attribute')"))
    const repeat = async () => {
      for (let run = 0; run < 80; run += 1) await rehearse(`create table wide (${columns})`)
    }
    await repeat()
    const once = await size()
    await repeat()
    expect(await size()).toBeLessThan(1.25 * once)
  })

  it('are cleaned up in separate jobs, and report the duration of these jobs', async () => {
    const before = engine.stats().submitted
    const rehearsed: RehearsalResult[] = []
    for (let run = 0; run < 12; run += 1) rehearsed.push(await rehearse('create table made ()'))
    const cleanUps = rehearsed.filter(({ cleanUpMillis }) => cleanUpMillis > 0)
    expect(cleanUps.length).toBeGreaterThan(0)
    expect(engine.stats().submitted - before).toBe(rehearsed.length + cleanUps.length)
  })
})
