// Filters, selected columns and invalid subscriptions (docs/wire/realtime.md#filters).

import { postgresChangesFilter } from '@supabase/realtime-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { USER } from '../../support/realtime-world.ts'
import { type RowWorld, startRowWorld, type Watcher } from '../../support/row-world.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: RowWorld
let token: string
beforeAll(async () => {
  world = await startRowWorld(`
    create type mood as enum ('low', 'fine', 'high');
    create table posts (
      id integer primary key, title text, room text, stars integer, feels mood, gone_at timestamptz,
      is_hot boolean, secret text, last boolean);
    alter table posts enable row level security;
    create policy everybody on posts for select using (true);
    revoke select on posts from authenticated;
    grant select (id, title, room, stars, feels, gone_at, is_hot, last) on posts to authenticated;
    create table plain (id integer primary key);
    create table whole (id integer primary key, room text);
    alter table whole enable row level security;
    alter table whole replica identity full;
    create policy everybody on whole for select using (true)`)
  token = await world.userToken(USER)
})
afterAll(() => world[Symbol.asyncDispose]())

const posts = (filter?: string, event = '*') => ({
  event,
  schema: world.tenant.schemaName,
  table: 'posts',
  ...(filter === undefined ? {} : { filter }),
})

const ROWS = `insert into posts (id, title, room, stars, feels, gone_at, is_hot) values
  (1, 'Hello, world', 'a', 5, 'fine', null, true), (2, 'hello (again)', 'b', 10, 'low', now(), false),
  (3, null, 'a', null, 'high', null, null), (4, '100%', 'c d', -3, 'fine', '2020-01-01', true)`

describe('a filter', () => {
  it('matches the same rows as in Postgres', async () => {
    const filters: readonly (readonly [string, readonly number[]])[] = [
      ['room=eq.a', [1, 3]],
      ['room=not.eq.a', [2, 4]],
      ['stars=gt.5', [2]],
      ['stars=lte.5,room=eq.a', [1]],
      ['room=in.(b,"c d")', [2, 4]],
      ['room=not.in.(a,b)', [4]],
      ['title=like.Hello%', [1]],
      ['title=ilike.HELLO%', [1, 2]],
      ['title=eq."Hello, world"', [1]],
      ['title=match.^[a-z]+ \\(', [2]],
      ['title=imatch.^h', [1, 2]],
      ['gone_at=is.null', [1, 3]],
      ['gone_at=not.is.null', [2, 4]],
      ['gone_at=lt.2021-01-01', [4]],
      ['is_hot=is.true', [1, 4]],
      ['is_hot=not.is.true', [2, 3]],
      ['stars=isdistinct.5', [2, 3, 4]],
      ['stars=not.isdistinct.5', [1]],
      ['feels=eq.fine', [1, 4]],
      ['feels=gt.low', [1, 3, 4]],
      ['', [1, 2, 3, 4]],
      [postgresChangesFilter().gte('stars', -3).in('room', ['c d', 'x,y']).build(), [4]],
    ]
    const watcher = await world.watch(
      token,
      filters.map(([filter]) => posts(filter, 'INSERT')),
    )
    await world.exec('delete from posts')
    await world.exec(ROWS)
    const expected = filters.flatMap(([, ids], binding) => ids.map((id) => `${binding} ${id}`))
    await watcher.count(expected.length)
    const got = watcher.events.map(({ binding, new: row }) => `${binding} ${row.id}`)
    expect(got.sort()).toEqual(expected.sort())
  })

  it('matches a deleted row by its key, or by all columns with a full replica identity', async () => {
    await world.exec('delete from posts')
    const whole = { event: 'DELETE', schema: 'public', table: 'whole' }
    const watcher = await world.watch(token, [
      posts('room=eq.a', 'DELETE'),
      posts('id=eq.1', 'DELETE'),
      { ...whole, filter: 'room=eq.a' },
      { ...whole, filter: 'room=eq.b' },
      whole,
    ])
    await world.exec(`${ROWS}; insert into whole values (7, 'a')`)
    await world.exec('delete from posts')
    await world.exec('delete from whole')
    await watcher.count(3)
    expect(watcher.events.map(({ binding, old }) => [binding, old])).toEqual([
      [1, { id: 1 }],
      [2, { id: 7 }],
      [4, { id: 7 }],
    ])
  })

  it('passes only events of the requested kind, which may be in upper or lower case', async () => {
    const watcher = await world.watch(token, [
      posts(undefined, 'insert'),
      posts(undefined, 'UPDATE'),
    ])
    await world.exec(`delete from posts`)
    await world.exec(`insert into posts (id) values (1); update posts set stars = 1`)
    await watcher.count(2)
    expect(watcher.events.map(({ binding, eventType }) => [binding, eventType])).toEqual([
      [0, 'INSERT'],
      [1, 'UPDATE'],
    ])
  })
})

