// A rehearsal runs an owner's scripts, answers questions before and after them, and leaves nothing behind
// (database/rehearsal.ts).

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../emulator/core/names.ts'
import type { Actor } from '../../emulator/core/principal.ts'
import { type Answer, cellText, type Engine, SqlError } from '../../emulator/database/engine.ts'
import type {
  EngineRehearsals,
  Rehearsal,
  RehearsalQuestions,
  RehearsalResult,
} from '../../emulator/database/rehearsal.ts'
import { type Sql, sql, tenantScript } from '../../emulator/database/sql.ts'
import { onlyEmbedded } from '../support/engine-of-run.ts'
import {
  createTestTenant,
  lastCell,
  OUT_OF_REACH,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../support/test-engine.ts'

const X = trusted.schemaName('proj_x')
let engine: Engine & EngineRehearsals
beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await createTestTenant(engine, 'proj_x')
  await createTestTenant(engine, 'proj_y')
})
afterAll(() => engine.close())

function rehearse(
  scripts: readonly string[],
  extra: Partial<Rehearsal> = {},
): Promise<RehearsalResult> {
  return engine.rehearse({
    actor: { schemaName: X, role: trusted.roleName('proj_x_owner') },
    settings: { search_path: 'proj_x, extensions' },
    scripts: scripts.map(tenantScript),
    before: [],
    after: [],
    maxResultBytes: 1 << 20,
    timeoutMillis: 8_000,
    ...extra,
  })
}

const asking = (
  statement: Sql,
  role: Actor['role'] = 'anon',
  users: readonly string[] = [''],
): RehearsalQuestions => ({
  role,
  settings: { search_path: 'proj_x, extensions' },
  statement,
  questions: users.map((user) => ({ settings: { 'app.user': user }, params: [] })),
})
const cells = (answers: readonly Answer[]): readonly (string | undefined)[] =>
  answers.map((answer) => (answer instanceof SqlError ? answer.code : cellText(answer[0]?.[0])))
const ofOwner = async (text: string): Promise<string | undefined> =>
  lastCell(await runAsOwner(engine, 'proj_x', text))

