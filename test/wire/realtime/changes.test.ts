// Row changes reach only the subscribers that may read the rows (docs/wire/realtime.md#changes).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OTHER_USER, USER } from '../../support/realtime-world.ts'
import { type RowWorld, startRowWorld, type Watcher } from '../../support/row-world.ts'
import { until } from '../../support/until.ts'

const SQL = `
  create table notes (
    id integer primary key, owner uuid, body text, is_public boolean not null default false,
    written timestamptz, data jsonb, tags text[], price numeric(30, 2));
  alter table notes enable row level security;
  create policy own on notes for select to authenticated using (owner = auth.uid());
  create policy everybody on notes for select to anon, authenticated using (is_public);
  create table whole (id integer primary key, owner uuid, body text);
  alter table whole enable row level security;
  alter table whole replica identity full;
  create policy own on whole for select using (owner = auth.uid());
  create table plain (id integer primary key);
  create table keyless (id integer);
  alter table keyless enable row level security;
  create policy everybody on keyless for select using (true);`

let world: RowWorld
beforeAll(async () => {
  world = await startRowWorld(SQL)
})
afterAll(() => world[Symbol.asyncDispose]())

const wanted = (table: string, more: object = {}) => ({
  event: '*',
  schema: world.tenant.schemaName,
  table,
  ...more,
})

async function anonToken(): Promise<string> {
  return world.tokenFor(world.tenant.anonKey)
}

/**
 * Writes a row that every watcher of notes may read, and waits until all have received it. Earlier changes have then arrived,
 * too.
 */
let marks = 1_000_000
async function settle(...watchers: readonly Watcher[]): Promise<void> {
  const id = ++marks
  await world.exec(`insert into notes (id, is_public) values (${id}, true)`)
  const isLast = ({ new: row }: { new: { id?: number } }) => row.id === id
  await until(() => watchers.every(({ events }) => events.some((event) => isLast(event as never))))
}

function linesOf({ lines }: Watcher): readonly string[] {
  return lines().filter((line) => !/ 100\d{4}$/.test(line))
}

describe('three subscribers of one table', () => {
  let ana: Watcher
  let bob: Watcher
  let visitor: Watcher
  beforeAll(async () => {
    ana = await world.watch(await world.userToken(USER), wanted('notes'))
    bob = await world.watch(await world.userToken(OTHER_USER), wanted('notes'), { vsn: '1.0.0' })
    visitor = await world.watch(await anonToken(), wanted('notes'))
  })

  it('get exactly the rows that they could read', async () => {
    expect([ana, bob, visitor].map(({ statuses }) => statuses)).toEqual([
      ['SUBSCRIBED'],
      ['SUBSCRIBED'],
      ['SUBSCRIBED'],
    ])
    expect(ana.system).toEqual([
      {
        extension: 'postgres_changes',
        status: 'ok',
        message: 'Subscribed to PostgreSQL',
        channel: ana.channel.subTopic,
      },
    ])
    const rest = await world.rest()
    const { error } = await rest
      .from('notes')
      .insert(
        [
          { id: 1, owner: USER },
          { id: 2, owner: OTHER_USER },
          { id: 3, is_public: true },
          { id: 4 },
        ],
        { defaultToNull: false },
      )
    expect(error).toBeNull()
    await settle(ana, bob, visitor)
    expect(linesOf(ana)).toEqual(['INSERT 1', 'INSERT 3'])
    expect(linesOf(bob)).toEqual(['INSERT 2', 'INSERT 3'])
    expect(linesOf(visitor)).toEqual(['INSERT 3'])
  })

  it('receive a change only when the row is visible to the subscriber afterwards', async () => {
    await world.exec(`insert into notes (id, owner) values (10, '${USER}')`)
    await settle(ana, bob, visitor)
    await world.exec('update notes set is_public = true where id = 10')
    await settle(ana, bob, visitor)
    await world.exec(`update notes set owner = '${OTHER_USER}', is_public = false where id = 10`)
    await settle(ana, bob, visitor)
    const ofRow = (watcher: Watcher) => linesOf(watcher).filter((line) => line.endsWith(' 10'))
    expect(ofRow(ana)).toEqual(['INSERT 10', 'UPDATE 10'])
    expect(ofRow(bob)).toEqual(['UPDATE 10', 'UPDATE 10'])
    expect(ofRow(visitor)).toEqual(['UPDATE 10'])
  })

  it('all receive only the key of a deleted row', async () => {
    await world.exec('delete from notes where id = 4')
    for (const watcher of [ana, bob, visitor]) {
      await until(() => watcher.lines().includes('DELETE 4'))
      const { old, new: row } = watcher.events.find(({ eventType }) => eventType === 'DELETE') ?? {}
      expect({ old, row }).toEqual({ old: { id: 4 }, row: {} })
    }
  })

  it('receive a change that a user writes over REST', async () => {
    const rest = await world.rest(USER)
    await world.exec(
      `create policy write on notes for insert to authenticated with check (owner = auth.uid())`,
    )
    await rest.from('notes').insert({ id: 20, owner: USER })
    await until(() => ana.lines().includes('INSERT 20'))
  })
})

