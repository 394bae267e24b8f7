// The rows of a table at a past instant, over POST /_emulator/v1/projects/:ref/tables/:table/rows with `at`, and the timeline of
// the writes that a user steps through.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HistoryTimeline } from '../../../../emulator/contract/history.ts'
import type { RowsPage } from '../../../../emulator/contract/tables.ts'
import { openPastTenant, type PastTenant } from '../../../support/past-tenant.ts'
import { userToken } from '../../../support/test-emulator.ts'

const USER = '00000000-0000-4000-8000-00000000000a'
const PROJECT = '/_emulator/v1/projects/past'

let past: PastTenant
beforeAll(async () => {
  past =
    await openPastTenant(`create table notes (id integer primary key, owner uuid, body text, size integer);
    alter table notes enable row level security;
    create policy own on notes to authenticated using (owner = auth.uid());
    create table forced (id integer primary key, word text);
    alter table forced enable row level security;
    create table plain (id integer primary key, word text);
    create view long_notes as select id, body from notes where size > 1;
    create table closed (id integer primary key);
    revoke all on closed from anon, authenticated`)
  await past.write(`insert into notes select n, case when n < 4 then '${USER}'::uuid end, 'note ' || n, n from generate_series(1, 6) as n;
    insert into forced values (1, 'first'); alter table forced force row level security; insert into closed values (1)`)
})
afterAll(() => past[Symbol.asyncDispose]())

const read = (table: string, body: object) =>
  past.at.call<RowsPage>('POST', `${PROJECT}/tables/${table}/rows`, {
    body: { identity: null, ...body },
  })
const rowsAt = async (table: string, at: string, body: object = {}) =>
  (await read(table, { at, ...body })).body.rows
const timeline = async (query = '') =>
  (await past.at.call<HistoryTimeline>('GET', `${PROJECT}/history/timeline${query}`)).body

describe('the rows of a table at a past instant', () => {
  it('are those before a request, with its time and the number of changes since', async () => {
    const request = await past.request('PATCH', '/notes?id=eq.1', { body: 'changed' })
    await past.request('DELETE', '/notes?id=eq.2')
    const [deleted, changed] = (await timeline()).writes
    const { body } = await read('notes', { at: request })
    expect(body.rows.slice(0, 2)).toEqual([
      ['1', USER, 'note 1', '1'],
      ['2', USER, 'note 2', '2'],
    ])
    expect(body.past).toEqual({
      before_sequence: changed?.sequence,
      at: changed?.at,
      request_id: request,
      changes_taken_back: 2,
      gaps: [],
    })
    const before = await read('notes', { at: String(deleted?.sequence) })
    expect(before.body.rows[0]?.[2]).toBe('changed')
    expect(before.body.past).toMatchObject({ at: deleted?.at, request_id: deleted?.request_id })
  })

  it('are filtered, sorted, paged and counted as the present ones are', async () => {
    const request = await past.request('DELETE', '/notes?id=gte.4')
    const { body } = await read('notes', {
      at: request,
      filters: [{ column: 'size', operator: 'gte', value: '3' }],
      order: [{ column: 'id', descending: true }],
      limit: 2,
      offset: 1,
    })
    expect([body.rows.map(([id]) => id), body.total, body.rows_left_out]).toEqual([
      ['5', '4'],
      4,
      0,
    ])
    expect(body.columns).toEqual((await read('notes', {})).body.columns)
  })

  it('are those that an identity may read', async () => {
    const request = await past.request('DELETE', '/notes?id=eq.3')
    const identity = { kind: 'claims', role: 'authenticated', claims: { sub: USER } }
    const ids = async (at?: string) =>
      (await read('notes', { identity, ...(at && { at }) })).body.rows.map(([id]) => id)
    expect([await ids(request), await ids()]).toEqual([['1', '3'], ['1']])
  })

  it('are all rows of a table whose policies also restrict its owner', async () => {
    const before = String((await past.lastSequence()) + 1)
    expect(await rowsAt('forced', before)).toEqual([['1', 'first']])
    await past.write(`alter table forced no force row level security; update forced set word = 'second';
      alter table forced force row level security`)
    expect(await rowsAt('forced', before)).toEqual([['1', 'first']])
    expect((await read('forced', {})).body.rows).toEqual([['1', 'second']])
  })

  it('show through a view', async () => {
    await past.write(`insert into notes values (10, null, 'ten', 10)`)
    const request = await past.request('DELETE', '/notes?id=eq.10')
    expect(await rowsAt('long_notes', request)).toEqual([['10', 'ten']])
  })

  it('equal the present rows when nothing changed since, and have no time after the last change', async () => {
    const { body } = await read('plain', { at: '999999999' })
    expect([body.rows, body.past]).toMatchObject([[], { at: null, request_id: null }])
  })

  it('have the named time, which a change needs not have', async () => {
    const at = '2020-01-01T00:00:00.000Z'
    const { body } = await read('plain', { at })
    expect(body.past?.at).toBe(at)
    expect(body.past?.gaps[0]).toMatch(/^Changes before .* are not known\.$/)
  })

  it.each([
    ['an unknown request', 'notes', { at: 'unknown' }, 400, /There is no request unknown/],
    ['an unknown column', 'notes', { at: '1', order: [{ column: 'none' }] }, 400, /none/],
    [
      'a value that does not fit the column',
      'notes',
      { at: '1', filters: [{ column: 'size', operator: 'eq', value: 'x' }] },
      400,
      /invalid input syntax/,
    ],
    [
      'a missing grant',
      'closed',
      { at: '1', identity: { kind: 'anon' } },
      403,
      /permission denied/,
    ],
  ])('are refused for %s', async (_, table, body, status, message) => {
    const answer = await read(table, body)
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(message)])
  })
})

