// A project's Postgres address with `pg`, the usual client for Node.js. Each client has a session of its own, even on an engine
// with a single backend.
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onlyEmbedded, TEST_DATABASE_URL } from '../../support/engine-of-run.ts'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'
import { untilAsync } from '../../support/until.ts'

const SQL = `
  create table items (id integer primary key, name text);
  create table parents (id integer primary key);
  create table children (parent integer references parents deferrable initially deferred);`

const embedded = onlyEmbedded('only one database engine serves all sessions')

let world: PostgresWorld
let client: pg.Client
beforeAll(async () => {
  world = await startPostgresWorld(SQL)
  client = await world.client()
})
afterAll(() => world[Symbol.asyncDispose]())

const one = async (text: string, by = client) => Object.values((await by.query(text)).rows[0])[0]
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.code,
  )

/** Another caller uses the engine in between. */
const interleave = () => world.rest('/items?select=id&limit=1')

describe('a session', () => {
  it('runs as the project’s owner in the project’s schema', async () => {
    expect(await one('select current_user || current_schema')).toBe('proj_north_ownerproj_north')
  })

  it('reports server version 18', async () => {
    const answer = await one("select current_setting('server_version') || version()")
    expect(answer).toMatch(/^18\..*PostgreSQL 18/)
  })

  onlyEmbedded('a server’s login has one name').describe('opens', () => {
    it.each(['north', 'proj_north', 'proj_north_owner'])('for user %s', async (user) => {
      const url = new URL(world.url)
      url.username = user
      const mine = await world.client({ connectionString: url.href, database: 'whatever' })
      expect(await one('select current_user || session_user', mine)).toBe(
        'proj_north_ownerproj_north_owner',
      )
      await mine.end()
    })
  })

  it('keeps its settings, search path and prepared statements while other sessions work', async () => {
    await client.query(
      `set timezone = 'America/Sao_Paulo'; set app.me = 'ana'; set work_mem = '1MB'`,
    )
    const insert = { name: 'insert item', text: 'insert into items values ($1, $2)' }
    await client.query({ ...insert, values: [1, 'a'] })
    await interleave()
    await client.query({ ...insert, values: [2, 'b'] })
    expect(
      await one(
        `select concat_ws(' ', current_setting('timezone'), current_setting('app.me'), current_setting('work_mem'), current_schema)`,
      ),
    ).toBe('America/Sao_Paulo ana 1MB proj_north')
  })

  it('shares no setting with another session', async () => {
    const mine = await world.client({ application_name: 'mine' })
    expect(
      await one(
        `select concat_ws(' ', current_setting('timezone'), current_setting('app.me', true), current_setting('application_name'))`,
        mine,
      ),
    ).toMatch(/^(UTC|GMT) +mine$/)
    await mine.end()
  })

  it('starts with the settings that the client requests, and returns to these settings after DISCARD ALL', async () => {
    const mine = await world.client({ options: '-c datestyle=German -c statement_timeout=5000' })
    await mine.query('set datestyle = ISO')
    await interleave()
    await mine.query('discard all')
    expect(await one("select date '2026-11-21'::text", mine)).toBe('21.11.2026')
    await mine.end()
  })

  it('keeps channels and advisory locks while other sessions work', async () => {
    const heard: string[] = []
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await client.query('listen news; select pg_advisory_lock(7)')
    await interleave()
    await client.query(`notify news, 'hello'`)
    expect(await one('select pg_advisory_unlock(7)')).toBe(true)
    expect(heard).toEqual(['hello'])
  })

  embedded.it('is refused a temporary table that others would take away', async () => {
    for (const text of [
      'create temporary table passing (id int)',
      'create temp view passing as select 1',
      'create table pg_temp.passing as select 1',
      'select 1 as id into temp passing',
      'create temporary sequence passing',
    ])
      await expect(client.query(text)).rejects.toMatchObject({
        code: '0A000',
        hint: expect.stringContaining('inside one transaction'),
      })
  })

  embedded.it(
    'has temporary tables inside a transaction, and gets a notice for those it leaves behind',
    async () => {
      const notices: string[] = []
      client.on('notice', ({ message }) => notices.push(message ?? ''))
      await client.query('begin; create temporary table passing (id int) on commit drop')
      await client.query('insert into passing values (1)')
      expect(await one('select count(*)::int from passing')).toBe(1)
      await client.query('commit')
      expect(notices).toEqual([])
      await client.query('begin; create temporary table lasting (id int); commit')
      expect(notices.join()).toMatch(/temporary objects of this transaction were dropped/)
      await expect(client.query('select * from lasting')).rejects.toMatchObject({ code: '42P01' })
      client.removeAllListeners('notice')
    },
  )

  it('reads a cursor inside a transaction', async () => {
    await client.query('begin; declare c cursor for select 7 as seven')
    expect((await client.query('fetch c')).rows).toEqual([{ seven: 7 }])
    await client.query('commit')
  })

  embedded.describe('is refused', () => {
    it.each(['vacuum', 'analyze', 'vacuum (verbose)', 'cluster'])(
      'for %s without a table, which would include the tables of every project',
      async (text) => {
        await expect(client.query(text)).rejects.toMatchObject({ code: '0A000' })
      },
    )
  })

  it.each(['vacuum items', 'analyze items'])('runs %s', async (text) => {
    await expect(client.query(text)).resolves.toBeDefined()
  })

  it('keeps its last sequence values while another session uses the sequences', async () => {
    const mine = await world.client()
    const theirs = await world.client()
    await mine.query(
      'create sequence counter; create table counted (id int generated always as identity, x int)',
    )
    await mine.query("select nextval('counter'), nextval('counter')")
    await mine.query('insert into counted (x) values (1)')
    await interleave()
    await theirs.query("select nextval('counter')")
    await expect(theirs.query("select currval('counted_id_seq')")).rejects.toMatchObject({
      code: '55000',
    })
    expect(await one('select lastval()::int', theirs)).toBe(3)
    expect(await one('select lastval()::int', mine)).toBe(1)
    expect(await one("select currval('counter')::int", mine)).toBe(2)
    expect(await one("select currval('counted_id_seq')::int", mine)).toBe(1)
    expect(await one("select nextval('counter')::int", mine)).toBe(4)
    await mine.query('discard sequences')
    await interleave()
    await expect(mine.query('select lastval()')).rejects.toMatchObject({ code: '55000' })
    expect(await one("select currval('counter')::int", theirs)).toBe(3)
    await Promise.all([mine.end(), theirs.end()])
  })

  it('reports an error with its fields and stays usable', async () => {
    const failed = client.query('insert into items values (1)')
    await expect(failed).rejects.toMatchObject({
      code: '23505',
      table: 'items',
      schema: 'proj_north',
      constraint: 'items_pkey',
    })
    expect(await one('select 1')).toBe(1)
  })

  it('handles several results, empty queries, nulls and parameters of many types', async () => {
    const results = (await client.query(
      'select 1 as a; select 2 as b',
    )) as unknown as pg.QueryResult[]
    expect(results.map(({ rows }) => rows)).toEqual([[{ a: 1 }], [{ b: 2 }]])
    await client.query('')
    const { rows } = await client.query('select $1::jsonb as j, $2::int[] as l, $3::text as n', [
      { a: 1 },
      [1, 2],
      null,
    ])
    expect(rows).toEqual([{ j: { a: 1 }, l: [1, 2], n: null }])
  })

  it('returns a result of several megabytes completely', async () => {
    const { rows } = await client.query(
      "select repeat('x', 1000) as x from generate_series(1, 8000)",
    )
    expect(rows.length).toBe(8_000)
  })
})

