// Deadlines, signals and recursion end a statement, and never the work behind it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine, WorkResult } from '../../emulator/database/engine.ts'
import { type Sql, sql, verbatim } from '../../emulator/database/sql.ts'
import {
  createTestTenant,
  lastCell,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../support/test-engine.ts'

const TENANT = 'proj_deadline'
let engine: Engine

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await createTestTenant(engine, TENANT)
}, 60_000)

afterAll(() => engine.close())

const asAnon = (statements: readonly Sql[], extra = {}): Promise<WorkResult> =>
  runAsRole(engine, TENANT, 'anon', statements, extra)

describe('deadlines', () => {
  it.each([
    ['a plpgsql loop', 'do $$begin loop null; end loop; end$$'],
    [
      'a loop that catches everything',
      'do $$begin loop begin perform 1/0; exception when others then null; end; end loop; end$$',
    ],
    ['pg_sleep', 'select pg_sleep(30)'],
    [
      'a cross join',
      'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b',
    ],
    [
      'an endless recursion',
      'with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r',
    ],
  ])('cancel %s', async (_name, text) => {
    const work = asAnon([sql`${verbatim(text)}`], { timeoutMillis: 150 })
    await expect(work).rejects.toMatchObject({
      code: '57014',
      message: 'canceling statement due to statement timeout',
    })
  })

  it('never hit the request behind', async () => {
    const requests = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? asAnon([sql`select pg_sleep(5)`], { timeoutMillis: 30 }).catch((error) => error.code)
        : asAnon([sql`select ${index}::integer`]).then(lastCell),
    )
    expect(await Promise.all(requests)).toEqual(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? '57014' : String(index))),
    )
  })

  it('are counted from the start of the request, not from its arrival', async () => {
    const slow = asAnon([sql`select pg_sleep(0.3)`])
    const quick = asAnon([sql`select 'done'`], { timeoutMillis: 100 })
    await slow
    expect(lastCell(await quick)).toBe('done')
  })

  it('cancel for an aborted signal, running or waiting', async () => {
    const running = new AbortController()
    const waiting = new AbortController()
    const first = asAnon([sql`select pg_sleep(30)`], { signal: running.signal })
    const second = asAnon([sql`select pg_sleep(30)`], { signal: waiting.signal })
    waiting.abort()
    running.abort()
    const refusal = { code: '57014', message: 'canceling statement due to user request' }
    await Promise.all([first, second].map((work) => expect(work).rejects.toMatchObject(refusal)))
  })

  it('cancel at whatever moment of a request they come, without a restart', async () => {
    for (let round = 0; round < 60; round++) {
      const abort = new AbortController()
      const work = asAnon([sql`select 1`, sql`select pg_sleep(30)`], { signal: abort.signal })
      // Each turn of the loop is a moment further into the request.
      for (let turn = 0; turn < round; turn++) await new Promise(setImmediate)
      abort.abort()
      await expect(work).rejects.toMatchObject({ code: '57014' })
    }
    expect(engine.stats().restarts).toBe(0)
  })

  it('leave an error of the same code alone', async () => {
    const work = asAnon([sql`do $$begin raise sqlstate '57014' using message = 'mine'; end$$`])
    await expect(work).rejects.toMatchObject({ code: '57014', message: 'mine' })
  })
})

describe('deep recursion', () => {
  it.each([
    [
      'plpgsql',
      `create function deep() returns integer language plpgsql as 'begin return deep(); end'; select deep()`,
    ],
    ['an expression', `select ${'1+'.repeat(100_000)}1`],
  ])('is an ordinary error: %s', async (_name, text) => {
    await expect(runAsOwner(engine, TENANT, text)).rejects.toMatchObject({ code: '54001' })
  })
})