describe('the timeline of writes', () => {
  it('has one entry for each request, with identity and tables, the newest first', async () => {
    const token = await userToken(past.at, 'past', USER)
    const many = Array.from({ length: 20 }, (_, index) => ({ id: index, word: 'x' }))
    const first = await past.request('POST', '/plain', many)
    const second = await past.request('POST', '/notes', { id: 30, owner: USER }, token)
    const { complete_since, is_recorded, writes } = await timeline('?limit=2')
    expect(writes).toMatchObject([
      { request_id: second, role: 'authenticated', user_id: USER, tables: ['notes'] },
      { request_id: first, role: 'service_role', user_id: null, tables: ['plain'] },
    ])
    expect([is_recorded, complete_since !== null]).toEqual([true, true])
  })

  it('has one entry for a write of several tables', async () => {
    const since = await past.lastSequence()
    await past.at.call('POST', `${PROJECT}/sql`, {
      body: {
        sql: `insert into plain values (50, 'a'); update notes set body = 'b'`,
        identity: 'owner',
        mode: 'run',
      },
    })
    const made = (await timeline()).writes.filter(({ sequence }) => sequence > since)
    expect(made).toMatchObject([{ tables: ['notes', 'plain'], user_id: null }])
    expect((await rowsAt('plain', String(made[0]?.sequence))).at(-1)?.[0]).not.toBe('50')
  })

  it('has the writes of one table, also under its former name', async () => {
    await past.write('create table draft (id integer); insert into draft values (1)')
    await past.write('alter table draft rename to final; insert into final values (2)')
    const tables = async (name: string) =>
      (await timeline(`?table=${name}`)).writes.map((write) => write.tables)
    expect([await tables('final'), await tables('draft')]).toEqual([
      [['final'], ['final']],
      [['final'], ['final']],
    ])
  })

  it('leaves out older writes than its limit', async () => {
    await past.request('POST', '/plain', { id: 70 })
    await past.request('POST', '/plain', { id: 71 })
    const { has_more, writes } = await timeline('?table=plain&limit=1')
    expect([has_more, writes.length]).toEqual([true, 1])
  })
})
