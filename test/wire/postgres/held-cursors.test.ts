// Cursors WITH HOLD, whose rows stay available after their transaction. On the embedded engine, other sessions use the single
// backend meanwhile.
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { onlyEmbedded } from '../../support/engine-of-run.ts'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'

const SQL = `create type mood as enum ('good', 'bad');
create table notes (id int primary key, title text, mood mood default 'good', tags text[], at timestamptz)`
const ROWS = `insert into notes
select n, 'note ' || n, 'bad', array['a,b', '"', '\\', null], '2026-01-01' from generate_series(1, 25000) n`

let world: PostgresWorld
let client: pg.Client
beforeAll(async () => {
  world = await startPostgresWorld(SQL)
  client = await world.client()
  await client.query(ROWS)
})
beforeEach(async () => {
  await client.query('rollback; close all')
})
afterAll(() => world[Symbol.asyncDispose]())

/** Other work that uses the backend: another project's client and a request. */
async function others(): Promise<void> {
  const other = await world.client({ connectionString: world.otherUrl })
  await other.query(`set work_mem = '1MB'; select 1`)
  await world.rest('/notes?id=eq.1')
  await other.end()
}

async function column(text: string): Promise<readonly unknown[]> {
  const { rows } = await client.query<Record<string, unknown>>(text)
  return rows.map((row) => Object.values(row)[0])
}

describe('a cursor WITH HOLD', () => {
  it('keeps its position and its rows while other clients work', async () => {
    await client.query('declare c no scroll cursor with hold for select id from notes order by id')
    expect(await column('fetch 2 from c')).toEqual([1, 2])
    await others()
    await client.query('delete from notes where id > 24990')
    expect(await column('fetch 2 from c')).toEqual([3, 4])
    await others()
    expect((await column('fetch all from c')).length).toBe(24_996)
    await others()
    expect(await column('fetch 1 from c')).toEqual([])
    await client.query('close c')
    await others()
    await expect(client.query('fetch c')).rejects.toMatchObject({ code: '34000' })
  })

  it('is stored when its transaction commits, and dropped when it rolls back', async () => {
    await client.query('begin; declare c cursor with hold for select 7 as seven; commit')
    await client.query('begin; declare d cursor with hold for select 8; rollback')
    await others()
    expect((await client.query('fetch c')).rows).toEqual([{ seven: 7 }])
    await expect(client.query('fetch d')).rejects.toMatchObject({ code: '34000' })
  })

  it('returns the same values, types and column names as its query', async () => {
    await client.query(
      `set client_encoding = 'UTF8'; set datestyle = 'German'; set timezone = 'Asia/Tokyo'`,
    )
    const select = `select id, title, mood, tags, at, null::int as "No""thing", 'ü''\\"' as odd, 1.50::numeric(5, 2) as price,
      '\\x00ff'::bytea as bytes, '{"a": [1]}'::jsonb as doc, 'x'::char(3) as padded, b'101' as bits, interval '1 day 2 h' as span
      from notes where id = 3`
    const expected = await client.query(select)
    await client.query(`declare "Odd ""name" cursor with hold for ${select}`)
    await others()
    const found = await client.query('fetch all from "Odd ""name"')
    expect(found.rows).toEqual(expected.rows)
    expect(found.fields.map(({ name, dataTypeID }) => [name, dataTypeID])).toEqual(
      expected.fields.map(({ name, dataTypeID }) => [name, dataTypeID]),
    )
    await client.query('reset all')
  })

  it('scrolls backwards, also after other clients worked', async () => {
    const text = 'select n from generate_series(1, 4) as n'
    await client.query(`declare start scroll cursor with hold for ${text};
      declare first scroll cursor with hold for ${text}; declare middle scroll cursor with hold for ${text};
      declare done scroll cursor with hold for ${text};
      move 1 from first; move 3 from middle; move all from done`)
    await others()
    expect(await column('fetch next from start')).toEqual([1])
    expect(await column('fetch relative 0 from first')).toEqual([1])
    expect(await column('fetch prior from middle')).toEqual([2])
    expect(await column('fetch backward all from done')).toEqual([4, 3, 2, 1])
  })

  it('can be read again under its name after it was closed', async () => {
    await client.query(
      'declare c cursor with hold for select 1; close c; declare c cursor with hold for select 2',
    )
    await others()
    expect(await column('fetch c')).toEqual([2])
    await client.query('close all; declare d cursor with hold for select 4')
    await others()
    expect(await column('fetch d')).toEqual([4])
  })

  it('is visible only in its session', async () => {
    await client.query('declare c cursor with hold for select 1')
    const colleague = await world.client()
    await expect(colleague.query('fetch c')).rejects.toMatchObject({ code: '34000' })
    await colleague.query('declare c cursor with hold for select 2')
    expect(await column('fetch c')).toEqual([1])
    expect((await colleague.query('fetch c')).rows).toEqual([{ '?column?': 2 }])
    await client.query('discard all')
    await others()
    await expect(client.query('fetch c')).rejects.toMatchObject({ code: '34000' })
  })

  onlyEmbedded('a server stores them in the session').it(
    'is lost when it is binary, has a row as a column, or has more than 32 million characters',
    async () => {
      await client.query(
        `declare wide cursor with hold for select repeat('x', 1 << 20) from generate_series(1, 33);
         declare compact binary cursor with hold for select 1; declare whole cursor with hold for select row(1, 2);
         declare narrow cursor with hold for select 1`,
      )
      await others()
      for (const name of ['wide', 'compact', 'whole'])
        await expect(client.query(`fetch ${name}`)).rejects.toMatchObject({ code: '34000' })
      expect(await column('fetch narrow')).toEqual([1])
    },
  )
})
