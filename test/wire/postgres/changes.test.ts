// Row changes through the Postgres port reach subscribers only after the commit.

import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RowWorld, startRowWorld } from '../../support/row-world.ts'
import { until } from '../../support/until.ts'

const SQL = `
  create table notes (id integer primary key, body text);
  alter table notes enable row level security;
  create policy everybody on notes for select using (true);`

let world: RowWorld
let client: pg.Client
beforeAll(async () => {
  world = await startRowWorld(SQL)
  await world.at.emulator.listenPostgres({ port: 0, host: '127.0.0.1' })
  const { groups } = await world.at.emulator.ready(world.at.url)
  const mine = groups
    .flatMap(({ tenants }) => tenants)
    .find(({ schema_name: name }) => name === world.tenant.schemaName)
  client = new pg.Client({ connectionString: mine?.postgres_url ?? '' })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await world[Symbol.asyncDispose]()
})

it('subscribers receive committed changes in order, whatever the client’s settings', async () => {
  const wanted = { event: '*', schema: world.tenant.schemaName, table: 'notes' }
  const watcher = await world.watch(await world.tokenFor(world.tenant.anonKey), wanted)
  await client.query('set default_transaction_read_only = on')
  await client.query('begin read write; insert into notes values (1, $$a$$)')
  await client.query('rollback')
  await client.query('begin read write; insert into notes values (2, $$b$$)')
  await client.query('update notes set body = $$c$$')
  await client.query('commit')
  await until(() => watcher.events.length >= 2)
  expect(watcher.events.map(({ eventType, new: row }) => [eventType, row])).toEqual([
    ['INSERT', { id: 2, body: 'b' }],
    ['UPDATE', { id: 2, body: 'c' }],
  ])
})

it('a subscriber receives all rows of one statement, from a client whose transactions are read-only by default', async () => {
  const wanted = { event: '*', schema: world.tenant.schemaName, table: 'notes' }
  const watcher = await world.watch(await world.tokenFor(world.tenant.anonKey), wanted)
  await client.query('set default_transaction_read_only = on')
  await client.query(
    'begin read write; insert into notes select n, repeat($$x$$, 200) from generate_series(1001, 1500) as n; commit',
  )
  await until(() => watcher.events.length >= 500)
  expect(watcher.events.map(({ new: row }) => row?.['id'])).toEqual(
    Array.from({ length: 500 }, (_, index) => 1001 + index),
  )
})