describe('a rehearsal', () => {
  it('runs queries before and after its scripts, each query with its own role and settings', async () => {
    const count = asking(sql`select count(*) from notes`)
    const own = asking(
      sql`select count(*) from notes where owner = current_setting('app.user')`,
      'authenticated',
      ['x', 'y', 'z'],
    )
    const { after, before, scripts } = await rehearse(
      [
        "insert into notes (owner, body) values ('z', 'new')",
        "alter table notes enable row level security; create policy own on notes to authenticated using (owner = current_setting('app.user'))",
      ],
      { before: [count, own], after: [count, own] },
    )
    expect(scripts.map(({ error }) => error)).toEqual([undefined, undefined])
    expect(cells(before)).toEqual(['2', '1', '1', '0'])
    expect(cells(after)).toEqual(['0', '1', '1', '1'])
  })

  it('does not change structure, rows, settings and sequences', async () => {
    const nothing = asking(sql`select 1`)
    const idBefore = await ofOwner('select last_value from notes_id_seq')
    const { scripts } = await rehearse(
      [
        `create table made (id serial); insert into notes (owner) values ('a'), ('b'); drop view all_notes;
         set my.setting = 'kept'; prepare kept as select 1; create temporary table passing (a int);
         select setval('notes_id_seq', 900)`,
        "select nextval('notes_id_seq')",
      ],
      { after: [nothing] },
    )
    expect(cells([scripts[1]?.results[0]?.rows ?? []])).toEqual(['901'])
    expect(
      await ofOwner("select count(*) from pg_class where relname in ('made', 'passing')"),
    ).toBe('0')
    expect(await ofOwner('select count(*) from all_notes')).toBe('2')
    expect(await ofOwner("select coalesce(current_setting('my.setting', true), '')")).toBe('')
    const next = Number(await ofOwner("insert into notes (owner) values ('next') returning id"))
    expect(next).toBeGreaterThan(Number(idBefore))
    await expect(runAsOwner(engine, 'proj_x', 'execute kept')).rejects.toThrow('does not exist')
    await runAsOwner(engine, 'proj_x', "delete from notes where owner = 'next'")
  })

  onlyEmbedded('A server cannot know whether other work used the values.').it(
    'sets sequences back that its scripts advanced',
    async () => {
      const before = await ofOwner('select last_value from notes_id_seq')
      await rehearse(["insert into notes (owner) values ('a'); select setval('notes_id_seq', 900)"])
      expect(await ofOwner('select last_value from notes_id_seq')).toBe(before)
    },
  )

  it('reports the error of the failed script and the statements before it, and runs no later script', async () => {
    const { after, scripts } = await rehearse(
      [
        'select 1',
        'create table t (a int); insert into t values (1);\ninsert into missing values (1); select 1',
        'select 3',
      ],
      { after: [asking(sql`select 1`)] },
    )
    expect(scripts).toHaveLength(2)
    expect(scripts[1]?.results.map(({ commandTag }) => commandTag)).toEqual([
      'CREATE TABLE',
      'INSERT 0 1',
    ])
    expect(scripts[1]?.error).toMatchObject({ code: '42P01', facts: { position: 63 } })
    expect(after).toEqual([])
  })

  it('checks deferred constraints after each script, and defers them again for the next script', async () => {
    await runAsOwner(
      engine,
      'proj_x',
      `create table parents (id int primary key);
      create table children (parent int references parents deferrable initially deferred)`,
    )
    const good = 'insert into children values (7); insert into parents values (7)'
    const bad = 'insert into children values (8)'
    expect(
      (await rehearse([good, good.replaceAll('7', '9')])).scripts.map(({ error }) => error),
    ).toEqual([undefined, undefined])
    const { scripts } = await rehearse([good, `${bad}; select 1`, 'select 2'])
    expect(scripts.map(({ error }) => error?.code)).toEqual([undefined, '23503'])
  })

  it('resets the settings of a script when the script ends', async () => {
    const { scripts } = await rehearse([
      "set row_security = off; set search_path = pg_catalog; set my.x = 'a'",
      "select current_setting('row_security') || current_setting('search_path') || coalesce(current_setting('my.x', true), '')",
    ])
    expect(cells([scripts[1]?.results[0]?.rows ?? []])).toEqual(['onproj_x, extensions'])
  })

  it('answers the other queries when one query fails, and refuses a query that writes', async () => {
    const settings = {
      after: [
        asking(sql`select * from missing`),
        asking(sql`select 1 / current_setting('app.user')::int`, 'authenticated', ['1', '0', '2']),
        asking(sql`delete from notes`),
      ],
    }
    const { after } = await rehearse(["insert into notes (owner) values ('a')"], settings)
    expect(cells(after)).toEqual(['42P01', '1', '22012', '0', '25006'])
    expect(await ofOwner('select count(*) from notes')).toBe('2')
  })

  it('cannot reach another project or role, and cannot end the transaction', async () => {
    for (const [text, code] of [
      ['select * from proj_y.notes', OUT_OF_REACH],
      ['set role anon', /^42501$/],
      ['commit', /^2D000$/],
      ['rollback', /^2D000$/],
      ['do $$ begin commit; end $$', /^2D000$/],
    ] as const) {
      const { scripts } = await rehearse([`create table tried (); ${text}`])
      expect(scripts[0]?.error?.code, text).toMatch(code)
    }
    const { after } = await rehearse(['select 1'], {
      after: [asking(sql`select * from proj_y.notes`)],
    })
    expect(cells(after)).toEqual([expect.stringMatching(OUT_OF_REACH)])
    await expect(
      rehearse(['select 1'], { actor: { schemaName: X, role: trusted.roleName('proj_y_owner') } }),
    ).rejects.toThrow('does not belong')
    expect(await ofOwner("select count(*) from pg_class where relname = 'tried'")).toBe('0')
  })

  it('is cancelled by its caller and by its time limit, and leaves the session usable', async () => {
    const endless = 'create table tried (); do $$ begin loop perform 1; end loop; end $$'
    await expect(rehearse([endless], { timeoutMillis: 30 })).rejects.toMatchObject({
      code: '57014',
    })
    const given = new AbortController()
    const rehearsed = rehearse([endless], { signal: given.signal })
    given.abort()
    await expect(rehearsed).rejects.toMatchObject({ code: '57014' })
    expect(await ofOwner("select count(*) from pg_class where relname = 'tried'")).toBe('0')
  })

  it('takes advisory locks like other work, and releases them at its end', async () => {
    const { scripts } = await rehearse([
      'select pg_advisory_lock(5)',
      'select pg_advisory_xact_lock(6)',
    ])
    expect(scripts.map(({ error }) => error)).toEqual([undefined, undefined])
    const free = await runAsRole(engine, 'proj_x', 'anon', [
      sql`select pg_try_advisory_lock(5) and pg_try_advisory_lock(6)`,
    ])
    expect(lastCell(free)).toBe('t')
  })

  it('leaves out rows beyond the limit', async () => {
    const { after } = await rehearse(['select 1'], {
      maxResultBytes: 1000,
      after: [asking(sql`select repeat('x', 100) from generate_series(1, 100)`)],
    })
    const [answer] = after
    expect(answer instanceof SqlError ? 0 : answer?.length).toBeGreaterThan(0)
    expect(answer instanceof SqlError ? 0 : answer?.length).toBeLessThan(10)
  })

  it('refuses an invalid setting', async () => {
    await expect(
      rehearse(['select 1'], {
        after: [{ ...asking(sql`select 1`), settings: { work_mem: 'much' } }],
      }),
    ).rejects.toMatchObject({ code: '22023' })
    expect(await ofOwner('select 1')).toBe('1')
  })
})
