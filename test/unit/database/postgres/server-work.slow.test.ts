// Behaviour of the server engine that the suite of all engines does not test. Covers sessions that serve several pieces of work
// in turn, parallel work, and connections that end.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import {
  type Answer,
  cellText,
  SqlError,
  type TenantWork,
  type WorkResult,
} from '../../../../emulator/database/engine.ts'
import type { PostgresEngine } from '../../../../emulator/database/postgres/postgres-engine.ts'
import { type Sql, script, sql, tenantScript, verbatim } from '../../../../emulator/database/sql.ts'
import { noNativeServer } from '../../../support/native-server.ts'
import {
  createNotes,
  startServerForEngines,
  type TestServer,
} from '../../../support/server-engine.ts'
import { lastCell, runAsOwner, runAsRole } from '../../../support/test-engine.ts'
import { until, untilAsync } from '../../../support/until.ts'

const TENANT = trusted.schemaName('proj_shared')
const OTHER = trusted.schemaName('proj_other')
let made: TestServer
let engine: PostgresEngine

const isSkipped = noNativeServer !== undefined

beforeAll(async () => {
  if (isSkipped) return
  made = await startServerForEngines()
  engine = await made.openEngine()
  await createNotes(engine, TENANT)
  await createNotes(engine, OTHER)
})
afterAll(() => made?.close())

const asAnon = (statements: readonly Sql[], extra: Partial<TenantWork> = {}): Promise<WorkResult> =>
  runAsRole(engine, TENANT, 'anon', statements, extra)
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: SqlError) => error.code,
  )
const cells = (answers: readonly Answer[]): readonly (string | undefined)[] =>
  answers.map((answer) => (answer instanceof SqlError ? answer.code : cellText(answer[0]?.[0])))

describe.skipIf(isSkipped)('a session', () => {
  it('resets settings and releases locks that a function left behind', async () => {
    await asAnon([
      sql`select set_config('work_mem', '5MB', false), set_config('app.kept', 'x', false),
        pg_advisory_lock(7)`,
    ])
    const found = await asAnon([
      sql`select current_setting('work_mem') || current_setting('app.kept', true)`,
    ])
    expect(lastCell(found)).toBe('4MB')
    const locks = sql`select from pg_locks where locktype = 'advisory'`
    await untilAsync(
      async () => (await engine.admin(TENANT, script([locks])))[0]?.rows.length === 0,
    )
  })

  it('can write after a function made later transactions read-only', async () => {
    await asAnon([sql`select set_config('default_transaction_read_only', 'on', false)`])
    const added = sql`insert into notes (owner) values ('after') returning owner`
    expect(lastCell(await asAnon([added]))).toBe('after')
  })

  it('resets settings and drops temporary tables of a script, also after an error', async () => {
    const leaving = `set work_mem = '5MB'; create temporary table passing (); begin; select 1/0`
    expect(await codeOf(runAsOwner(engine, TENANT, leaving))).toBe('22012')
    const found = await runAsOwner(
      engine,
      TENANT,
      `select current_setting('work_mem') || coalesce(to_regclass('passing')::text, 'none')`,
    )
    expect(lastCell(found)).toBe('4MBnone')
  })

  it('repeats work whose prepared statement is gone or no longer fits its table', async () => {
    await runAsOwner(engine, TENANT, 'create table changing (a int)')
    const read = () => asAnon([sql`select * from changing`])
    for (let time = 0; time < 3; time++) await read()
    await runAsOwner(engine, TENANT, 'alter table changing add column b int')
    expect((await read()).results[0]?.fields).toHaveLength(2)
    await asAnon([sql`do $$ begin execute 'deallocate all'; end $$`])
    expect((await read()).committed).toBe(true)
  })

  it('starts although the owner changed the settings of its login', async () => {
    const change = `set role none; alter role current_user password 'other';
      alter role current_user set role = 'anon'; alter role current_user set default_transaction_read_only = on`
    await runAsOwner(engine, TENANT, change)
    const reopen = await engine.room.evict(TENANT)
    reopen()
    const found = await runAsOwner(
      engine,
      TENANT,
      'create table if not exists again (); select current_user',
    )
    expect(lastCell(found)).toBe('proj_shared_owner')
  })

  it('cannot become another role', async () => {
    const roles = [
      'service_role',
      'proj_shared_owner',
      'proj_other_owner',
      made.server.address.user,
    ]
    for (const role of roles)
      expect(await codeOf(asAnon([verbatim(`select set_config('role', '${role}', true)`)]))).toBe(
        '42501',
      )
    expect(lastCell(await asAnon([sql`select current_user`]))).toBe('anon')
  })
})

