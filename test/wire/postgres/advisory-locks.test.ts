// Advisory locks between Postgres clients, REST functions and db/exec (PostgreSQL documentation, "Advisory Locks"). Migration
// tools use such locks so that only one of them migrates.
import type { Socket } from 'node:net'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { onlyEmbedded, TEST_DATABASE_URL } from '../../support/engine-of-run.ts'
import {
  type PostgresWorld,
  PSQL,
  PSQL_HINT,
  startPostgresWorld,
} from '../../support/postgres-world.ts'
import { until, untilAsync } from '../../support/until.ts'

const SQL = `
  create table jobs (id serial primary key, note text);
  create function try_lock(k bigint) returns boolean language sql volatile as 'select pg_try_advisory_xact_lock(k)';
  create function wait_lock(k bigint) returns text language plpgsql as $$
    begin insert into jobs (note) values ('rpc'); perform pg_advisory_xact_lock(k); return 'locked'; end $$;
  create function keep_lock(k bigint) returns void language sql volatile as 'select pg_advisory_lock(k)';
  create function catch_lock(k bigint) returns text language plpgsql as $$
    begin perform pg_advisory_lock(k); return 'locked';
    exception when lock_not_available then return 'not available'; end $$;`

// On a server, `pg_locks` lists the locks of all databases.
const LOCKS = `pg_locks where locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())`

let world: PostgresWorld
let a: pg.Client
let b: pg.Client
let c: pg.Client
beforeAll(async () => {
  world = await startPostgresWorld(SQL)
})
afterAll(() => world[Symbol.asyncDispose]())

// Each test has its own clients, so that the locks of one test do not affect another.
beforeEach(async () => {
  a = await world.client()
  b = await world.client()
  c = await world.client()
})
afterEach(async () => {
  await Promise.all([a, b, c].map((client) => client.end()))
})

async function one(client: pg.Client, text: string, values?: unknown[]) {
  const { rows } = await client.query({ text, ...(values && { values }), rowMode: 'array' })
  return (rows as unknown as unknown[][])[0]?.[0]
}

/** Watches a query. `isSettled` shows whether the query has ended. */
function watch(running: Promise<unknown>) {
  const watched = { isSettled: false, running }
  const settle = () => {
    watched.isSettled = true
  }
  running.then(settle, settle)
  return watched
}

/**
 * Runs statements of other sessions, which must work while a client waits. Each takes a turn of the queue, so a statement that
 * does not wait ends meanwhile.
 */
async function othersWork() {
  for (let round = 0; round < 5; round++)
    expect(await world.rest('/jobs?select=id&limit=0')).toEqual([])
}

/** Sends a request to cancel a client's running statement (PostgreSQL documentation, "Canceling Requests in Progress"). */
async function cancel(client: pg.Client): Promise<void> {
  const { processID, secretKey } = client as unknown as Record<'processID' | 'secretKey', number>
  const request = Buffer.alloc(16)
  ;[16, 80_877_102, processID, secretKey].forEach((word, index) => {
    request.writeInt32BE(word, 4 * index)
  })
  const { socket } = await world.socket()
  socket.end(request)
}

const rpc = (name: string, k: number) =>
  world.at.call('POST', `/rpc/${name}`, {
    credential: world.tenant.serviceRoleKey,
    headers: { apikey: world.tenant.anonKey, 'content-profile': world.tenant.schemaName },
    body: { k },
  })