describe('a payload', () => {
  it('carries typed values, columns and the old key', async () => {
    const watcher = await world.watch(await world.userToken(), wanted('notes'))
    await world.exec(`insert into notes (id, owner, body, written, data, tags, price) values
      (30, '${USER}', 'é"\\x', '2026-01-02 03:04:05.6+01', '{"a":[1,null]}', '{x,NULL,"y z"}', 12.5)`)
    await world.exec('update notes set id = 31 where id = 30')
    await watcher.count(2)
    const [inserted, updated] = watcher.events
    expect(inserted).toMatchObject({
      schema: world.tenant.schemaName,
      table: 'notes',
      eventType: 'INSERT',
      errors: null,
      old: {},
      new: {
        id: 30,
        owner: USER,
        body: 'é"\\x',
        is_public: false,
        written: '2026-01-02T02:04:05.6+00:00',
        data: { a: [1, null] },
        tags: ['x', null, 'y z'],
        price: 12.5,
      },
    })
    expect(inserted?.['commit_timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(updated).toMatchObject({ eventType: 'UPDATE', old: { id: 30 }, new: { id: 31 } })
  })

  it('has the same frame as upstream, in both serializers', async () => {
    const config = { postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'notes' }] }
    const token = await world.userToken()
    const [two, one] = [await world.bare(token, '2.0.0'), await world.bare(token, '1.0.0')]
    for (const socket of [two, one]) {
      const reply = await socket.join('frames', config)
      const [{ id, ...echoed }] = reply.response.postgres_changes
      expect(echoed).toEqual({ event: 'INSERT', schema: 'public', table: 'notes' })
      expect(Number.isInteger(id) && id > 0 && id < 2 ** 27).toBe(true)
      await socket.frame(({ event }) => event === 'system')
    }
    await world.exec(`insert into notes (id, owner) values (40, '${USER}')`)
    const frames = await Promise.all(
      [two, one].map((socket) => socket.frame(({ event }) => event === 'postgres_changes')),
    )
    expect(frames[0]?.payload).toEqual(frames[1]?.payload)
    const { ids, data } = frames[0]?.payload ?? {}
    expect(ids).toHaveLength(1)
    expect(Object.keys(data).sort()).toEqual(
      ['columns', 'commit_timestamp', 'errors', 'record', 'schema', 'table', 'type'].sort(),
    )
    expect(data.columns.slice(0, 3)).toEqual([
      { name: 'id', type: 'int4' },
      { name: 'owner', type: 'uuid' },
      { name: 'body', type: 'text' },
    ])
  })

  it('contains all old identity columns of an update, but only the key of a deletion', async () => {
    const watcher = await world.watch(await world.userToken(), wanted('whole'))
    await world.exec(`insert into whole values (1, '${USER}', 'before')`)
    await world.exec(`update whole set body = 'after'`)
    await world.exec('delete from whole')
    await watcher.count(3)
    expect(watcher.events.map(({ old }) => old)).toEqual([
      {},
      { id: 1, owner: USER, body: 'before' },
      { id: 1 },
    ])
  })

  it('is sent for every change when a client’s requests change the same key in sequence', async () => {
    const watcher = await world.watch(await world.userToken(), wanted('whole'))
    for (let id = 100; id < 140; id += 2) {
      await world.exec(`insert into whole values (${id}, '${USER}', 'before')`)
      await world.exec(`update whole set id = ${id + 1} where id = ${id}`)
      await world.exec(`delete from whole where id = ${id + 1}`)
    }
    await watcher.count(60)
    expect(watcher.events).toHaveLength(60)
  })

  it('contains an error for a table without a key', async () => {
    const watcher = await world.watch(await world.userToken(), wanted('keyless'))
    await world.exec('insert into keyless values (1)')
    await watcher.count(1)
    expect(watcher.events[0]).toMatchObject({
      new: {},
      errors: ['Error 400: Bad Request, no primary key'],
    })
  })
})

describe('wildcards', () => {
  it('mean all tables with row-level security, and the schema public means the project’s own schema', async () => {
    const token = await world.userToken()
    const all = await world.watch(token, { event: '*', schema: '*' })
    const named = await world.watch(token, { event: 'INSERT', table: 'whole' } as never)
    await world.exec(`insert into plain values (1)`)
    await world.exec(`insert into whole values (5, '${USER}', '')`)
    await world.exec(`insert into notes (id, owner) values (50, '${USER}')`)
    await all.count(2)
    await named.count(1)
    expect(all.events.map(({ table }) => table)).toEqual(['whole', 'notes'])
    expect(named.lines()).toEqual(['INSERT 5'])
  })

  it('include tables that are created later', async () => {
    const all = await world.watch(await world.userToken(), { event: '*', schema: 'public' })
    await world.exec(`create table late (id integer primary key);
      alter table late enable row level security;
      create policy everybody on late for select using (true)`)
    await world.exec('insert into late values (1)')
    await all.count(1)
    expect(all.events[0]).toMatchObject({ table: 'late', new: { id: 1 } })
  })
})

describe('changes of a project', () => {
  it('reach no other project', async () => {
    const { neighbour, tenant } = world
    await world.exec(SQL, neighbour)
    const theirs = await world.tokenFor(neighbour.anonKey)
    const spy = await world.watch(theirs, { event: '*', schema: tenant.schemaName, table: 'notes' })
    expect(spy.system[0]).toMatchObject({
      status: 'error',
      message: expect.stringContaining(
        `Please check Realtime is enabled for the given connect parameters: [event: *, schema: ${tenant.schemaName}, table: notes, filters: [], select: nil]`,
      ),
    })
    const near = await world.watch(theirs, { event: '*', schema: '*' }, { name: 'shared' })
    const own = await world.watch(await anonToken(), wanted('notes'), { name: 'shared' })
    await world.exec('insert into notes (id, is_public) values (60, true)')
    await world.exec('insert into notes (id, is_public) values (61, true)', neighbour)
    await Promise.all([near.count(1), own.count(1)])
    await settle(own)
    expect(near.lines()).toEqual(['INSERT 61'])
    expect(linesOf(own)).toEqual(['INSERT 60'])
    expect(spy.events).toEqual([])
  })
})
