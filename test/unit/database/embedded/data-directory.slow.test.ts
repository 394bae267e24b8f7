import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../../emulator/database/engine.ts'
import { sql, verbatim } from '../../../../emulator/database/sql.ts'
import {
  createTestTenant,
  lastCell,
  type OpenedTestEngine,
  openEmbeddedEngine,
  runAsRole,
} from '../../../support/test-engine.ts'

const TENANT = 'proj_kept'
const UNSTOPPABLE = `do $$begin loop begin perform pg_sleep(1); exception when query_canceled then null; end; end loop; end$$`
const folder = mkdtempSync(join(tmpdir(), 'tenantry-engine-'))
let opened: OpenedTestEngine

beforeAll(async () => {
  opened = await openEmbeddedEngine({ dataDir: folder })
  await createTestTenant(opened.engine, TENANT)
})

afterAll(async () => {
  await opened.engine.close()
  rmSync(folder, { recursive: true, force: true })
})

const countNotes = async (engine: Engine) =>
  lastCell(await runAsRole(engine, TENANT, 'anon', [sql`select count(*) from notes`]))

describe('an engine on a data directory', () => {
  it('ends a statement that cannot be cancelled, keeps committed data and keeps running', async () => {
    const { engine, observed } = opened
    const stuck = runAsRole(engine, TENANT, 'anon', [sql`${verbatim(UNSTOPPABLE)}`], {
      timeoutMillis: 500,
    })
    const behind = countNotes(engine)
    await expect(stuck).rejects.toMatchObject({ code: '57P02' })
    expect(await behind).toBe('2')
    expect(engine.stats().restarts).toBe(1)
    expect(observed.map(({ kind }) => kind)).toContain('engineRestarted')
  })

  it('still refuses access to other tenants after a restart', async () => {
    const work = runAsRole(opened.engine, 'proj_else', 'anon', [sql`select * from proj_kept.notes`])
    await expect(work).rejects.toMatchObject({ code: '42501' })
  })

  it('opens with its rows beside a stale postmaster.pid', async () => {
    await opened.engine.close()
    writeFileSync(join(folder, 'postmaster.pid'), 'left behind')
    opened = await openEmbeddedEngine({ dataDir: folder })
    expect(await countNotes(opened.engine)).toBe('2')
  })

  it('finishes queued work before it closes', async () => {
    const work = runAsRole(opened.engine, TENANT, 'anon', [
      sql`select pg_sleep(0.2)`,
      sql`insert into notes (body) values ('last')`,
    ])
    await opened.engine.close()
    await work
    opened = await openEmbeddedEngine({ dataDir: folder })
    expect(await countNotes(opened.engine)).toBe('3')
  })

  it('refuses work after it was closed', async () => {
    const other = await openEmbeddedEngine()
    await other.engine.close()
    await expect(countNotes(other.engine)).rejects.toMatchObject({ code: '57P02' })
  })
})

describe('an engine in memory', () => {
  it('reports that its data is lost after a forced restart', async () => {
    const { engine } = await openEmbeddedEngine()
    await createTestTenant(engine, TENANT)
    const stuck = runAsRole(engine, TENANT, 'anon', [sql`${verbatim(UNSTOPPABLE)}`], {
      timeoutMillis: 500,
    })
    await expect(stuck).rejects.toMatchObject({
      code: '57P02',
      message: expect.stringContaining('in-memory database was lost'),
    })
    await engine.close()
  })

  it('returns the same random values for the same seed', async () => {
    const draw = async () => {
      const { engine } = await openEmbeddedEngine({ seed: 'same' })
      const drawn = await runAsRole(engine, TENANT, 'anon', [
        sql`select gen_random_uuid() || ' ' || random()`,
      ])
      await engine.close()
      return lastCell(drawn)
    }
    expect(await draw()).toBe(await draw())
  })
})