describe('trying to lock', () => {
  it('fails while another session holds the key', async () => {
    await a.query('select pg_advisory_lock(5)')
    expect(await one(b, 'select pg_try_advisory_lock(5)')).toBe(false)
    expect(await one(b, 'select pg_try_advisory_xact_lock(5)')).toBe(false)
    expect(await one(b, 'select pg_try_advisory_lock_shared(5)')).toBe(false)
    expect(await one(a, 'select pg_advisory_unlock(5)')).toBe(true)
    expect(await one(b, 'select pg_try_advisory_lock(5)')).toBe(true)
    expect(await one(b, 'select pg_advisory_unlock(5)')).toBe(true)
  })

  it('distinguishes one bigint key from two integer keys, and shared from exclusive', async () => {
    await a.query('select pg_advisory_lock(4294967301), pg_advisory_lock_shared(9)')
    expect(await one(b, 'select pg_try_advisory_lock(1, 5)')).toBe(true)
    expect(await one(b, 'select pg_try_advisory_lock(4294967301)')).toBe(false)
    expect(await one(b, 'select pg_try_advisory_lock_shared(9)')).toBe(true)
    expect(await one(b, 'select pg_try_advisory_lock(9)')).toBe(false)
    await b.query('select pg_advisory_unlock_all()')
    expect(await one(a, 'select pg_try_advisory_lock(9)')).toBe(true)
    expect(await one(b, 'select pg_try_advisory_lock_shared(9)')).toBe(false)
  })

  it('fails until the holder has released the lock as often as it took the lock', async () => {
    await a.query('select pg_advisory_lock(6), pg_advisory_lock(6)')
    await a.query('select pg_advisory_unlock(6)')
    expect(await one(b, 'select pg_try_advisory_lock(6)')).toBe(false)
    await a.query('select pg_advisory_unlock(6)')
    expect(await one(b, 'select pg_try_advisory_lock(6)')).toBe(true)
  })

  it('still fails after another session tried to release the lock, and got false and a warning', async () => {
    const notices: (string | undefined)[] = []
    b.on('notice', ({ message }) => notices.push(message))
    await a.query('select pg_advisory_lock(61)')
    expect(await one(b, 'select pg_advisory_unlock(61)')).toBe(false)
    expect(notices).toEqual(["you don't own a lock of type ExclusiveLock"])
    expect(await one(b, 'select pg_try_advisory_lock(61)')).toBe(false)
  })

  it('succeeds in another project while a project holds the same key', async () => {
    const foreign = await world.client({ connectionString: world.otherUrl })
    await a.query('select pg_advisory_lock(62)')
    expect(await one(foreign, 'select pg_try_advisory_lock(62)')).toBe(true)
    expect(await one(foreign, `select count(*)::int from ${LOCKS}`)).toBe(1)
  })
})

describe('a lock ends', () => {
  it('with its session', async () => {
    await a.query('select pg_advisory_lock(7)')
    await a.end()
    await b.query('select pg_advisory_lock(7)')
    expect(await one(c, 'select pg_try_advisory_lock(7)')).toBe(false)
  })

  it('with its transaction, whether it commits or rolls back', async () => {
    for (const end of ['commit', 'rollback']) {
      await a.query('begin')
      await a.query('select pg_advisory_xact_lock(8)')
      expect(await one(b, 'select pg_try_advisory_lock(8)')).toBe(false)
      await a.query(end)
      expect(await one(b, 'select pg_try_advisory_lock(8)')).toBe(true)
      await b.query('select pg_advisory_unlock(8)')
    }
  })

  it('with the savepoint after which it was taken, unless it is a session lock', async () => {
    await a.query('begin; savepoint one; select pg_advisory_lock(81), pg_advisory_xact_lock(82)')
    await a.query(
      'select pg_advisory_xact_lock(83); rollback to one; select pg_advisory_xact_lock(84)',
    )
    expect(await one(b, 'select pg_try_advisory_xact_lock(81)')).toBe(false)
    expect(await one(b, 'select pg_try_advisory_xact_lock(82)')).toBe(true)
    expect(await one(b, 'select pg_try_advisory_xact_lock(83)')).toBe(true)
    expect(await one(b, 'select pg_try_advisory_xact_lock(84)')).toBe(false)
    await a.query('rollback')
    expect(await one(b, 'select pg_try_advisory_lock(81)')).toBe(false)
    expect(await one(b, 'select pg_try_advisory_lock(84)')).toBe(true)
  })

  it('with DISCARD ALL, and not with a rollback, when it is a session lock', async () => {
    await a.query('begin; select pg_advisory_lock(85); rollback')
    expect(await one(b, 'select pg_try_advisory_lock(85)')).toBe(false)
    await a.query('discard all')
    expect(await one(b, 'select pg_try_advisory_lock(85)')).toBe(true)
  })
})