describe.skipIf(isSkipped)('statements', () => {
  it.each([
    [sql`copy notes from stdin`, '57014'],
    [sql`do $$ begin commit; end $$`, '2D000'],
    [sql`select 1; select 2`, '42601'],
  ])('are refused when they would break the message exchange: $text', async (statement, code) => {
    expect(await codeOf(asAnon([statement]))).toBe(code)
    expect(lastCell(await asAnon([sql`select 'usable'`]))).toBe('usable')
  })

  it.each([{}, { end: 'rollback' as const }, { mode: 'readOnly' as const }])(
    'do not run when a setting is refused: %o',
    async (extra) => {
      const settings = { TimeZone: 'Nowhere/Land' }
      await expect(asAnon([sql`select 1`], { settings, ...extra })).rejects.toMatchObject({
        code: '22023',
        message: 'invalid value for setting "TimeZone"',
      })
      expect(lastCell(await asAnon([sql`select 'usable'`]))).toBe('usable')
    },
  )

  it('run with the isolation level of the settings', async () => {
    const settings = { transaction_isolation: 'serializable', role: 'anon' }
    const found = await asAnon([sql`select current_setting('transaction_isolation')`], { settings })
    expect(lastCell(found)).toBe('serializable')
  })

  it('accept more settings than a function can have arguments', async () => {
    const settings = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`app.s${index}`, `${index}`]),
    )
    const found = await asAnon([sql`select current_setting('app.s119')`], { settings })
    expect(lastCell(found)).toBe('119')
  })
})

describe.skipIf(isSkipped)('work', () => {
  it('is not delayed by slow work of its own project or of other projects', async () => {
    const slow = asAnon([sql`select pg_sleep(0.5)`]).then(() => 'slow')
    const quick = asAnon([sql`select 1`]).then(() => 'quick')
    const other = runAsRole(engine, OTHER, 'anon', [sql`select 1`]).then(() => 'quick')
    expect(await Promise.race([slow, quick])).toBe('quick')
    expect(await Promise.race([slow, other])).toBe('quick')
    await slow
  })

  it('fails in one of two deadlocked requests, and succeeds in the other request', async () => {
    await runAsOwner(
      engine,
      TENANT,
      `create table pairs as select id, 0 as n from generate_series(1, 2) id; grant all on pairs to anon`,
    )
    const update = (id: number) => sql`update pairs set n = n + 1 where id = ${id}::int`
    const both = (first: number, second: number) =>
      codeOf(asAnon([update(first), sql`select pg_sleep(0.1)`, update(second)]))
    expect((await Promise.all([both(1, 2), both(2, 1)])).sort()).toEqual(['40P01', 'done'])
  })

  it('leaves free connections for other projects', async () => {
    const small = await made.openEngine({ connections: 2, perProject: 1, queueMillis: 10_000 })
    const slow = Array.from({ length: 3 }, () =>
      runAsRole(small, TENANT, 'anon', [sql`select pg_sleep(0.3)`]),
    )
    const other = runAsRole(small, OTHER, 'anon', [sql`select 'quick'`])
    expect(lastCell(await Promise.race([...slow, other]))).toBe('quick')
    await Promise.all(slow)
    await small.close()
  })

  it('takes turns when fewer connections than logins exist', async () => {
    const small = await made.openEngine({ connections: 1, perProject: 1, queueMillis: 10_000 })
    const order: string[] = []
    const run = async (role: string, schemaName: string) => {
      await runAsRole(small, schemaName, role, [sql`select 1`])
      order.push(role)
    }
    const flood = Array.from({ length: 4 }, () => run('anon', TENANT))
    await Promise.all([...flood, run('service_role', OTHER), run('authenticated', OTHER)])
    expect(order.at(-1)).toBe('anon')
    expect(order).toHaveLength(6)
    await small.close()
  })

  it('is refused when no connection is free in time, and can be withdrawn', async () => {
    const small = await made.openEngine({ connections: 1, perProject: 1, queueMillis: 200 })
    await runAsRole(small, TENANT, 'anon', [sql`select 1`])
    const running = runAsRole(small, TENANT, 'anon', [sql`select pg_sleep(0.6)`])
    const abort = new AbortController()
    const withdrawn = runAsRole(small, TENANT, 'anon', [sql`select 1`], { signal: abort.signal })
    const late = runAsRole(small, TENANT, 'anon', [sql`select 1`])
    abort.abort()
    await expect(withdrawn).rejects.toMatchObject({ code: '57014' })
    await expect(late).rejects.toMatchObject({ code: '53300', retryAfterSeconds: 5 })
    await running
    await small.close()
  })
})

