// Edits that carry the values that the editor saw: PATCH /_emulator/v1/projects/:ref/tables/:table/rows with `seen`.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTableWorld, type TableWorld } from '../../../support/table-world.ts'
import type { Json } from '../../../support/test-emulator.ts'

let world: TableWorld
beforeAll(async () => {
  world = await startTableWorld()
  await world.sql(`create collation letters (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create table shown (
      id int primary key, body text, name text collate letters, amount numeric, doc json, facts jsonb, at timestamptz,
      day date, span interval, bytes bytea, tags text[], place point, ratio double precision, is_on boolean,
      relation regclass, size int generated always as (length(body)) stored);
    create table keyless (a int, b text);
    revoke select on shown from authenticated;
    grant select (id), update on shown to authenticated`)
})

beforeEach(async () => {
  await world.sql(`truncate shown, keyless;
    insert into keyless values (1, 'old');
    insert into shown values (1, 'old', 'Ana', 1.50, '{"a": 1}', '{"a": 1}', '2026-01-02 03:04:05.678901+02',
      '2026-01-02', '1 day 02:00', '\\x00ff', '{a,"b c",NULL}', '(1,2)', 0.1, true, 'notes');
    insert into shown (id) values (2)`)
})

/** For each column, another value in Postgres's format. */
const OTHERS = [
  ['body', 'theirs'],
  ['name', 'ANA'],
  ['amount', '1.5'],
  ['doc', '{"a":1}'],
  ['facts', '{"a": 2}'],
  ['at', '2026-01-02 01:04:05.678902+00'],
  ['day', '2026-02-02'],
  ['span', '3 days'],
  ['bytes', '\\x01'],
  ['tags', '{}'],
  ['place', '(3,4)'],
  ['ratio', '0.25'],
  ['is_on', 'f'],
  ['size', null],
] as const

const DONE = { rows_changed: 1, rows_not_found: 0 }
const USER = { kind: 'claims', role: 'authenticated', claims: { sub: 'ana' } }
const update = (id: string, changes: object, seen?: object) => ({
  kind: 'update',
  key: { id },
  changes,
  ...(seen && { seen }),
})
const outcome = ({ status, body }: Json) => `${status} ${body.error?.code}`

async function cells(id: string): Promise<Record<string, string | null>> {
  const filters = [{ column: 'id', operator: 'eq', value: id }]
  const { body } = await world.rows('shown', { filters })
  return Object.fromEntries(
    body.columns.map(({ name }: Json, at: number) => [name, body.rows[0]?.[at]]),
  )
}

describe('an edit with the values that the editor saw', () => {
  it.each([...OTHERS.map(([column]) => column), 'relation'])(
    'is written while %s has the value that the rows show',
    async (column) => {
      const seen = { [column]: (await cells('1'))[column] }
      const answer = await world.edit('shown', [update('1', { body: 'mine' }, seen)])
      expect(answer.body).toEqual(DONE)
      expect((await cells('1'))['body']).toBe('mine')
    },
  )

  it.each(OTHERS)('is refused with 409 when %s is now %j', async (column, theirs) => {
    const seen = { [column]: (await cells('1'))[column] }
    await world.edit('shown', [
      update('1', column === 'size' ? { body: null } : { [column]: theirs }),
    ])
    const before = await cells('1')
    const answer = await world.edit('shown', [update('1', { body: 'mine' }, seen)])
    expect(outcome(answer)).toBe('409 conflict')
    expect(answer.body.error).toMatchObject({ edit: 0, current: { [column]: theirs } })
    expect(await cells('1')).toEqual(before)
  })

  it('names the row, the column and its present value', async () => {
    const { body } = await world.edit('shown', [update('1', { body: 'mine' }, { body: 'older' })])
    expect(body.error.message).toBe(
      'The row 1 of shown has changed since it was read: body is now "old". Nothing was written.',
    )
  })

  it.each([
    ['2', null, undefined],
    ['2', '', '409 conflict'],
    ['1', null, '409 conflict'],
  ])('compares the body of row %s with %j', async (id, body, refused) => {
    const answer = await world.edit('shown', [update(id, { body: 'mine' }, { body })])
    expect(outcome(answer)).toBe(refused ?? '200 undefined')
  })

  it('undoes all edits of the request when one row has changed', async () => {
    const answer = await world.edit('shown', [
      update('2', { body: 'mine' }, { body: null }),
      update('1', { body: 'mine' }, { body: 'older' }),
    ])
    expect(answer.body.error).toMatchObject({ edit: 1, current: { body: 'old' } })
    expect((await cells('2'))['body']).toBeNull()
  })

  it('compares with the row before the request, not with earlier edits of the request', async () => {
    const answer = await world.edit('shown', [
      update('1', { body: 'first' }, { body: 'old' }),
      update('1', { body: 'second' }, { body: 'old' }),
    ])
    expect(answer.body).toEqual({ rows_changed: 2, rows_not_found: 0 })
  })

  it('does not find a row that was deleted meanwhile', async () => {
    await world.sql('delete from shown where id = 1')
    const answer = await world.edit('shown', [update('1', { body: 'mine' }, { body: 'old' })])
    expect(answer.body).toEqual({ rows_changed: 0, rows_not_found: 1 })
  })

  it('compares values of 3 MB to their end', async () => {
    const long = 'é'.repeat(1_500_000)
    await world.sql(`update shown set body = repeat('é', 1500000) where id = 1`)
    const changed = await world.edit('shown', [update('1', { day: null }, { body: `${long}x` })])
    expect(outcome(changed)).toBe('409 conflict')
    const same = await world.edit('shown', [update('1', { body: 'short' }, { body: long })])
    expect(same.body).toEqual(DONE)
  })

  it.each([
    ['old', '200 undefined'],
    ['older', '409 conflict'],
  ])(
    'is compared for an identity that may not read the column, with %s',
    async (body, expected) => {
      const answer = await world.edit('shown', [update('1', { body: 'mine' }, { body })], USER)
      expect(outcome(answer)).toBe(expected)
    },
  )

  it('deletes a row only while the values are the same', async () => {
    const remove = (seen: object) =>
      world.edit('shown', [{ kind: 'delete', key: { id: '1' }, seen }])
    expect(outcome(await remove({ ...(await cells('1')), amount: '7' }))).toBe('409 conflict')
    expect((await remove(await cells('1'))).body).toEqual(DONE)
  })

  it('is written in a table without a primary key', async () => {
    const key = { a: '1', b: 'old' }
    const edit = { kind: 'update', key, changes: { b: 'mine' }, seen: { b: 'old' } }
    expect((await world.edit('keyless', [edit])).body).toEqual(DONE)
  })

  it('is refused with 400 for an unknown column', async () => {
    const answer = await world.edit('shown', [update('1', { body: 'mine' }, { nothing: '1' })])
    expect(outcome(answer)).toBe('400 invalid_request')
  })
})

it('an edit without seen values overwrites the row', async () => {
  await world.sql(`update shown set body = 'theirs' where id = 1`)
  expect((await world.edit('shown', [update('1', { body: 'mine' })])).body).toEqual(DONE)
})