describe('a client that waits for a lock', () => {
  it('does not block other clients, and continues when the holder releases the lock', async () => {
    await a.query('select pg_advisory_lock(10)')
    const waiting = watch(b.query('select pg_advisory_lock(10)'))
    await othersWork()
    expect(await one(c, 'select pg_try_advisory_lock(10)')).toBe(false)
    expect(waiting.isSettled).toBe(false)
    await a.query('select pg_advisory_unlock(10)')
    await waiting.running
    expect(await one(a, 'select pg_try_advisory_lock(10)')).toBe(false)
  })

  it('waits in a prepared statement with parameters', async () => {
    await a.query('select pg_advisory_lock($1)', [11])
    const text = { name: 'lock', text: 'select pg_advisory_lock($1), $2::text as said' }
    const waiting = watch(b.query({ ...text, values: [11, 'hello'] }))
    await othersWork()
    expect(waiting.isSettled).toBe(false)
    await a.query('select pg_advisory_unlock($1)', [11])
    expect(await waiting.running).toMatchObject({ rows: [{ said: 'hello' }] })
    expect((await b.query({ ...text, values: [11, 'again'] })).rows[0].said).toBe('again')
  })

  it('gets the lock in the order of requests', async () => {
    const order: string[] = []
    await a.query('select pg_advisory_lock(12)')
    const first = b.query('select pg_advisory_lock(12)').then(() => order.push('b'))
    await othersWork()
    const second = c.query('select pg_advisory_lock_shared(12)').then(() => order.push('c'))
    await othersWork()
    await a.query('select pg_advisory_unlock(12)')
    await first
    await b.query('select pg_advisory_unlock(12)')
    await second
    expect(order).toEqual(['b', 'c'])
  })

  it('runs each other statement of its query exactly once', async () => {
    await a.query('select pg_advisory_lock(13)')
    const waiting = watch(
      b.query(
        `insert into jobs (note) values ('once'); select pg_advisory_lock(13); update jobs set note = note || '!'`,
      ),
    )
    await othersWork()
    expect(waiting.isSettled).toBe(false)
    await a.query('select pg_advisory_unlock(13)')
    await waiting.running
    expect(await one(a, `select string_agg(note, ',') from jobs`)).toBe('once!')
    await a.query('delete from jobs')
  })

  it('keeps its transaction when the transaction has only read', async () => {
    await a.query('select pg_advisory_lock(14)')
    await b.query('begin isolation level read committed')
    await b.query(`set local app.step = 'one'`)
    const began = await one(b, 'select now()::text')
    await b.query('select count(*) from jobs')
    const waiting = watch(b.query('select pg_advisory_xact_lock(14)'))
    await othersWork()
    await a.query(`insert into jobs (note) values ('by a'); select pg_advisory_unlock(14)`)
    await waiting.running
    expect(await one(b, `select current_setting('app.step')`)).toBe('one')
    expect(await one(b, 'select now()::text')).toBe(began)
    await b.query(`update jobs set note = 'by b'`)
    await b.query('commit')
    expect(await one(a, 'select note from jobs')).toBe('by b')
    expect(await one(b, `select coalesce(current_setting('app.step', true), '')`)).toBe('')
    expect(await one(c, 'select pg_try_advisory_lock(14)')).toBe(true)
    await a.query('delete from jobs')
  })

  it('can begin a transaction and lock in one message, as job queues do', async () => {
    await a.query('select pg_advisory_lock(15)')
    const waiting = watch(
      b.query(
        `begin; set local lock_timeout = 30000; select pg_advisory_xact_lock(15); insert into jobs (note) values ('15'); commit`,
      ),
    )
    await othersWork()
    expect(waiting.isSettled).toBe(false)
    await a.query('select pg_advisory_unlock(15)')
    await waiting.running
    expect(await one(a, 'select count(*)::int from jobs')).toBe(1)
    await a.query('delete from jobs')
  })

  onlyEmbedded('others work while a server’s transaction waits').it(
    'is refused when its transaction has changed something that waiting would keep from others',
    async () => {
      await a.query('select pg_advisory_lock(16)')
      await b.query('begin')
      await b.query(`insert into jobs (note) values ('open')`)
      await expect(b.query('select pg_advisory_xact_lock(16)')).rejects.toMatchObject({
        code: '55P03',
        message: expect.stringContaining('advisory lock'),
        hint: expect.stringContaining('first statement'),
      })
      await b.query('rollback')
      await expect(
        b.query(
          `begin; insert into jobs (note) values ('kept'); commit; select pg_advisory_lock(16)`,
        ),
      ).rejects.toMatchObject({ code: '55P03' })
      expect(await one(c, 'select count(*)::int from jobs')).toBe(1)
      await c.query('delete from jobs')
    },
  )

  it('gets an error in a deadlock', async () => {
    await a.query('select pg_advisory_lock(17)')
    await b.query('select pg_advisory_lock(18)')
    const waiting = watch(a.query('select pg_advisory_lock(18)'))
    await othersWork()
    const closing = watch(b.query('select pg_advisory_lock(17)'))
    await until(() => waiting.isSettled || closing.isSettled)
    // A server ends the wait whose deadlock timeout expires first. The embedded engine ends the wait that completes the deadlock.
    const isFirst = TEST_DATABASE_URL !== undefined && waiting.isSettled
    const [loser, winner, by] = isFirst ? [waiting, closing, a] : [closing, waiting, b]
    await expect(loser.running).rejects.toMatchObject({ code: '40P01' })
    expect(winner.isSettled).toBe(false)
    await by.query('select pg_advisory_unlock_all()')
    await winner.running
  })

  it('stops waiting at lock_timeout and at statement_timeout', async () => {
    await a.query('select pg_advisory_lock(19)')
    await b.query(`set lock_timeout = '30ms'`)
    await expect(b.query('select pg_advisory_lock(19)')).rejects.toMatchObject({ code: '55P03' })
    await b.query(`set lock_timeout = 0; set statement_timeout = '30ms'`)
    await expect(b.query('select pg_advisory_lock(19)')).rejects.toMatchObject({ code: '57014' })
    await b.query(`set statement_timeout = 0; set lock_timeout = '30ms'`)
    expect(await one(b, 'select catch_lock(19)')).toBe('not available')
    await b.query(`begin`)
    await expect(b.query('select pg_advisory_xact_lock(19)')).rejects.toMatchObject({
      code: '55P03',
    })
    await expect(b.query('select 1')).rejects.toMatchObject({ code: '25P02' })
    await b.query('rollback')
    await a.query('select pg_advisory_unlock(19)')
    await b.query('select pg_advisory_lock(19)')
  })

  it('stops waiting when it is cancelled', async () => {
    await a.query('select pg_advisory_lock(20)')
    const failed = expect(b.query('select pg_advisory_lock(20)')).rejects.toMatchObject({
      code: '57014',
      message: 'canceling statement due to user request',
    })
    await othersWork()
    await cancel(b)
    await failed
    await a.query('select pg_advisory_unlock(20)')
    expect(await one(b, 'select pg_try_advisory_lock(20)')).toBe(true)
  })

  it('leaves the queue when its connection ends', async () => {
    await a.query('select pg_advisory_lock(21)')
    const leaving = b.query('select pg_advisory_lock(21)').catch(() => 'gone')
    await othersWork()
    const stream = (b as unknown as { connection: { stream: Socket } }).connection.stream
    stream.destroy()
    expect(await leaving).toBe('gone')
    await a.query('select pg_advisory_unlock(21)')
    await c.query('select pg_advisory_lock(21)')
  })
})