describe('columns', () => {
  it('are limited to the columns that the role may read', async () => {
    const watcher = await world.watch(token, posts())
    await world.exec('delete from posts')
    await world.exec(`insert into posts (id, secret) values (1, 'x')`)
    await watcher.count(2)
    expect(Object.keys(watcher.events.at(-1)?.['new'])).not.toContain('secret')
  })

  it('can be selected, and always include the key', async () => {
    const socket = await world.bare(token)
    const narrow = { ...posts(undefined, 'INSERT'), select: ['title'] }
    const wide = { ...posts(undefined, 'INSERT'), select: ['stars', 'title'] }
    const reply = await socket.join('chosen', { postgres_changes: [narrow, wide] })
    expect(reply.response.postgres_changes).toMatchObject([narrow, wide])
    await socket.frame(({ event }) => event === 'system')
    await world.exec(`delete from posts; insert into posts (id, title, stars) values (1, 't', 2)`)
    const changes = () => socket.frames.filter(({ event }) => event === 'postgres_changes')
    await socket.frame((frame) => changes().indexOf(frame) === 1)
    expect(changes().map(({ payload }) => [payload.data.record, payload.data.columns])).toEqual([
      [
        { id: 1, title: 't' },
        [
          { name: 'id', type: 'int4' },
          { name: 'title', type: 'text' },
        ],
      ],
      [
        { id: 1, title: 't', stars: 2 },
        [
          { name: 'id', type: 'int4' },
          { name: 'title', type: 'text' },
          { name: 'stars', type: 'int4' },
        ],
      ],
    ])
  })
})

describe('subscription requests', () => {
  it('are echoed unchanged and in order, and equal requests get equal ids', async () => {
    const socket = await world.bare(token)
    const requests = [
      { event: 'insert', schema: 'public', table: 'posts', extra: { deep: [1, null] } },
      { filter: 'id=eq.1', table: 'posts', schema: 'public' },
      { event: 'insert', schema: 'public', table: 'posts', extra: { deep: [1, null] } },
    ]
    const reply = await socket.join('echo', { postgres_changes: requests })
    const echoed: Json[] = reply.response.postgres_changes
    expect(echoed.map(({ id, ...request }) => request)).toEqual(requests)
    expect(echoed[0].id).toBe(echoed[2].id)
    expect(echoed[0].id).not.toBe(echoed[1].id)
    expect((await socket.join('none')).response).toEqual({ postgres_changes: [] })
  })

  const unable = 'Unable to subscribe to changes with given parameters.'
  const exception = `${unable} An exception happened so please check your connect parameters:`
  it.each([
    [
      { event: 'INSERT', schema: 'public', table: 'nothing' },
      `${unable} Please check Realtime is enabled for the given connect parameters: [event: INSERT, schema: public, table: nothing, filters: [], select: nil]`,
    ],
    [
      { event: '*', schema: 'public', table: 'plain' },
      'Row-level security is off on proj_acme.plain',
    ],
    [{ event: '*', schema: 'public', table: 'auth_users' }, 'Please check Realtime is enabled'],
    [
      { schema: 'public', table: 'posts', filter: 'nada=eq.1' },
      `${exception} [event: *, schema: public, table: posts, filters: [{"nada", "eq", "1", false}], select: nil]. Exception: ERROR P0001 (raise_exception) invalid column for filter nada`,
    ],
    [
      { schema: 'public', table: 'posts', filter: 'secret=eq.1' },
      'invalid column for filter secret',
    ],
    [{ schema: 'public', table: 'posts', select: ['secret'] }, 'invalid column for select secret'],
    [
      { schema: 'public', table: 'posts', filter: 'stars=eq.many' },
      'Exception: ERROR 22P02 (invalid_text_representation) invalid input syntax for type integer: "many"',
    ],
    [
      { schema: 'public', table: 'posts', filter: 'stars=foo.1' },
      'Error parsing `filter` params: ["foo", "1"]',
    ],
    [
      { event: '*' },
      'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: %{"event" => "*"}',
    ],
    [
      { schema: 'public', select: ['id'] },
      'Column selection is not supported for wildcard subscriptions.',
    ],
  ])('are refused with a reason, and the channel stays open: %j', async (request, message) => {
    const socket = await world.bare(token)
    const reply = await socket.join('refused', { postgres_changes: [posts(), request] })
    expect(reply.status).toBe('ok')
    const { payload } = await socket.frame(({ event }) => event === 'system')
    expect(payload).toEqual({
      extension: 'postgres_changes',
      status: 'error',
      message: expect.stringContaining(message),
      channel: 'refused',
    })
    expect(await socket.ask('realtime:refused', 'phx_leave')).toMatchObject({ status: 'ok' })
  })

  it('get an error when one channel has more than a hundred', async () => {
    const socket = await world.bare(token)
    const many = Array.from({ length: 101 }, (_, place) => posts(`id=eq.${place}`))
    expect((await socket.join('many', { postgres_changes: many })).status).toBe('ok')
    const { payload } = await socket.frame(({ event }) => event === 'system')
    expect(payload.message).toBe('Too many postgres_changes in one channel. Maximum 100')
  })

  it('get an error when a schema change makes their filter invalid', async () => {
    await world.exec(`create table short (id integer primary key, word text);
      alter table short enable row level security;
      create policy everybody on short for select using (true)`)
    const watcher: Watcher = await world.watch(token, {
      event: '*',
      schema: 'public',
      table: 'short',
      filter: 'word=eq.x',
    })
    await world.exec(`insert into short values (1, 'x')`)
    await watcher.count(1)
    await world.exec('alter table short rename column word to words')
    await world.exec(`insert into short values (2, 'x')`)
    await expect
      .poll(() => watcher.system.at(-1))
      .toMatchObject({
        status: 'error',
        message: expect.stringContaining('invalid column for filter word'),
      })
    expect(watcher.lines()).toEqual(['INSERT 1'])
  })
})