describe('a transaction', () => {
  it('hides its uncommitted rows from other callers', async () => {
    await client.query('begin; insert into items values (51)')
    const reading = world.rest('/items?id=eq.51')
    await client.query('rollback')
    expect(await reading).toEqual([])
  })

  embedded.it('blocks all other work', async () => {
    await client.query('begin')
    await client.query('insert into items values (50)')
    let answered = false
    const reading = world.rest('/items?id=eq.50').then((rows) => {
      answered = true
      return rows
    })
    await client.query('select 1')
    expect(answered).toBe(false)
    await client.query('rollback')
    expect(await reading).toEqual([])
  })

  it('is visible over REST after the commit, including new tables', async () => {
    await client.query(
      'begin; create table fresh (id int primary key); insert into fresh values (1)',
    )
    await client.query('commit')
    // A server reports the new table after the commit (docs/guide/engines.md).
    if (TEST_DATABASE_URL !== undefined)
      await untilAsync(async () => Array.isArray(await world.rest('/fresh')))
    expect(await world.rest('/fresh')).toEqual([{ id: 1 }])
  })

  it('fails as a whole, and can return to a savepoint', async () => {
    await client.query('begin')
    await client.query('savepoint here')
    expect(await codeOf(client.query('select 1/0'))).toBe('22012')
    expect(await codeOf(client.query('select 1'))).toBe('25P02')
    await client.query('rollback to here')
    expect(await one('select 1')).toBe(1)
    await client.query('commit')
  })

  it('checks deferred constraints at the commit', async () => {
    await client.query('begin; insert into children values (404)')
    expect(await codeOf(client.query('commit'))).toBe('23503')
  })

  it('is rolled back when its client dies', async () => {
    const mine = await world.client()
    await mine.query('begin; insert into items values (60)')
    const socket = (mine as unknown as { connection: { stream: { destroy(): void } } }).connection
    socket.stream.destroy()
    expect(await world.rest('/items?id=eq.60')).toEqual([])
  })

  it('reads with a cursor', async () => {
    await client.query('begin; declare c cursor for select generate_series(1, 5)')
    const { rows } = await client.query('fetch 3 from c')
    await client.query('commit')
    expect(rows.length).toBe(3)
  })
})

