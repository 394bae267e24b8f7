// What every engine does with a tenant's statements: one transaction, as the role, with the settings (database/engine.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cellText, type Engine, type WorkResult } from '../../emulator/database/engine.ts'
import { type Sql, sql, tenantScript, verbatim } from '../../emulator/database/sql.ts'
import {
  createTestTenant,
  lastCell,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../support/test-engine.ts'

const TENANT = 'proj_pipeline'
let engine: Engine

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await createTestTenant(engine, TENANT)
  await runAsOwner(
    engine,
    TENANT,
    `create table items (id integer primary key, name text);
     create table parents (id integer primary key);
     create table children (parent integer references parents deferrable initially deferred)`,
  )
})

afterAll(() => engine.close())

const asAnon = (statements: readonly Sql[], extra = {}): Promise<WorkResult> =>
  runAsRole(engine, TENANT, 'anon', statements, extra)

const count = async (table: string): Promise<number> =>
  Number(lastCell(await asAnon([sql`select count(*) from ${verbatim(table)}`])))

describe('run', () => {
  it('returns one result for each statement, with fields, cells as text and the command tag', async () => {
    const { results, committed } = await asAnon([
      sql`select 1 as one, null as none, ${'é'}::text as word`,
      sql`select`,
    ])
    expect(results[0]?.fields.map(({ name, typeOid }) => [name, typeOid])).toEqual([
      ['one', 23],
      ['none', 25],
      ['word', 25],
    ])
    expect(results[0]?.rows[0]?.map((cell) => cellText(cell))).toEqual(['1', undefined, 'é'])
    expect(results.map(({ commandTag }) => commandTag)).toEqual(['SELECT 1', 'SELECT 1'])
    expect(committed).toBe(true)
  })

  it('runs as the requested role, with the given settings', async () => {
    const { results } = await asAnon(
      [sql`select current_user || ' ' || current_setting('request.jwt.claims')`],
      { settings: { search_path: '', 'request.jwt.claims': '{"sub":"me"}' } },
    )
    expect(cellText(results[0]?.rows[0]?.[0])).toBe('anon {"sub":"me"}')
  })

  it('refuses a setting that Postgres rejects', async () => {
    const work = asAnon([sql`select 1`], { settings: { TimeZone: 'Nowhere/Land' } })
    await expect(work).rejects.toMatchObject({ code: '22023' })
  })

  it('rolls back all statements when a later statement fails', async () => {
    const work = asAnon([sql`insert into items values (1, 'a')`, sql`select 1/0`])
    await expect(work).rejects.toMatchObject({ code: '22012' })
    expect(await count('items')).toBe(0)
  })

  it('refuses two statements in one text', async () => {
    await expect(asAnon([sql`select 1; select 2`])).rejects.toMatchObject({ code: '42601' })
  })

  it('reports an error with its schema, table and constraint', async () => {
    await asAnon([sql`insert into items values (10, 'a')`])
    await expect(asAnon([sql`insert into items values (10, 'b')`])).rejects.toMatchObject({
      code: '23505',
      details: 'Key (id)=(10) already exists.',
      facts: { schema: TENANT, table: 'items', constraint: 'items_pkey' },
    })
  })

  it('returns notices', async () => {
    const { notices } = await asAnon([sql`do $$begin raise notice 'hello'; end$$`])
    expect(notices).toEqual([{ severity: 'NOTICE', sqlState: '00000', message: 'hello' }])
  })

  it('reports a deferred constraint that fails at the commit', async () => {
    const work = asAnon([sql`insert into children values (99)`])
    await expect(work).rejects.toMatchObject({ code: '23503' })
    expect(await count('children')).toBe(0)
  })

  it('refuses writes in a read-only request', async () => {
    const work = asAnon([sql`insert into items values (2, 'a')`], { mode: 'readOnly' })
    await expect(work).rejects.toMatchObject({ code: '25006' })
  })

  it.each([
    ['a statement', 'set transaction read write'],
    ['a setting', 'set transaction_read_only = off'],
    ['a block', `do $$begin execute 'set transaction read write'; end$$`],
  ])('keeps a read-only request read-only despite %s', async (_name, text) => {
    const work = asAnon([sql`${verbatim(text)}`, sql`insert into items values (3, 'a')`], {
      mode: 'readOnly',
    })
    await expect(work).rejects.toMatchObject({ code: '25001' })
  })

  it('returns correct results when a repeated statement is prepared', async () => {
    for (let round = 0; round < 4; round++)
      expect(lastCell(await asAnon([sql`select ${round}::integer + 1`]))).toBe(String(round + 1))
  })

  it('runs a prepared statement again after its table has changed', async () => {
    const read = () => asAnon([sql`select * from items where id = ${10}`])
    for (let round = 0; round < 3; round++) await read()
    await runAsOwner(engine, TENANT, 'alter table items add column extra integer default 5')
    expect((await read()).results[0]?.fields.map(({ name }) => name)).toEqual([
      'id',
      'name',
      'extra',
    ])
  })

  it('runs a prepared statement after its table was dropped and created again', async () => {
    const create = 'create table remade (id integer); insert into remade values (1)'
    await runAsOwner(engine, TENANT, create)
    const read = () =>
      asAnon([sql`select (jsonb_populate_record(null::remade, to_jsonb(remade))).id from remade`])
    for (let round = 0; round < 3; round++) await read()
    await runAsOwner(engine, TENANT, `drop table remade; ${create}`)
    expect(lastCell(await read())).toBe('1')
  })

  it('runs a prepared statement after a request dropped all prepared statements', async () => {
    const read = () => asAnon([sql`select 'kept'`])
    for (let round = 0; round < 3; round++) await read()
    await asAnon([sql`deallocate all`])
    expect(lastCell(await read())).toBe('kept')
  })
})

