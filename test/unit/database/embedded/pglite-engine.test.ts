// Behaviour that only the embedded engine has: it moves SQL's time, runs platform work in its single database, and reports its
// memory.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { epochMillis, toIso } from '../../../../emulator/core/time.ts'
import type { Engine, WorkResult } from '../../../../emulator/database/engine.ts'
import { type Sql, sql } from '../../../../emulator/database/sql.ts'
import {
  admin,
  createTestTenant,
  lastCell,
  openEmbeddedEngine,
  runAsRole,
} from '../../../support/test-engine.ts'

const TENANT = 'proj_pipeline'
let engine: Engine

beforeAll(async () => {
  engine = (await openEmbeddedEngine()).engine
  await createTestTenant(engine, TENANT)
})

afterAll(() => engine.close())

const asAnon = (statements: readonly Sql[]): Promise<WorkResult> =>
  runAsRole(engine, TENANT, 'anon', statements)

describe('admin', () => {
  it('fences a new schema before any other work runs', async () => {
    const making = admin(
      engine,
      'cluster',
      'create schema proj_fresh; create table proj_fresh.t (); grant usage on schema proj_fresh to public; grant select on proj_fresh.t to public',
    )
    const reading = asAnon([sql`select from proj_fresh.t`])
    await making
    await expect(reading).rejects.toMatchObject({ code: '42501' })
  })
})

describe('the files of the engine’s package', () => {
  it('give time zones, with their rules, and the scripts of extensions', async () => {
    const rule = sql`select to_json(timestamptz '2026-07-01 12:00Z' at time zone 'Australia/Lord_Howe')#>>'{}'`
    expect(lastCell(await asAnon([rule]))).toBe('2026-07-01T22:30:00')
    const counts = sql`select to_json(count(*) > 500)#>>'{}' from pg_timezone_names`
    expect(lastCell(await asAnon([counts]))).toBe('true')
    const scripts = sql`select to_json(count(*))#>>'{}' from pg_available_extension_versions where name = 'plpgsql'`
    expect(lastCell(await asAnon([scripts]))).toBe('1')
  })
})

describe('setTime', () => {
  const now = async () =>
    lastCell(await asAnon([sql`select to_json(now() at time zone 'UTC')#>>'{}'`]))

  it.each([
    ['frozen', { kind: 'frozen', at: epochMillis(1_000_000_000_000) } as const],
    ['set back', { kind: 'frozen', at: epochMillis(-1_000_000_000_000) } as const],
  ])('stops SQL’s time after the time was %s', async (_name, time) => {
    await engine.setTime(time)
    expect(`${await now()}Z`).toBe(toIso(time.at).replace('.000Z', 'Z'))
    await engine.setTime({ kind: 'offset', offsetMillis: 0 })
  })

  it('shifts SQL’s time by an offset', async () => {
    const before = Date.parse(`${await now()}Z`)
    await engine.setTime({ kind: 'offset', offsetMillis: 365 * 86_400_000 })
    const after = Date.parse(`${await now()}Z`)
    expect(after - before).toBeGreaterThanOrEqual(365 * 86_400_000)
    expect(after - before).toBeLessThan(366 * 86_400_000)
    await engine.setTime({ kind: 'offset', offsetMillis: 0 })
  })
})

describe('stats', () => {
  it('reports queue, heap, restarts and missing capabilities', () => {
    expect(engine.stats()).toEqual({
      queued: 0,
      submitted: expect.any(Number),
      isIdle: true,
      heapBytes: expect.any(Number),
      restarts: 0,
      waitingShare: expect.any(Number),
      degraded: [],
    })
  })
})
