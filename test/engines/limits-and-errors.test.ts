// Deadlines, settings, limits of results, notices and errors of a tenant's work (database/engine.ts). A deadline, a signal or
// deep recursion ends one statement, but never the queued work after it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Engine,
  RESULT_TOO_LARGE,
  rowsLeftOut,
  type TenantWork,
  type WorkResult,
} from '../../emulator/database/engine.ts'
import { type Sql, sql, tenantScript, verbatim } from '../../emulator/database/sql.ts'
import {
  createTestTenant,
  lastCell,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../support/test-engine.ts'

const TENANT = 'proj_limits'
let engine: Engine
beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await createTestTenant(engine, TENANT)
})
afterAll(() => engine.close())

const asAnon = (statements: readonly Sql[], extra: Partial<TenantWork> = {}): Promise<WorkResult> =>
  runAsRole(engine, TENANT, 'anon', statements, extra)
const asOwner = (text: string, extra: Partial<TenantWork>): Promise<WorkResult> =>
  runAsRole(engine, TENANT, `${TENANT}_owner`, tenantScript(text), extra)

describe('the role of work', () => {
  it.each([
    'anon',
    'authenticated',
    'service_role',
    'auth_admin',
    `${TENANT}_owner`,
    `rt_${TENANT}`,
  ])('is the requested role %s', async (role) => {
    const result = await runAsRole(engine, TENANT, role, [sql`select current_user`])
    expect(lastCell(result)).toBe(role)
  })

  it.each(['proj_else_owner', 'rt_proj_else', 'postgres', 'unknown'])(
    'is refused when it does not belong to the tenant: %s',
    async (role) => {
      const work = runAsRole(engine, TENANT, role, [sql`select 1`])
      await expect(work).rejects.toMatchObject({ code: '42501' })
    },
  )
})

describe('settings', () => {
  it('apply in their order, before the first statement', async () => {
    const settings = { search_path: TENANT, 'app.kept': 'first', 'app.Kept': 'second' }
    const result = await asAnon(
      [sql`select current_setting('app.kept') || ' ' || (select count(*) from notes)`],
      { settings },
    )
    expect(lastCell(result)).toBe('second 2')
  })

  it('end with the work', async () => {
    await asAnon([sql`select 1`], { settings: { 'app.secret': 'x', work_mem: '5MB' } })
    const result = await asAnon([
      sql`select coalesce(current_setting('app.secret', true), '') || current_setting('work_mem')`,
    ])
    expect(lastCell(result)).not.toContain('x')
    expect(lastCell(result)).not.toContain('5MB')
  })

  it('fail the work when a setting is invalid, and no statement takes effect', async () => {
    const work = asAnon([sql`insert into notes (owner) values ('never')`], {
      settings: { search_path: TENANT, work_mem: 'much' },
    })
    await expect(work).rejects.toMatchObject({ code: '22023' })
    const found = await asAnon([sql`select count(*) from notes where owner = 'never'`])
    expect(lastCell(found)).toBe('0')
  })
})

describe('a result', () => {
  const rows = sql`select repeat('x', 100) from generate_series(1, 100)`

  it('omits rows beyond the limit of all statements together, and commits', async () => {
    const { results, committed } = await asAnon([rows, rows], { maxResultBytes: 12_000 })
    const [first, second] = results
    expect(rowsLeftOut(first)).toBe(0)
    expect(second?.commandTag).toBe('SELECT 100')
    expect(second?.rows.length).toBeLessThan(30)
    expect(committed).toBe(true)
  })

  it('beyond the limit fails work that refuses large results, and nothing is committed', async () => {
    const work = asAnon([sql`insert into notes (owner) values ('large')`, rows], {
      maxResultBytes: 1_000,
      refusesLargeResults: true,
    })
    await expect(work).rejects.toMatchObject({ code: RESULT_TOO_LARGE })
    const found = await asAnon([sql`select count(*) from notes where owner = 'large'`])
    expect(lastCell(found)).toBe('0')
  })

  it('within the limit is complete', async () => {
    const { results } = await asAnon([rows], { maxResultBytes: 1 << 20, refusesLargeResults: true })
    expect(results[0]?.rows).toHaveLength(100)
  })
})