describe('a client may not', () => {
  const onEngine = (code: string, onServer: string) =>
    TEST_DATABASE_URL === undefined ? code : onServer

  it.each([
    // A server has no role `postgres`, because the platform's account has another name.
    ['set role postgres', '42501', '22023'],
    ['set session authorization postgres', '42501', '22023'],
    ["select set_config('role', 'postgres', false)", '42501', '22023'],
    ['set role proj_south_owner', '42501'],
    // On a server, other projects are in other databases.
    ['select * from proj_south.items', '42501', '42P01'],
    ['set search_path = proj_south; select * from items', '42P01'],
    ['create schema mine', '42501'],
    ['create role mine', '42501'],
    ['alter role current_user superuser', '42501'],
    ['drop owned by anon', '42501'],
    ["copy items to '/tmp/x'", '42501'],
    ["copy items from program 'id'", '42501'],
    ['select * from pg_authid', '42501'],
    ['set exit_on_error = on', '55P02', 'done'],
    ['drop schema proj_north cascade', '42501'],
    ['alter schema proj_north owner to postgres', '42501', '42704'],
    ['alter schema proj_north rename to mine', '42501'],
    ['alter database postgres owner to postgres', '42501', '42704'],
    ['alter function auth.uid() owner to postgres', '42501', '42704'],
    ["comment on schema proj_north is 'mine'", '42501'],
  ])('%s', async (text, code, onServer = code) => {
    const mine = await world.client()
    expect(await codeOf(mine.query(text))).toBe(onEngine(code, onServer))
    expect(await one('select current_user', mine)).toBe('proj_north_owner')
    await mine.end()
  })

  it('leave its role with RESET or DISCARD', async () => {
    const mine = await world.client()
    for (const text of ['reset role', 'reset session authorization', 'discard all', 'reset all'])
      await mine.query(text)
    expect(await one("select current_user || current_setting('search_path')", mine)).toMatch(
      /^proj_north_owner"?proj_north"?, extensions$/,
    )
    await mine.end()
  })

  it('log in with another project’s password, an old one or none', async () => {
    const url = new URL(world.url)
    const wrong = [new URL(world.otherUrl).password, 'nonsense']
    for (const password of wrong) {
      url.password = password
      expect(await codeOf(world.client({ connectionString: url.href }))).toBe('28P01')
    }
    url.username = 'nobody'
    expect(await codeOf(world.client({ connectionString: url.href }))).toBe('28P01')
  })

  it.each([
    ['-c role=postgres', '42704', '22023'],
    ['-c session_authorization=postgres', '42704', '22023'],
    ['-c nonsense=1', '42704'],
    ['-c timezone=Nowhere', '22023'],
    ['-c max_connections=1', '42501', '55P02'],
  ])('connect with the options %s', async (options, code, onServer = code) => {
    expect(await codeOf(world.client({ options }))).toBe(onEngine(code, onServer))
    expect(await one('select current_user')).toBe('proj_north_owner')
  })
})

onlyEmbedded('a server’s sessions are not recorded').describe('the journal', () => {
  it('records logins and statements, with row counts and errors', async () => {
    const mine = await world.client()
    await mine.query('select name from items where id = $1', [1])
    await codeOf(mine.query('selekt'))
    await mine.end()
    const { body } = await world.at.call('GET', '/_emulator/v1/journal?limit=3')
    expect(
      body.entries.map((entry: Record<string, unknown>) => [
        entry['service'],
        entry['method'],
        entry['target'],
        entry['status'],
        entry['schema_name'],
        entry['row_count'],
        entry['error_code'],
      ]),
    ).toEqual([
      ['postgres', 'SELEKT', 'selekt', 400, 'proj_north', null, '42601'],
      ['postgres', 'SELECT', 'select name from items where id = $1', 200, 'proj_north', 1, null],
      ['postgres', 'LOGIN', 'proj_north_owner', 200, 'proj_north', null, null],
    ])
  })
})

describe('a connection string', () => {
  it('is returned by its route, and becomes invalid when the project’s keys are regenerated', async () => {
    const path = `/platform/v1/projects/proj_north`
    const { groups } = await world.at.emulator.ready(world.at.url)
    const north = groups.flatMap(({ tenants }) => tenants).find(({ slug }) => slug === 'north')
    const answer = await world.at.call('GET', `${path}/db/connection-string`, {
      credential: north?.management_key ?? '',
    })
    expect(answer.body).toEqual({ connection_string: world.url })
    const mine = await world.client()
    const ended = new Promise((resolve) => mine.once('error', resolve))
    const replaced = await world.at.call('POST', `${path}/keys/regenerate`, {
      credential: world.at.session,
    })
    expect(replaced.status).toBeLessThan(300)
    expect(await ended).toMatchObject({ code: '57P01' })
    expect(await codeOf(world.client())).toBe('28P01')
  })
})
