// Limits on how much a client of the Postgres port can delay others. An endless statement is cancelled when other work waits too
// long for it. Work that waits too long in the queue is refused, in the error format of each plane.
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'
import { executeSql } from '../../support/test-emulator.ts'

const SQL = `
create table items (id integer primary key);
create function loop_forever() returns void language plpgsql as 'begin loop null; end loop; end';`

const isQueued = async ({ at }: PostgresWorld): Promise<boolean> =>
  (await at.call('GET', '/_emulator/v1/health')).body.engine.queued > 0

async function untilQueued(world: PostgresWorld): Promise<void> {
  while (!(await isQueued(world))) await new Promise((resolve) => setImmediate(resolve))
}

describe('a statement that never ends', () => {
  let world: PostgresWorld
  beforeAll(async () => {
    world = await startPostgresWorld(SQL, { maxBlockingMillis: 1_000 })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it('is cancelled with a reason when other work has waited as long as the limit', async () => {
    const client = await world.client()
    const endless = client.query('select loop_forever()').catch((error: unknown) => error)
    await untilQueued(world)
    expect(await world.rest('/items')).toEqual([])
    expect(await endless).toMatchObject({
      code: '57014',
      message: 'canceling statement because other work has waited 1 s for it',
      hint: expect.stringContaining('--max-blocking'),
    })
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('keeps running while nothing waits', async () => {
    const client = await world.client()
    const { rows } = await client.query('select pg_sleep(2), 1 as one')
    expect(rows[0]?.one).toBe(1)
  })

  it('is also cancelled in a script of POST /db/exec', async () => {
    const script = executeSql(world.at, world.tenant, 'select loop_forever()')
    await untilQueued(world)
    expect(await world.rest('/items')).toEqual([])
    expect((await script).text).toContain('other work has waited 1 s for it')
  })
})

describe('work that waits too long for the database', () => {
  let world: PostgresWorld
  let endless: Promise<unknown>
  let waiting: pg.Client
  beforeAll(async () => {
    world = await startPostgresWorld(SQL, { maxBlockingMillis: 120_000, maxQueueMillis: 500 })
    const client = await world.client()
    waiting = await world.client()
    // Occupies the database for the duration of these tests.
    endless = client.query('select loop_forever()').catch((error: unknown) => error)
    await untilQueued(world)
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await endless
  })

  const call = (method: string, path: string, options: object = {}) =>
    world.at.call(method, path, options)

  it('is refused with 503 and Retry-After by the data plane', async () => {
    const { anonKey, serviceRoleKey, schemaName } = world.tenant
    const answer = await call('POST', '/rpc/loop_forever', {
      credential: serviceRoleKey,
      headers: { apikey: anonKey, 'content-profile': schemaName },
      body: {},
    })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(Object.keys(answer.body)).toEqual(['code', 'details', 'hint', 'message'])
  })

  it('is refused by the management plane in its error format', async () => {
    const answer = await executeSql(world.at, world.tenant, 'select 1')
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  it('is refused by auth in its error format', async () => {
    const answer = await call('POST', '/auth/v1/signup', {
      headers: { apikey: world.tenant.anonKey },
      body: { email: 'ana@example.test', password: 'a long password' },
    })
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  it('is refused by the emulator’s own API in its error format', async () => {
    const answer = await call('POST', '/_emulator/v1/projects/north/sql', {
      body: { sql: 'select 1', identity: 'owner' },
    })
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'busy' } } })
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  it('is refused with 53300 on the Postgres port, and the session stays open', async () => {
    const refusal = { code: '53300', hint: expect.stringContaining('--max-queue') }
    await expect(waiting.query('select 1')).rejects.toMatchObject(refusal)
    await expect(waiting.query('select 1')).rejects.toMatchObject(refusal)
  })
})