describe.skipIf(isSkipped)('a cancel', () => {
  it('ends its work at any moment, and ends no other work', async () => {
    for (let round = 0; round < 30; round++) {
      const abort = new AbortController()
      const work = asAnon([sql`select 1`, sql`select pg_sleep(30)`], { signal: abort.signal })
      for (let turn = 0; turn < round; turn++) await new Promise(setImmediate)
      abort.abort()
      expect(await codeOf(work)).toBe('57014')
      expect(await codeOf(asAnon([sql`select pg_sleep(0.001)`]))).toBe('done')
    }
    await until(() => engine.stats().isIdle)
  })

  it('ends a list of queries, and keeps the results before the cancel', async () => {
    const answers = await engine.ask({
      actor: { schemaName: TENANT, role: 'anon' },
      settings: { search_path: TENANT },
      statement: sql`select pg_sleep(case current_setting('app.me') when '2' then 60 else 0 end)`,
      questions: Array.from({ length: 20 }, (_, index) => ({
        settings: { 'app.me': `${index}` },
        params: [],
      })),
      timeoutMillis: 200,
    })
    expect(cells(answers)).toEqual(['', '', '57014'])
  })
})

describe.skipIf(isSkipped)('a rehearsal', () => {
  it('leaves no sequence below its former value', async () => {
    const owner = trusted.roleName(`${TENANT}_owner`)
    const ids = async () =>
      Number(
        lastCell(await runAsOwner(engine, TENANT, 'insert into notes default values returning id')),
      )
    const before = await ids()
    const { scripts } = await engine.rehearse({
      actor: { schemaName: TENANT, role: owner },
      settings: { search_path: TENANT },
      scripts: [tenantScript(`select setval('notes_id_seq', 1)`)],
      before: [],
      after: [],
      maxResultBytes: 1_000,
      timeoutMillis: 8_000,
    })
    expect(scripts[0]?.error).toBeUndefined()
    expect(await ids()).toBe(before + 1)
  })
})

describe.skipIf(isSkipped)('a connection', () => {
  it('fails its work when it ends, and later work gets another connection', async () => {
    const ended = asAnon([sql`select pg_sleep(30)`]).catch((error: SqlError) => error)
    const terminate = sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`
    await until(() => engine.stats().queued === 1)
    const isEnded = async () =>
      (await engine.admin('cluster', script([terminate])))[0]?.rows.length === 1
    while (!(await isEnded())) await new Promise(setImmediate)
    expect(await ended).toMatchObject({ code: '57P02', retryAfterSeconds: 1 })
    expect(lastCell(await asAnon([sql`select 'again'`]))).toBe('again')
  })

  it('is not opened to a database while the database is copied', async () => {
    await Promise.all(Array.from({ length: 4 }, () => asAnon([sql`select pg_sleep(0.02)`])))
    const running = asAnon([sql`select pg_sleep(0.1)`]).then(() => 'ended')
    const comeBack = await engine.room.evict(TENANT)
    const waiting = asAnon([sql`select 1`]).then(() => 'ran')
    await engine.admin('cluster', script([verbatim(`create database copied template ${TENANT}`)]))
    expect(await Promise.race([waiting, running])).toBe('ended')
    comeBack()
    expect(await waiting).toBe('ran')
  })

  it('is refused for a project that does not exist', async () => {
    const nowhere = trusted.schemaName('proj_nowhere')
    expect(await codeOf(engine.admin(nowhere, script([sql`select`])))).toBe('3D000')
    expect(await codeOf(runAsRole(engine, nowhere, 'anon', [sql`select`]))).toBe('3D000')
  })

  it('is refused for all work that waited while its project was dropped', async () => {
    const doomed = trusted.schemaName('proj_doomed')
    await createNotes(engine, doomed)
    const dropped = engine.projects.drop(doomed)
    const work = Array.from({ length: 12 }, () =>
      codeOf(runAsRole(engine, doomed, 'anon', [sql`select`])),
    )
    await dropped
    expect(new Set(await Promise.all(work))).toEqual(new Set(['3D000']))
  })
})
