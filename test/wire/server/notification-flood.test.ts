// A tenant that fills the queue of NOTIFY, which all databases of a server share. Another tenant must not be affected: its
// writes, schema changes, subscribers and own notifications continue.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noNativeServer } from '../../support/native-server.ts'
import { type RowWorld, startRowWorld, type Watcher } from '../../support/row-world.ts'
import { startSharedServer } from '../../support/shared-server.ts'
import { until, untilAsync } from '../../support/until.ts'

// The smallest queue has 512 KB, so that a test fills it with few notifications. A server that a user provides rarely records
// commit times.
const SETTINGS = ['-c', 'max_notify_queue_pages=64', '-c', 'track_commit_timestamp=off']
const QUEUE_FULL = '54000'
const NOTES = `create table notes (id integer primary key);
alter table notes enable row level security`
const FLOOD = `create function flood() returns void language plpgsql as $$
begin
  for turn in 1..200 loop
    execute format('notify noise, %L', turn || repeat('x', 7000));
  end loop;
end $$`
const floodBlock = (count: number) => `do $$ begin
  perform pg_notify('noise', turn || repeat('x', 7000)) from generate_series(1, ${count}) as turn;
end $$`
/** Sends more notifications than the queue can hold. */
const FLOOD_BLOCK = floodBlock(200)

describe.skipIf(noNativeServer !== undefined)('a tenant that fills the queue of NOTIFY', () => {
  const clients: pg.Client[] = []
  let server: Awaited<ReturnType<typeof startSharedServer>>
  let world: RowWorld
  let watcher: Watcher

  beforeAll(async () => {
    server = await startSharedServer(SETTINGS)
    world = await startRowWorld(NOTES, { engine: 'postgres', databaseUrl: server.url })
    await world.exec(FLOOD, world.neighbour)
    const token = await world.tokenFor(world.tenant.serviceRoleKey)
    watcher = await world.watch(token, { event: '*', schema: 'public', table: 'notes' })
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await world?.[Symbol.asyncDispose]()
    await server?.stop()
  })

  const connect = async (slug: string): Promise<pg.Client> => {
    const { groups } = await world.at.emulator.ready(world.at.url)
    const tenants = groups.flatMap((group) => group.tenants)
    const url = tenants.find((tenant) => tenant.slug === slug)?.postgres_url
    const client = new pg.Client({ connectionString: url ?? '' })
    client.on('error', () => {})
    clients.push(client)
    await client.connect()
    return client
  }

  const call = (path: string, body: unknown, { serviceRoleKey, anonKey } = world.tenant) =>
    world.at.call('POST', path, {
      credential: serviceRoleKey,
      headers: { apikey: anonKey },
      body,
    })

  const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
    work.then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? Reflect.get(error, 'code') : String(error)),
    )

  const ways: readonly (readonly [string, (attacker: pg.Client) => Promise<string>])[] = [
    [
      'psql',
      async (client) => {
        let code: string | undefined
        while (code === undefined) code = await codeOf(client.query(FLOOD_BLOCK))
        return code
      },
    ],
    [
      'a function that REST calls',
      async () => {
        for (;;) {
          const { status, body } = await call('/rpc/flood', {}, world.neighbour)
          if (status >= 300) return body.code
        }
      },
    ],
    [
      'a DO block in db/exec',
      async () => {
        for (;;) {
          const text = await world.exec(FLOOD_BLOCK, world.neighbour).then(() => '', String)
          if (text !== '') return /"54000"/.exec(text)?.[0].slice(1, -1) ?? text
        }
      },
    ],
  ]

  it.each(ways)('blocks no other tenant: %s', async (name, flood) => {
    const first = 10 * (ways.findIndex(([each]) => each === name) + 1)
    const [holder, attacker, other] = [
      await connect('other'),
      await connect('other'),
      await connect('acme'),
    ]
    await holder.query('listen noise')
    await holder.query('begin; select 1')
    expect(await flood(attacker)).toBe(QUEUE_FULL)

    await world.exec(`create table made_${first} (id integer)`)
    expect((await call(`/made_${first}`, { id: 1 })).status).toBe(201)
    expect((await call('/notes', { id: first })).status).toBe(201)
    await other.query(
      `create table theirs_${first} (id integer); insert into notes values (${first + 1})`,
    )
    await other.query(`begin; insert into notes values (${first + 2}); commit`)
    const ids = () => watcher.events.map(({ new: row }) => row.id).filter((id) => id >= first)
    await until(() => ids().length === 3)
    expect(ids()).toEqual([first, first + 1, first + 2])
    await untilAsync(async () => (await call(`/theirs_${first}`, { id: 1 })).status === 201)
    await untilAsync(async () => (await codeOf(other.query(`notify own, 'x'`))) === undefined)
    expect(watcher.system).toHaveLength(1)
  })

  it('is disconnected when it listens and does not read', async () => {
    const [holder, attacker, other] = [
      await connect('other'),
      await connect('other'),
      await connect('acme'),
    ]
    await holder.query('listen noise')
    const { rows } = await holder.query('select pg_backend_pid() as pid')
    const admin = new pg.Client({ connectionString: server.url })
    clients.push(admin)
    await admin.connect()
    holder.connection.stream.pause()
    await untilAsync(async () => {
      await codeOf(attacker.query(floodBlock(20)))
      const sessions = 'select from pg_stat_activity where pid = $1'
      return (await admin.query(sessions, [rows[0].pid])).rowCount === 0
    }, 30_000)
    await untilAsync(async () => (await codeOf(other.query(`notify own, 'x'`))) === undefined)
    holder.connection.stream.destroy()
  })
})