describe('run with end rollback', () => {
  it('reports that read-only work is not committed', async () => {
    const work = await asAnon([sql`select 'seen'`], { mode: 'readOnly', end: 'rollback' })
    expect([lastCell(work), work.committed]).toEqual(['seen', false])
  })

  it('returns the results and commits nothing', async () => {
    const { results, committed } = await asAnon(
      [sql`insert into items values (20, 'a') returning id`],
      { end: 'rollback' },
    )
    expect(results[0]?.commandTag).toBe('INSERT 0 1')
    expect(committed).toBe(false)
    expect(await count('items where id = 20')).toBe(0)
  })

  it('reports a deferred constraint that would have failed at the commit', async () => {
    const work = asAnon([sql`insert into children values (98)`], { end: 'rollback' })
    await expect(work).rejects.toMatchObject({ code: '23503' })
  })

  it('rolls back a script', async () => {
    const work = await runAsRole(
      engine,
      TENANT,
      `${TENANT}_owner`,
      tenantScript(`insert into items values (21, 'a'); select count(*) from items where id = 21`),
      { end: 'rollback' },
    )
    expect(lastCell(work)).toBe('1')
    expect(await count('items where id = 21')).toBe(0)
  })

  it('refuses a script that would commit by itself', async () => {
    const work = runAsRole(
      engine,
      TENANT,
      `${TENANT}_owner`,
      tenantScript(`insert into items values (22, 'a'); commit`),
      { end: 'rollback' },
    )
    await expect(work).rejects.toMatchObject({ code: '2D000' })
    expect(await count('items where id = 22')).toBe(0)
  })
})

describe('run with a postcondition', () => {
  const insert = sql`with added as (insert into items values (30, 'a') returning 1) select count(*) from added`

  it('rolls back when the postcondition is false', async () => {
    const { committed, results } = await asAnon([insert], {
      postcondition: { statement: 0, column: 0, min: 2, max: 2 },
    })
    expect(committed).toBe(false)
    expect(cellText(results[0]?.rows[0]?.[0])).toBe('1')
    expect(await count('items where id = 30')).toBe(0)
  })

  it('commits when the postcondition is true', async () => {
    const { committed } = await asAnon([insert], {
      postcondition: { statement: 0, column: 0, min: 1, max: 1 },
    })
    expect(committed).toBe(true)
    expect(await count('items where id = 30')).toBe(1)
  })
})

describe('a script', () => {
  it('returns the results of its statements and commits them together', async () => {
    const { results } = await runAsOwner(
      engine,
      TENANT,
      `insert into items values (40, 'a'), (41, 'b'); select name from items where id in (40, 41) order by id`,
    )
    expect(results.map(({ commandTag }) => commandTag)).toEqual(['INSERT 0 2', 'SELECT 2'])
  })

  it('is rolled back as a whole by an error', async () => {
    const work = runAsOwner(engine, TENANT, `insert into items values (42, 'a'); select 1/0`)
    await expect(work).rejects.toMatchObject({ code: '22012' })
    expect(await count('items where id = 42')).toBe(0)
  })

  it('finds its schema after it has committed by itself', async () => {
    const { results } = await runAsOwner(
      engine,
      TENANT,
      `begin; insert into items values (43, 'a'); commit; select count(*) from items where id = 43`,
    )
    expect(cellText(results.at(-1)?.rows[0]?.[0])).toBe('1')
  })

  it('leaves no open transaction behind', async () => {
    await runAsOwner(engine, TENANT, `begin; insert into items values (44, 'a')`)
    expect(await count('items where id = 44')).toBe(0)
  })

  it('cannot leave read-only mode with a COMMIT', async () => {
    const work = runAsRole(
      engine,
      TENANT,
      `${TENANT}_owner`,
      tenantScript('commit; insert into items values (45)'),
      { mode: 'readOnly' },
    )
    await expect(work).rejects.toMatchObject({ code: '2D000' })
  })
})
