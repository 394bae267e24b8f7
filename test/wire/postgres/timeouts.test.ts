// Timeouts that a session sets (PostgreSQL documentation, "Statement Behavior"). Each timeout takes effect in time, and
// each statement has its own `statement_timeout`.
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type PostgresWorld,
  PSQL,
  PSQL_HINT,
  startPostgresWorld,
} from '../../support/postgres-world.ts'
import { executeSql } from '../../support/test-emulator.ts'

const SQL = `
create table items (id integer primary key);
create function loop_for(millis integer) returns void language plpgsql as $$
declare until timestamptz := clock_timestamp() + make_interval(secs => millis / 1000.0);
begin while clock_timestamp() < until loop null; end loop; end $$;
create function loop_forever() returns void language plpgsql as 'begin loop null; end loop; end';`

/** Allowed delay on a busy machine, in wall-clock milliseconds. Without its timeout, a statement would take longer than this. */
const LATE_MILLIS = 1_500

let world: PostgresWorld
beforeAll(async () => {
  world = await startPostgresWorld(SQL)
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.endClients())

const STATEMENT_TIMEOUT = {
  code: '57014',
  message: 'canceling statement due to statement timeout',
}

async function refused(work: Promise<unknown>): Promise<{ error: unknown; tookMillis: number }> {
  const asked = performance.now()
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { error, tookMillis: performance.now() - asked }
}

const endOf = (client: pg.Client) => new Promise((resolve) => client.once('end', resolve))
const errorOf = (client: pg.Client) => new Promise((resolve) => client.once('error', resolve))

describe('statement_timeout', () => {
  it('cancels a later statement of the same query', async () => {
    const client = await world.client()
    const { error, tookMillis } = await refused(
      client.query("set statement_timeout = '200ms'; select pg_sleep(3)"),
    )
    expect(error).toMatchObject(STATEMENT_TIMEOUT)
    expect(tookMillis).toBeGreaterThanOrEqual(199)
    expect(tookMillis).toBeLessThan(200 + LATE_MILLIS)
  })

  it('applies to each statement of a query separately', async () => {
    const client = await world.client()
    await client.query("set statement_timeout = '600ms'")
    const slow = 'select loop_for(400);'
    const results = await client.query(`${slow}${slow}${slow} select 1 as one`)
    expect((results as unknown as pg.QueryResult[]).at(-1)?.rows).toEqual([{ one: 1 }])
  })

  it('cancels a prepared statement, and the session stays usable', async () => {
    const client = await world.client()
    await client.query("set statement_timeout = '200ms'")
    const { error } = await refused(
      client.query({ name: 'sleep', text: 'select pg_sleep($1)', values: [3] }),
    )
    expect(error).toMatchObject(STATEMENT_TIMEOUT)
    expect((await client.query({ text: 'select $1::int as one', values: [1] })).rows).toEqual([
      { one: 1 },
    ])
  })

  it('restarts after each Execute of a pipeline', async () => {
    const client = await world.client()
    await client.query("set statement_timeout = '600ms'")
    const answers = await Promise.all(
      [400, 400, 400].map((millis) =>
        client.query({ text: 'select loop_for($1), $1 as millis', values: [millis] }),
      ),
    )
    expect(answers.map(({ rows }) => rows[0]?.millis)).toEqual([400, 400, 400])
  })

  it('can be set in the connection’s options', async () => {
    const client = await world.client({ options: '-c statement_timeout=200' })
    expect((await refused(client.query('select loop_forever()'))).error).toMatchObject(
      STATEMENT_TIMEOUT,
    )
  })

  it('returns to its earlier value after a transaction with SET LOCAL', async () => {
    const client = await world.client()
    await client.query("begin; set local statement_timeout = '100ms'; commit")
    expect((await client.query('select loop_for(300)')).rowCount).toBe(1)
  })

  it('aborts only the transaction in which it expires', async () => {
    const client = await world.client()
    await client.query("set statement_timeout = '200ms'; begin; insert into items values (1)")
    await refused(client.query('select loop_forever()'))
    expect((await refused(client.query('select 1'))).error).toMatchObject({ code: '25P02' })
    await client.query('rollback')
    expect((await client.query('select * from items')).rows).toEqual([])
  })

  it('applies only to its session, and cancels no other session', async () => {
    const [hasty, patient] = [await world.client(), await world.client()]
    await hasty.query("set statement_timeout = '100ms'")
    const [first, second] = await Promise.all([
      refused(hasty.query('select loop_forever()')),
      patient.query('select loop_for(300), 1 as one'),
    ])
    expect(first.error).toMatchObject(STATEMENT_TIMEOUT)
    expect(second.rows[0]?.one).toBe(1)
  })

  it('ends a COPY that waits for its data', async () => {
    const client = await world.client()
    const { error } = await refused(
      client.query("set statement_timeout = '200ms'; copy items from stdin"),
    )
    expect(error).toMatchObject({ code: '57014' })
  })

  it('applies in a script of POST /db/exec', async () => {
    const sql = "set statement_timeout = '200ms'; select pg_sleep(3)"
    const { text } = await executeSql(world.at, world.tenant, sql)
    expect(text).toContain('canceling statement due to statement timeout')
  })

  it.skipIf(PSQL === undefined)(`applies in psql${PSQL_HINT}`, async () => {
    const { err } = await world.psql("set statement_timeout = '200ms';\nselect pg_sleep(3);\n")
    expect(err).toContain('57014')
    expect(err).toContain('canceling statement due to statement timeout')
  })
})

describe('transaction_timeout', () => {
  it('ends the connection of a transaction that works too long', async () => {
    const client = await world.client()
    await client.query("set transaction_timeout = '300ms'")
    const [ended, told] = [endOf(client), errorOf(client)]
    const { error, tookMillis } = await refused(client.query('begin; select loop_forever()'))
    expect([error, await told]).toContainEqual(
      expect.objectContaining({
        code: '25P04',
        message: 'terminating connection due to transaction timeout',
      }),
    )
    await ended
    expect(tookMillis).toBeLessThan(300 + LATE_MILLIS)
  })

  it('counts the statements of one transaction together, but not several transactions', async () => {
    const client = await world.client()
    await client.query("set transaction_timeout = '700ms'")
    for (let round = 0; round < 3; round++) await client.query('select loop_for(400)')
    await client.query('begin')
    const told = errorOf(client)
    const { error } = await refused(
      (async () => {
        for (let round = 0; round < 3; round++) await client.query('select loop_for(400)')
      })(),
    )
    expect([error, await told]).toContainEqual(expect.objectContaining({ code: '25P04' }))
  })

  it('ends an open transaction that does nothing', async () => {
    const client = await world.client()
    await client.query("set transaction_timeout = '200ms'")
    const told = errorOf(client)
    await client.query('begin; insert into items values (2)')
    expect(await told).toMatchObject({ code: '25P04' })
    expect(await world.rest('/items?id=eq.2')).toEqual([])
  })

  it('keeps its value, and does not affect other sessions', async () => {
    const [client, other] = [await world.client(), await world.client()]
    await client.query("set transaction_timeout = '9s'")
    await other.query('select 1')
    expect((await client.query('show transaction_timeout')).rows).toEqual([
      { transaction_timeout: '9s' },
    ])
  })

  it('continues while other sessions work between the statements of a transaction that only locks', async () => {
    const [client, other] = [await world.client(), await world.client()]
    await client.query("set transaction_timeout = '500ms'")
    await client.query('begin; select pg_advisory_xact_lock(50)')
    const told = errorOf(client)
    const { error, tookMillis } = await refused(
      (async () => {
        for (let round = 0; round < 60; round++) {
          await other.query('select 1')
          await client.query('select loop_for(50)')
        }
      })(),
    )
    expect([error, await told]).toContainEqual(expect.objectContaining({ code: '25P04' }))
    expect(tookMillis).toBeLessThan(500 + LATE_MILLIS)
  })

  it('ends the wait for an advisory lock', async () => {
    const [client, other] = [await world.client(), await world.client()]
    await other.query('select pg_advisory_lock(51)')
    await client.query("set transaction_timeout = '200ms'")
    const told = errorOf(client)
    const { error } = await refused(client.query('begin; select pg_advisory_lock(51)'))
    expect([error, await told]).toContainEqual(expect.objectContaining({ code: '25P04' }))
  })
})

describe('idle_in_transaction_session_timeout', () => {
  it('ends a session whose open transaction only holds advisory locks, so that the next session gets the locks', async () => {
    const [client, other] = [await world.client(), await world.client()]
    await client.query("set idle_in_transaction_session_timeout = '300ms'")
    await client.query('begin; select pg_advisory_xact_lock(52)')
    const told = errorOf(client)
    await other.query('select pg_advisory_lock(52)')
    expect(await told).toMatchObject({ code: '25P03' })
  })

  it('ends a session that is idle in a transaction, and rolls it back', async () => {
    const client = await world.client()
    await client.query("set idle_in_transaction_session_timeout = '200ms'")
    const told = errorOf(client)
    await client.query('begin; insert into items values (3)')
    expect(await told).toMatchObject({
      code: '25P03',
      message: 'terminating connection due to idle-in-transaction timeout',
    })
    expect(await world.rest('/items?id=eq.3')).toEqual([])
  })

  it('does not end a session that is idle outside a transaction, or works', async () => {
    const client = await world.client()
    await client.query("set idle_in_transaction_session_timeout = '200ms'")
    await client.query('begin; select loop_for(400); commit')
    const other = await world.client()
    await other.query('select loop_for(400)')
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})
