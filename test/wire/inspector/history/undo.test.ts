// POST /_emulator/v1/projects/:ref/undo.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPastTenant, type PastTenant } from '../../../support/past-tenant.ts'
import { EVERYTHING, numbers, randomWrite, WRITTEN_SCHEMA } from '../../../support/random-writes.ts'

const SEEDS = [3, 4]
const HISTORIES = 12
const WRITES = 6

let past: PastTenant
beforeAll(async () => {
  past = await openPastTenant(`${WRITTEN_SCHEMA};
    create table stock (id integer primary key, name text unique, count integer);
    create function grow() returns trigger language plpgsql as $$ begin new.count := new.count + 1; return new; end $$;
    create trigger grow before insert or update on stock for each row execute function grow();
    create table items (id integer primary key, stock integer references stock on delete cascade);
    create table words (word text)`)
})
afterAll(() => past[Symbol.asyncDispose]())

const rowsOf = async (sql: string) => (await past.ask(sql)).results[0]?.rows
const stock = () => rowsOf('select id, name, count from stock order by id')

describe('undo', () => {
  it.each(SEEDS)('of everything since a change restores the state, seed %i', async (seed) => {
    const next = numbers(seed)
    for (let round = 0; round < HISTORIES; round++) {
      for (let step = 0; step < 4; step++) await past.write(randomWrite(next))
      const since = (await past.lastSequence()) + 1
      const before = await rowsOf(EVERYTHING)
      for (let step = 0; step < WRITES; step++) await past.write(randomWrite(next))
      if ((await past.lastSequence()) < since) continue
      const { conflicts, is_applied } = await past.undo({ since: String(since), apply: true })
      expect([conflicts, is_applied]).toEqual([[], true])
      expect(await rowsOf(EVERYTHING)).toEqual(before)
    }
  })

  it('of a request shows first what would change, and then changes only that', async () => {
    await past.write(`insert into stock values (1, 'one', 0), (2, 'two', 0)`)
    const request = await past.request('PATCH', '/stock?id=eq.1', { name: 'ONE' })
    await past.request('PATCH', '/stock?id=eq.2', { name: 'TWO' })
    const preview = await past.undo({ request_id: request })
    expect(preview).toMatchObject({
      is_possible: true,
      is_applied: false,
      changes: 1,
      rows: [
        {
          action: 'UPDATE',
          key: { id: '1' },
          columns: { name: ['ONE', 'one'], count: ['2', '1'] },
        },
      ],
    })
    expect((await stock())?.[0]).toEqual(['1', 'ONE', '2'])
    await past.undo({ request_id: request, apply: true })
    expect(await stock()).toEqual([
      ['1', 'one', '1'],
      ['2', 'TWO', '2'],
    ])
  })

  it.each([
    ['an update to equal values', `update items set stock = 1 where id = 50`, 1],
    [
      'a row that comes and goes',
      `insert into items values (60, 1); delete from items where id = 60`,
      1,
    ],
    [
      'two updates of one row',
      `update items set stock = 2 where id = 51; update items set stock = 1 where id = 51`,
      1,
    ],
    ['a changed row of a table without a key', `update words set word = 'b'`, 2],
    ['an equal row of a table without a key', `update words set word = word`, 1],
  ])('counts the changes with an effect beside %s', async (_, sql, changes) => {
    await past.write(`insert into stock values (1, 'one', 0), (2, 'two', 0) on conflict do nothing;
      insert into items values (50, 1), (51, 1), (52, 1) on conflict do nothing;
      update items set stock = 1; delete from words; insert into words values ('a')`)
    const since = (await past.lastSequence()) + 1
    await past.write(`${sql}; update items set stock = 2 where id = 52`)
    expect((await past.undo({ since: String(since) })).changes).toBe(changes)
  })

  it('can be undone itself', async () => {
    const request = await past.request('POST', '/stock', { id: 3, name: 'three', count: 0 })
    await past.undo({ request_id: request, apply: true })
    const [undone] = (await past.history('table=stock&key=3&limit=1')).changes
    await past.undo({ transaction: undone?.transaction, apply: true })
    expect((await stock())?.at(-1)).toEqual(['3', 'three', '1'])
  })

  it('names the later request that changed the same row, and changes nothing', async () => {
    const request = await past.request('PATCH', '/stock?id=eq.3', { name: 'a' })
    const later = await past.request('PATCH', '/stock?id=eq.3', { name: 'b' })
    const before = await stock()
    const { conflicts, is_applied, is_possible } = await past.undo({
      request_id: request,
      apply: true,
    })
    expect(conflicts).toMatchObject([{ table: 'stock', key: { id: '3' }, request_id: later }])
    expect([is_possible, is_applied, await stock()]).toEqual([false, false, before])
  })

  it('does not delete rows that refer to a row which it would delete', async () => {
    const request = await past.request('POST', '/stock', { id: 9, name: 'nine', count: 0 })
    await past.request('POST', '/items', { id: 1, stock: 9 })
    const { conflicts } = await past.undo({ request_id: request, apply: true })
    expect(conflicts[0]?.message).toMatch(
      /^Postgres refuses the undo: rows of items refer to rows of stock/,
    )
    expect(await rowsOf('select id from items where stock = 9')).toEqual([['1']])
  })

  it('leaves the triggers of the project enabled', async () => {
    await past.write(`insert into stock values (20, 'twenty', 0)`)
    expect((await stock())?.at(-1)).toEqual(['20', 'twenty', '1'])
  })

  it.each([
    [{ request_id: 'unknown' }, /No recorded change of this project belongs to unknown/],
    [{ request_id: 'a', since: '1' }, /exactly one of/],
    [{}, /exactly one of/],
  ])('of %j is refused', async (body, message) => {
    await expect(past.undo(body)).rejects.toThrow(message)
  })
})
