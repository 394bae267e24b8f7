// Row changes on a server, made by other programs such as psql, and by many writers at once. Every change arrives exactly once,
// in the order of commits.
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ManualClock, SystemClock } from '../../../../emulator/core/clock.ts'
import { SystemIdSource } from '../../../../emulator/core/id-source.ts'
import { type SchemaName, trusted } from '../../../../emulator/core/names.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import {
  type ChangeFeed,
  createChangeFeed,
} from '../../../../emulator/database/changes/change-feed.ts'
import type { RowChange } from '../../../../emulator/database/changes/row-change.ts'
import { cellText } from '../../../../emulator/database/engine.ts'
import { PostgresEngine } from '../../../../emulator/database/postgres/postgres-engine.ts'
import { describeServer } from '../../../../emulator/database/postgres/server/given-server.ts'
import type { RunningServer } from '../../../../emulator/database/postgres/server/running-server.ts'
import { literal, script, sql } from '../../../../emulator/database/sql.ts'
import { loadStructure } from '../../../../emulator/database/template/structure.ts'
import { watchSchemaChanges } from '../../../../emulator/database/tenant-schema/ddl-notice.ts'
import {
  ask,
  noNativeServer,
  serverFolder,
  startTestServer,
} from '../../../support/native-server.ts'
import { startServerForEngines, type TestServer } from '../../../support/server-engine.ts'
import { lastCell, runAsOwner, runAsRole } from '../../../support/test-engine.ts'
import { until } from '../../../support/until.ts'

const PROJECT = trusted.schemaName('proj_shop')
const PASSWORD = 'secret'
const COMMITTED_AT = epochMillis(0)