describe('REST functions', () => {
  it('see the locks of sessions', async () => {
    await a.query('select pg_advisory_lock(30)')
    expect((await rpc('try_lock', 30)).body).toBe(false)
    await a.query('select pg_advisory_unlock(30)')
    expect((await rpc('try_lock', 30)).body).toBe(true)
    expect(await one(a, 'select pg_try_advisory_lock(30)')).toBe(true)
  })

  it('see the locks of an open transaction that has done nothing else', async () => {
    await a.query('begin')
    await a.query('select pg_advisory_xact_lock(31)')
    expect((await rpc('try_lock', 31)).body).toBe(false)
    await a.query("insert into jobs (note) values ('x')")
    await a.query('rollback')
    expect((await rpc('try_lock', 31)).body).toBe(true)
  })

  it('wait for a session’s lock, and run once', async () => {
    await a.query('select pg_advisory_lock(32)')
    const waiting = watch(rpc('wait_lock', 32))
    await othersWork()
    expect(waiting.isSettled).toBe(false)
    await a.query('select pg_advisory_unlock(32)')
    expect(await waiting.running).toMatchObject({ status: 200, body: 'locked' })
    expect(await one(a, 'select count(*)::int from jobs')).toBe(1)
    await a.query('delete from jobs')
  })

  it('release their session locks when the request ends', async () => {
    expect((await rpc('keep_lock', 33)).status).toBe(204)
    const locks = async () => (await one(a, 'select pg_try_advisory_lock(33)')) === true
    // A server releases the locks within 2 ms (docs/guide/engines.md).
    if (TEST_DATABASE_URL === undefined) expect(await locks()).toBe(true)
    else await untilAsync(locks)
  })
})

