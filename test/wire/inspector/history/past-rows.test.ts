// The rows of a past instant, over POST /_emulator/v1/projects/:ref/sql with `at`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlAnswer } from '../../../../emulator/contract/sql-console.ts'
import { openPastTenant, type PastTenant } from '../../../support/past-tenant.ts'
import { EVERYTHING, numbers, randomWrite, WRITTEN_SCHEMA } from '../../../support/random-writes.ts'
import { userToken } from '../../../support/test-emulator.ts'

const SEEDS = [7, 8]
const WRITES = 60
const USER = '00000000-0000-4000-8000-00000000000a'

let past: PastTenant
beforeAll(async () => {
  past = await openPastTenant(`${WRITTEN_SCHEMA};
    create table notes (id integer primary key, owner uuid, body text);
    alter table notes enable row level security;
    create policy own on notes to authenticated using (owner = auth.uid());
    create table moved (id integer primary key, amount integer, old_name text)`)
})
afterAll(() => past[Symbol.asyncDispose]())

const rowsOf = async (sql: string, instant?: string) =>
  (await past.ask(sql, instant)).results[0]?.rows
const sendAt = (body: object) =>
  past.at.call<SqlAnswer>('POST', '/_emulator/v1/projects/past/sql', {
    body: { identity: 'owner', mode: 'read_only', ...body },
  })

describe('the rows of a past instant', () => {
  it.each(SEEDS)(
    'equal the rows that were there after each random write, seed %i',
    async (seed) => {
      const next = numbers(seed)
      const states: { readonly before: number; readonly rows: unknown }[] = []
      for (let step = 0; step < WRITES; step++) {
        await past.write(randomWrite(next))
        states.push({ before: (await past.lastSequence()) + 1, rows: await rowsOf(EVERYTHING) })
      }
      const found = []
      for (const { before } of states) found.push(await rowsOf(EVERYTHING, String(before)))
      expect(found).toEqual(states.map(({ rows }) => rows))
    },
  )

  it('are those just before a request, which its id names', async () => {
    await past.write(`insert into notes values (1, '${USER}', 'first')`)
    const request = await past.request('PATCH', '/notes?id=eq.1', { body: 'second' })
    await past.write(`update notes set body = 'third' where id = 1`)
    const answer = await past.ask('select body from notes where id = 1', request)
    expect(answer.results[0]).toMatchObject({
      columns: [{ name: 'body', type: 'text' }],
      rows: [['first']],
    })
    expect(answer.past).toMatchObject({ changes_taken_back: 2, gaps: [] })
  })

  it('are hidden from an identity by the policies', async () => {
    await past.write(`insert into notes values (2, '${USER}', 'own'), (3, null, 'other')`)
    const request = await past.request('DELETE', '/notes?id=in.(2,3)')
    const read = (sub: string) =>
      sendAt({
        sql: 'select id from notes where id > 1',
        at: request,
        identity: { kind: 'claims', role: 'authenticated', claims: { sub } },
      })
    expect((await read(USER)).body.results[0]?.rows).toEqual([['2']])
    expect((await read('00000000-0000-4000-8000-00000000000b')).body.results[0]?.rows).toEqual([])
  })

  it('change nothing of the present', async () => {
    const before = await rowsOf(EVERYTHING)
    await past.ask(EVERYTHING, '1')
    expect(await rowsOf(EVERYTHING)).toEqual(before)
  })

  it('are shown in the present columns after the structure changed', async () => {
    await past.write(`insert into moved values (1, 5, 'x'), (2, 6, 'y')`)
    const before = (await past.lastSequence()) + 1
    await past.write(`delete from moved where id = 1`)
    await past.write(`alter table moved add column added text default 'new';
      alter table moved alter column amount type text using 'n' || amount; alter table moved drop column old_name`)
    await past.write(`update moved set amount = 'changed'`)
    const answer = await past.ask('select * from moved order by id', String(before))
    expect(answer.results[0]?.rows).toEqual([
      ['1', '5', 'new'],
      ['2', 'n6', 'new'],
    ])
    expect(answer.past?.gaps).toEqual([
      'The column moved.amount had the type integer, and its values are shown as text.',
      'The column moved.old_name was dropped or renamed, and its values are not shown.',
    ])
  })

  it('say that a column was dropped when no row changed', async () => {
    await past.write('create table widened (id integer primary key, gone text)')
    const before = (await past.lastSequence()) + 1
    await past.write(
      `insert into notes values (40, null, 'later'); alter table widened drop column gone`,
    )
    expect((await past.ask('select 1', String(before))).past?.gaps).toContain(
      'The column widened.gone was dropped or renamed, and its values are not shown.',
    )
  })

  it('have the same text after hundreds of changes, whatever it contains', async () => {
    await past.write(`create table texts (id integer primary key, body text);
      insert into texts select n, (array['a"b', 'c\\d', 'e,f', '{g}', 'NULL', '', null, 'h''i', E'j\nk', '(l)'])[1 + n % 10]
      from generate_series(1, 200) as n`)
    const [rows, before] = [
      await rowsOf('select * from texts order by id'),
      (await past.lastSequence()) + 1,
    ]
    await past.write(
      `update texts set body = 'other' where id % 3 = 0; delete from texts where id % 5 = 0`,
    )
    expect(await rowsOf('select * from texts order by id', String(before))).toEqual(rows)
  })

  it('are also known between two rows of one statement', async () => {
    await past.write(
      `create table steps (id integer primary key, word text); insert into steps values (1, 'a'), (2, 'b'), (3, 'c')`,
    )
    await past.write(`update steps set word = word || '!'`)
    const second = (await past.history('limit=2')).changes.at(-1)?.sequence
    expect(await rowsOf('select word from steps order by id', String(second))).toEqual([
      ['a!'],
      ['b'],
      ['c'],
    ])
  })

  it('lack what TRUNCATE removed, and the answer says so', async () => {
    const before = (await past.lastSequence()) + 1
    await past.write('truncate moved')
    const { gaps } = (await past.ask('select 1', String(before))).past ?? {}
    expect(gaps?.at(-1)).toMatch(
      /^moved was emptied by TRUNCATE at .*, and its rows are not known\.$/,
    )
  })

  it.each([
    ['an unknown request', { sql: 'select 1', at: 'unknown' }, /There is no request unknown/],
    ['a write', { sql: 'select 1', at: '1', mode: 'run' }, /Past rows can only be read/],
  ])('are refused for %s', async (_, body, message) => {
    const answer = await sendAt(body)
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(message)])
  })

  it.each([
    ['delete from notes', /exactly one SELECT/],
    ['select 1; select 2', /exactly one SELECT/],
    ['with gone as (delete from notes returning 1) select * from gone', /./],
    ["select set_config('role', 'postgres', false) from nowhere", /./],
  ])('are not read by %s', async (sql, message) => {
    expect((await sendAt({ sql, at: '1' })).body.error?.message).toMatch(message)
  })

  it('are readable with a token of a user after the read', async () => {
    const token = await userToken(past.at, 'past', USER)
    await past.ask('select 1', '1')
    await expect(past.request('GET', '/notes', undefined, token)).resolves.not.toBe('')
  })
})