describe('an error of a script', () => {
  it('has its position in the script and the number of completed statements', async () => {
    const work = asOwner('select 1;\nselect 2;\nselect missing', {})
    await expect(work).rejects.toMatchObject({
      code: '42703',
      facts: { position: 28, statementsDone: 2 },
    })
  })

  it('includes the notices that came before it', async () => {
    const work = asOwner("do $$ begin raise notice 'before'; end $$; select 1/0", {})
    await expect(work).rejects.toMatchObject({
      code: '22012',
      facts: { notices: [expect.objectContaining({ severity: 'NOTICE', message: 'before' })] },
    })
  })

  it('is returned for COPY from the client, and leaves the session usable', async () => {
    const work = asOwner('copy notes from stdin; select 1', {})
    await expect(work).rejects.toMatchObject({ code: '57014' })
    expect(lastCell(await runAsOwner(engine, TENANT, 'select 1'))).toBe('1')
  })
})

describe('notices', () => {
  it('are limited to one megabyte when results are limited', async () => {
    const { notices } = await asOwner(
      `do $$ begin for round in 1 .. 40 loop raise notice '%', repeat('x', 100000); end loop; end $$`,
      { maxResultBytes: 1 << 20 },
    )
    expect(notices.length).toBeGreaterThan(0)
    expect(notices.length).toBeLessThan(20)
  })
})

describe('a change of the schema', () => {
  const changes: boolean[] = []
  beforeAll(() => {
    engine.changes.watch({
      onCommit: ({ isSchemaChanged }) => {
        changes.push(isSchemaChanged)
        return undefined
      },
      onMissed: () => undefined,
    })
  })
  const DDL = 'create table changed (); drop table changed'

  it.each([
    ['is reported before the work resolves', DDL, {}, [true]],
    ['is not reported when it is rolled back', DDL, { end: 'rollback' } as const, []],
    [
      'is not reported by work that fires no event triggers',
      DDL,
      { firesNoEventTriggers: true },
      [],
    ],
    ['is not reported by work without one', 'select 1', {}, []],
  ])('%s', async (_title, text, extra, expected) => {
    changes.length = 0
    await asOwner(text, extra)
    expect(changes).toEqual(expected)
  })
})

describe('deadlines and abort signals', () => {
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

  it('do not cancel the next request', async () => {
    const requests = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? asAnon([sql`select pg_sleep(5)`], { timeoutMillis: 30 }).catch((error) => error.code)
        : asAnon([sql`select ${index}::integer`]).then(lastCell),
    )
    expect(await Promise.all(requests)).toEqual(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? '57014' : String(index))),
    )
  })

  it('do not count the time that a request waits in the queue', async () => {
    const slow = asAnon([sql`select pg_sleep(0.3)`])
    const quick = asAnon([sql`select 'done'`], { timeoutMillis: 100 })
    await slow
    expect(lastCell(await quick)).toBe('done')
  })

  it('cancel running and waiting requests whose signal is aborted', async () => {
    const running = new AbortController()
    const waiting = new AbortController()
    const first = asAnon([sql`select pg_sleep(30)`], { signal: running.signal })
    const second = asAnon([sql`select pg_sleep(30)`], { signal: waiting.signal })
    waiting.abort()
    running.abort()
    const refusal = { code: '57014', message: 'canceling statement due to user request' }
    await Promise.all([first, second].map((work) => expect(work).rejects.toMatchObject(refusal)))
  })

  it('cancel a request at any moment, without a restart of the engine', async () => {
    for (let round = 0; round < 60; round++) {
      const abort = new AbortController()
      const work = asAnon([sql`select 1`, sql`select pg_sleep(30)`], { signal: abort.signal })
      // With each turn of the event loop, the request has progressed further.
      for (let turn = 0; turn < round; turn++) await new Promise(setImmediate)
      abort.abort()
      await expect(work).rejects.toMatchObject({ code: '57014' })
    }
    expect(engine.stats().restarts).toBe(0)
  })

  it('do not replace a statement’s own error that has the same code', async () => {
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
  ])('causes an ordinary error: %s', async (_name, text) => {
    await expect(runAsOwner(engine, TENANT, text)).rejects.toMatchObject({ code: '54001' })
  })
})