describe('db/exec', () => {
  const exec = (text: string) =>
    world.at.call('POST', `/platform/v1/projects/${world.tenant.schemaName}/db/exec`, {
      credential: world.at.session,
      body: { sql: text },
    })

  it('sees the locks of sessions and waits for them', async () => {
    await a.query('select pg_advisory_lock(34)')
    expect((await exec('select pg_try_advisory_lock(34) as got')).body.rows).toEqual([
      { got: false },
    ])
    const waiting = watch(exec('select pg_advisory_lock(34); select 1 as done'))
    await othersWork()
    expect(waiting.isSettled).toBe(false)
    await a.query('select pg_advisory_unlock(34)')
    expect(await waiting.running).toMatchObject({ status: 200, body: { rows: [{ done: 1 }] } })
    expect(await one(a, 'select pg_try_advisory_lock(34)')).toBe(true)
  })
})

describe('pg_locks', () => {
  it('lists the advisory locks of the project', async () => {
    await a.query('select pg_advisory_lock(4294967301), pg_advisory_lock_shared(2, 3)')
    const { rows } = await b.query(
      `select classid::int, objid::int, objsubid, mode, granted from ${LOCKS} order by mode`,
    )
    expect(rows).toEqual([
      { classid: 1, objid: 5, objsubid: 1, mode: 'ExclusiveLock', granted: true },
      { classid: 2, objid: 3, objsubid: 2, mode: 'ShareLock', granted: true },
    ])
    await a.query('select pg_advisory_unlock_all()')
    expect(await one(b, `select count(*)::int from ${LOCKS}`)).toBe(0)
  })
})

describe.skipIf(PSQL === undefined)(`psql${PSQL_HINT}`, () => {
  it('waits for a lock until the session that holds the lock has ended', async () => {
    await a.query('select pg_advisory_lock(40)')
    const waiting = watch(world.psql('select pg_advisory_lock(40);\nselect 1 as got;\n', '-At'))
    await until(() => !waiting.isSettled)
    await othersWork()
    expect(waiting.isSettled).toBe(false)
    await a.end()
    expect(await waiting.running).toMatchObject({ code: 0, out: '\n1\n' })
  })
})
