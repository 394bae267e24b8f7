// psql, `pg` and migration tools together with other traffic: REST under load, row changes to subscribers, several clients.
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresWorld, PSQL, startPostgresWorld } from '../../support/postgres-world.ts'

const SQL = `
  create table counters (id integer primary key, value integer not null default 0);
  create table entries (id serial primary key, author text, at timestamptz default now());`

let world: PostgresWorld
beforeAll(async () => {
  world = await startPostgresWorld(SQL)
  const client = await world.client()
  await client.query('insert into counters (id) values (1), (2)')
})
afterAll(() => world[Symbol.asyncDispose]())

const numberOf = async (client: pg.Client, text: string) =>
  Number(Object.values((await client.query(text)).rows[0])[0])

describe('clients and REST at once', () => {
  it('never see each other’s transactions, settings or prepared statements', async () => {
    let isOver = false
    const statuses = new Map<number, number>()
    const torn: unknown[] = []
    const readOverRest = async () => {
      while (!isOver) {
        const answer = await world.at.call('GET', '/counters?select=value&order=id', {
          credential: world.tenant.serviceRoleKey,
          headers: { apikey: world.tenant.anonKey, 'accept-profile': world.tenant.schemaName },
        })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const [first, second] = answer.body
        if (first.value !== second.value) torn.push(answer.body)
      }
    }
    const work = async (name: string) => {
      const client = await world.client({ application_name: name })
      await client.query(`set app.name = '${name}'`)
      for (let round = 0; round < 25; round++) {
        await client.query('begin')
        await client.query({
          name: 'add',
          text: 'update counters set value = value + $1 where id = 1',
          values: [1],
        })
        await client.query('update counters set value = value + 1 where id = 2')
        await client.query(round % 5 === 4 ? 'rollback' : 'commit')
        const { rows } = await client.query({
          name: `mine`,
          text: `insert into entries (author) values ($1) returning author = current_setting('app.name') as own`,
          values: [name],
        })
        expect(rows).toEqual([{ own: true }])
      }
      await client.end()
    }
    const readers = [readOverRest(), readOverRest(), readOverRest()]
    await Promise.all(['ana', 'bob', 'eve', 'joe'].map(work))
    if (PSQL !== undefined)
      for (let round = 0; round < 3; round++)
        expect(
          await world.psql('begin;\nupdate counters set value = value + 1;\nrollback;\n'),
        ).toMatchObject({
          err: '',
          out: 'BEGIN\nUPDATE 2\nROLLBACK\n',
        })
    isOver = true
    await Promise.all(readers)
    expect(torn).toEqual([])
    expect([...statuses.keys()]).toEqual([200])
    expect(statuses.get(200)).toBeGreaterThan(20)
    const client = await world.client()
    expect(await numberOf(client, 'select value from counters where id = 1')).toBe(80)
    expect(await numberOf(client, 'select count(*) from entries')).toBe(100)
  }, 120_000)

  it('see the earlier value after one of two open transactions was rolled back', async () => {
    const [first, second] = [await world.client(), await world.client()]
    await first.query('begin; update counters set value = -1 where id = 1')
    const waiting = second.query('begin; select value from counters where id = 1')
    await first.query('rollback')
    await waiting
    await second.query('commit')
    expect(await numberOf(second, 'select value from counters where id = 1')).toBe(80)
  })
})

describe('a migration tool', () => {
  it('locks, reads the catalogues, migrates in a transaction and records its work', async () => {
    const tool = await world.client({ application_name: 'migrate' })
    await tool.query('select version(); show server_version; set client_encoding to utf8')
    await tool.query('select pg_advisory_lock(72707369)')
    await tool.query(
      'create table if not exists migrations (id serial primary key, name text unique)',
    )
    const { rows: tables } = await tool.query(
      `select table_name from information_schema.tables where table_schema = current_schema() order by 1`,
    )
    expect(tables.map(({ table_name: name }) => name)).toContain('migrations')
    await tool.query('begin')
    await tool.query(`create table invoices (id uuid primary key default gen_random_uuid(), total numeric(10, 2) not null);
      create index on invoices (total);
      create or replace function total_of(invoice uuid) returns numeric language sql as 'select total from invoices where id = $1';
      alter table invoices add column entry integer references entries`)
    await tool.query('insert into migrations (name) values ($1)', ['001_invoices'])
    await tool.query('commit')
    const { rows: columns } = await tool.query(
      `select column_name, data_type, is_nullable from information_schema.columns
       where table_schema = $1 and table_name = $2 order by ordinal_position`,
      ['proj_north', 'invoices'],
    )
    expect(columns.map(({ column_name: name }) => name)).toEqual(['id', 'total', 'entry'])
    const { rows: keys } = await tool.query(
      `select conname, pg_get_constraintdef(oid) as definition from pg_catalog.pg_constraint
       where conrelid = 'invoices'::regclass and contype = 'f'`,
    )
    expect(keys[0].definition).toBe('FOREIGN KEY (entry) REFERENCES entries(id)')
    expect((await tool.query('select pg_advisory_unlock(72707369) as done')).rows).toEqual([
      { done: true },
    ])
    expect(await world.rest('/invoices?select=*,entries(*)')).toEqual([])
  })

  it('undoes a migration that failed half-way, including new tables', async () => {
    const tool = await world.client()
    await tool.query('begin; create table half (id int)')
    await expect(tool.query('alter table nothing add column x int')).rejects.toMatchObject({
      code: '42P01',
    })
    await tool.query('rollback')
    expect(await numberOf(tool, "select count(*) from pg_class where relname = 'half'")).toBe(0)
  })

  it('sees no table of another tenant in information_schema', async () => {
    const tool = await world.client()
    const { rows } = await tool.query(
      `select distinct table_schema from information_schema.tables where table_schema like 'proj%'`,
    )
    expect(rows).toEqual([{ table_schema: 'proj_north' }])
  })
})
