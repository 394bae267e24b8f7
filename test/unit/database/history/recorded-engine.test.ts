// HistoryRecorder beside the embedded engine: what happens to the history of a project that is dropped or created again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import type { Engine } from '../../../../emulator/database/engine.ts'
import { HistoryRecorder } from '../../../../emulator/database/history/recorded-engine.ts'
import {
  admin,
  createTestTenant,
  openEmbeddedEngine,
  runAsOwner,
} from '../../../support/test-engine.ts'

const failures: unknown[] = []
let raw: Engine
let engine: Engine
beforeAll(async () => {
  raw = (await openEmbeddedEngine()).engine
  const recorder = new HistoryRecorder({
    engine: raw,
    clock: { now: () => 0 as never },
    bounds: { mostBytes: 1 << 30, mostDays: 7 },
    onFailure: (_, error) => failures.push(error),
  })
  engine = recorder.engine
  await createTestTenant(engine, 'proj_kept')
})
afterAll(() => raw.close())

const count = (table: string): Promise<string | undefined> =>
  admin(raw, 'cluster', `select count(*) from platform.${table}`)

describe('the history of a dropped project', () => {
  it('is deleted with the project, and the other projects keep theirs', async () => {
    const before = [await count('history_entries'), await count('history_tables')]
    await createTestTenant(engine, 'proj_gone')
    expect(await count('history_entries')).not.toBe(before[0])
    await engine.projects.drop(trusted.schemaName('proj_gone'))
    expect([await count('history_entries'), await count('history_tables')]).toEqual(before)
  })

  it('begins again for a project of the same name', async () => {
    await createTestTenant(engine, 'proj_gone')
    await runAsOwner(engine, 'proj_gone', `update notes set body = 'again'`)
    const kinds = await admin(
      raw,
      'cluster',
      `select string_agg(kind::text, '' order by id) from platform.history_entries
        where relation in (select relation from platform.history_tables where project = 'proj_gone'::regnamespace)`,
    )
    expect(kinds).toBe('IIOONN')
  })

  it('causes no failure', () => {
    expect(failures).toEqual([])
  })
})