describe.skipIf(noNativeServer !== undefined)('changes on a server', () => {
  const clients: pg.Client[] = []
  const told: RowChange[] = []
  const interruptions: string[] = []
  const schemas: SchemaName[] = []
  const wallClock = new ManualClock(COMMITTED_AT)
  let made: TestServer
  let engine: PostgresEngine
  let feed: ChangeFeed

  beforeAll(async () => {
    made = await startServerForEngines()
    engine = await made.openEngine()
    await engine.projects.create(PROJECT)
    await engine.clients.allow(PROJECT, PASSWORD)
    feed = createChangeFeed(engine, { clock: new ManualClock(COMMITTED_AT), wallClock })
    watchSchemaChanges(engine, (schemaName) => schemas.push(schemaName))
  })

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()))
    told.length = 0
    interruptions.length = 0
  })

  afterAll(() => made.close())

  const connect = async (): Promise<pg.Client> => {
    const { clients: logins } = engine
    const client = new pg.Client({
      ...logins.address,
      ...logins.loginOf(PROJECT),
      password: PASSWORD,
    })
    await client.connect()
    clients.push(client)
    return client
  }

  const listen = (...tables: readonly string[]) =>
    feed.source.subscribe(PROJECT, new Set(tables), {
      onChanges: (some) => told.push(...some),
      onInterrupted: (reason) => interruptions.push(reason),
    })

  const keys = () => told.map(({ row, oldRow }) => (row ?? oldRow)?.texts[0])

  it('are delivered before the caller gets the result of the work', async () => {
    await runAsOwner(engine, PROJECT, 'create table own (id integer primary key)')
    const subscription = await listen('own')
    const seen = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const { notices } = await runAsRole(
          engine,
          PROJECT,
          'service_role',
          [sql`insert into own values (${index})`],
          { requestId: `request-${index}` },
        )
        const own = told.find(({ row }) => row?.texts[0] === String(index))
        return [notices, own?.requestId]
      }),
    )
    expect(seen).toEqual(Array.from({ length: 50 }, (_, index) => [[], `request-${index}`]))
    expect(told.map(({ number }) => number)).toEqual(
      told.map((_, index) => index + (told[0]?.number ?? 0)),
    )
    subscription.close()
  })

  it('are delivered when a procedure committed them before it failed', async () => {
    await runAsOwner(
      engine,
      PROJECT,
      `create table half (id integer primary key);
       create procedure half() language plpgsql as
         $$ begin insert into half values (1); commit; insert into half values (2); raise 'no'; end $$`,
    )
    const subscription = await listen('half')
    await expect(runAsOwner(engine, PROJECT, 'call half()')).rejects.toThrow('no')
    expect(keys()).toEqual(['1'])
    subscription.close()
  })

  it('arrive once when they alter the schema, before the caller gets the result of the work', async () => {
    await runAsOwner(engine, PROJECT, 'select')
    schemas.length = 0
    const { notices } = await runAsOwner(engine, PROJECT, 'create table told (id integer)')
    expect([schemas, notices]).toEqual([[PROJECT], []])
  })

  it('arrive when other programs alter the schema, even without subscribers', async () => {
    await runAsOwner(engine, PROJECT, 'select')
    const client = await connect()
    schemas.length = 0
    const notices: unknown[] = []
    client.on('notice', (notice) => notices.push(notice))
    await client.query('create table theirs (id integer)')
    await until(() => schemas.includes(PROJECT))
    expect(notices).toEqual([])
  })

  it('still reach their subscribers after the project’s connections were ended', async () => {
    await runAsOwner(engine, PROJECT, 'create table moved (id integer primary key)')
    const subscription = await listen('moved')
    const release = await engine.room.evict(PROJECT)
    const database = literal(engine.clients.loginOf(PROJECT).database)
    const sessions = sql`select count(*) from pg_stat_activity where datname = ${database}`
    const [found] = await engine.admin('cluster', script([sessions]))
    release()
    await runAsRole(engine, PROJECT, 'service_role', [sql`insert into moved values (1)`])
    await until(() => told.length === 1)
    expect([cellText(found?.rows[0]?.[0]), interruptions]).toEqual(['0', []])
    subscription.close()
  })

  it('interrupt their subscribers when rows changed while no connection listened', async () => {
    await runAsOwner(engine, PROJECT, 'create table slipped (id integer primary key)')
    await listen('slipped')
    const release = await engine.room.evict(PROJECT)
    const client = await connect()
    await client.query('insert into slipped values (1)')
    release()
    await until(() => interruptions.length > 0)
    expect(told).toEqual([])
  })

  it('are captured by triggers that no structure contains, until the last subscriber leaves', async () => {
    await runAsOwner(engine, PROJECT, 'create table passing (id integer primary key)')
    const count = sql`select count(*) from pg_trigger where tgrelid = 'passing'::regclass`
    const counts = async () => [
      lastCell(await runAsRole(engine, PROJECT, 'service_role', [count])),
      (await loadStructure(engine, PROJECT)).triggers.length,
    ]
    const before = (await counts())[1]
    const subscription = await listen('passing')
    const captured = await counts()
    subscription.close()
    wallClock.advance(10_000)
    await listen('absent')
    expect([captured, await counts()]).toEqual([
      ['3', before],
      ['0', before],
    ])
  })

  it('contain the changed rows', async () => {
    const client = await connect()
    await client.query('create table note (id integer primary key, body text)')
    const subscription = await listen('note')
    await client.query(
      "insert into note values (1, 'a'); update note set body = 'b'; delete from note",
    )
    await until(() => told.length === 3)
    expect(told.map(({ kind, row }) => [kind, row?.texts[1]])).toEqual([
      ['INSERT', 'a'],
      ['UPDATE', 'b'],
      ['DELETE', undefined],
    ])
    subscription.close()
  })

  it('arrive once and in the order of commits when 8 connections write 4000 rows', async () => {
    const writers = await Promise.all(Array.from({ length: 8 }, connect))
    await writers[0]?.query(
      'create table counter (id integer primary key, n integer); insert into counter select n, 0 from generate_series(1, 3) n',
    )
    const subscription = await listen('counter')
    await Promise.all(
      writers.map(async (client) => {
        for (let turn = 0; turn < 500; turn++)
          await client.query('update counter set n = n + 1 where id = $1', [1 + (turn % 3)])
      }),
    )
    await until(() => told.length === 4000)
    for (const id of ['1', '2', '3']) {
      const versions = told.filter(({ row }) => row?.texts[0] === id)
      expect(versions.map(({ row }) => Number(row?.texts[1]))).toEqual(
        versions.map((_, index) => index + 1),
      )
    }
    subscription.close()
  })

  it('arrive in the order of commits, also when tenants defer constraints', async () => {
    const [one, two] = await Promise.all([connect(), connect()])
    await one.query(`create table slow (id integer primary key);
      create function pause() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.1); return null; end $$;
      create constraint trigger pause after insert on slow deferrable initially deferred
        for each row execute function pause()`)
    const subscription = await listen('slow')
    await one.query('begin; insert into slow values (1)')
    await two.query('begin; set constraints all immediate; insert into slow values (2)')
    await Promise.all([one.query('commit'), two.query('commit')])
    await one.query('insert into slow values (3)')
    await until(() => told.length === 3)
    expect(keys()).toEqual(['2', '1', '3'])
    subscription.close()
  })

  it('do not arrive when they are rolled back', async () => {
    const client = await connect()
    await client.query('create table undone (id integer primary key)')
    const subscription = await listen('undone')
    await client.query('begin; insert into undone values (1); rollback')
    await client.query(
      'begin; insert into undone values (2); savepoint s; insert into undone values (3); rollback to s; commit',
    )
    await until(() => told.length === 1)
    expect(keys()).toEqual(['2'])
    subscription.close()
  })

  it.each([
    ['drop a trigger', 'drop trigger platform_capture_insert on kept'],
    [
      'replace a trigger',
      'create or replace trigger platform_capture_insert after insert on kept for each statement execute function suppress_redundant_updates_trigger()',
    ],
    ['announce rows', "select platform.announce_commit('rows', 'x')"],
    [
      'use the function',
      'create trigger forged after insert on kept referencing new table as new_rows for each statement execute function platform.capture_inserted()',
    ],
    ['read the outbox', 'select * from platform.row_changes'],
  ])('cannot be hidden or forged: no owner can %s', async (_, text) => {
    const client = await connect()
    await client.query('create table if not exists kept (id integer primary key)')
    const subscription = await listen('kept')
    await expect(client.query(text)).rejects.toThrow(pg.DatabaseError)
    subscription.close()
  })

  it.each([
    ['disables its triggers', 'alter table kept disable trigger user'],
    ['disables a capture trigger', 'alter table kept disable trigger platform_capture_insert'],
    ['renames a trigger', 'alter trigger platform_capture_insert on kept rename to other'],
    ['announces commits that do not exist', "notify tenantry_commits, 'rows 3'"],
  ])('still arrive when the owner %s', async (_, text) => {
    const client = await connect()
    await client.query('create table if not exists kept (id integer primary key); truncate kept')
    const subscription = await listen('kept')
    await client.query(text)
    await client.query('insert into kept values (1)')
    await until(() => told.length === 1)
    subscription.close()
  })

  it('are delivered beside the schema changes of other programs', async () => {
    const client = await connect()
    await client.query('create table wider (id integer primary key)')
    const subscription = await listen('wider')
    schemas.length = 0
    await client.query(
      'insert into wider values (1); alter table wider add more text; insert into wider values (2, $$x$$)',
    )
    await until(() => told.length === 2)
    await until(() => schemas.includes(PROJECT))
    expect(told.map(({ row }) => row?.texts)).toEqual([['1'], ['2', 'x']])
    subscription.close()
  })

  it('are captured in a database that an earlier version of Tenantry prepared', async () => {
    const earlier = trusted.schemaName('proj_earlier')
    await engine.projects.create(earlier)
    await runAsOwner(engine, earlier, 'create table kept (id integer primary key)')
    const outbox = sql`create table platform.row_changes (id bigint generated always as identity)`
    await engine.admin(earlier, script([outbox, sql`select platform.adopt_schema('platform')`]))
    const subscription = await feed.source.subscribe(earlier, new Set(['kept']), {
      onChanges: (some) => told.push(...some),
      onInterrupted: (reason) => interruptions.push(reason),
    })
    await runAsOwner(engine, earlier, 'insert into kept values (1)')
    expect([keys(), interruptions]).toEqual([['1'], []])
    subscription.close()
  })

  it('interrupt their subscribers when the reading connection ends', async () => {
    const client = await connect()
    await client.query('create table cut (id integer primary key)')
    await listen('cut')
    const reading = sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and datname like '%proj_shop'`
    await engine.admin('cluster', script([reading]))
    await until(() => interruptions.length > 0)
    const subscription = await listen('cut')
    await client.query('insert into cut values (1)')
    await until(() => told.length === 1)
    subscription.close()
  })
})

describe.skipIf(noNativeServer !== undefined)('an account that is not a superuser', () => {
  const folder = serverFolder()
  let native: RunningServer
  let engine: PostgresEngine

  beforeAll(async () => {
    native = await startTestServer(folder.path)
    const { host, port } = native.clientAddress
    await ask(native.address, `create role plain login createrole createdb bypassrls password 'p'`)
    await ask(native.address, 'create database plain owner plain')
    const ids = new SystemIdSource()
    const server = await describeServer({
      url: `postgres://plain:p@${host}:${port}/plain`,
      folder: join(folder.path, 'given'),
      ids,
    })
    const wallClock = new SystemClock()
    engine = new PostgresEngine({ server, wallClock, preciseNow: () => performance.now(), ids })
    await engine.prepare()
    await engine.projects.create(PROJECT)
  })

  afterAll(async () => {
    await engine.close()
    await native.close()
    folder.remove()
  })

  it('captures rows, and reports changes of the schema that the emulator makes', async () => {
    const told: RowChange[] = []
    const schemas: SchemaName[] = []
    const clock = new ManualClock(COMMITTED_AT)
    const { source } = createChangeFeed(engine, { clock, wallClock: clock })
    watchSchemaChanges(engine, (schemaName) => schemas.push(schemaName))
    await runAsOwner(engine, PROJECT, 'create table plain (id integer primary key)')
    expect(schemas).toEqual([PROJECT])
    await source.subscribe(PROJECT, 'all', {
      onChanges: (some) => told.push(...some),
      onInterrupted: () => {},
    })
    await runAsOwner(engine, PROJECT, 'insert into plain values (1)')
    expect(told.map(({ kind }) => kind)).toEqual(['INSERT'])
  })
})