describe('a request with the header x-tenantry-at', () => {
  const send = (method: string, path: string, instant: string, credential: string, body?: object) =>
    past.at.call(method, path, {
      credential,
      headers: { apikey: past.tenant.anonKey, 'x-tenantry-at': instant, prefer: 'count=exact' },
      ...(body === undefined ? {} : { body }),
    })

  it('reads the rows of that instant, as its own identity', async () => {
    await past.write(`insert into notes values (50, '${USER}', 'own'), (51, null, 'other')`)
    const request = await past.request('DELETE', '/notes?id=gte.50')
    const server = await send(
      'GET',
      '/notes?id=gte.50&select=id&order=id',
      request,
      past.tenant.serviceRoleKey,
    )
    expect([server.status, server.body]).toEqual([200, [{ id: 50 }, { id: 51 }]])
    expect(server.headers.get('content-range')).toBe('0-1/2')
    const token = await userToken(past.at, 'past', USER)
    const user = await send('GET', '/notes?id=gte.50&select=id,body', request, token)
    expect(user.body).toEqual([{ id: 50, body: 'own' }])
  })

  it.each([
    ['PATCH', 'a sequence', '1', /Past rows can only be read/],
    ['GET', 'an unknown request', 'unknown', /There is no request unknown/],
  ])('is refused for %s with %s', async (method, _, instant, message) => {
    const { serviceRoleKey } = past.tenant
    const sent = method === 'PATCH' ? { body: 'x' } : undefined
    const answer = await send(method, '/notes?id=eq.1', instant, serviceRoleKey, sent)
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'past_not_readable', message: expect.stringMatching(message) },
    ])
  })
})
