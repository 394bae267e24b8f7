// The identity of a subscriber can change while it is subscribed (docs/wire/realtime.md#tokens).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OTHER_USER, USER } from '../../support/realtime-world.ts'
import { type RowWorld, startRowWorld, type Watcher } from '../../support/row-world.ts'
import { until } from '../../support/until.ts'

let world: RowWorld
beforeAll(async () => {
  world = await startRowWorld(`
    create table notes (id integer generated always as identity primary key, owner uuid, is_public boolean);
    alter table notes enable row level security;
    create policy own on notes for select to authenticated using (owner = auth.uid());
    create policy everybody on notes for select using (is_public)`)
})
afterAll(() => world[Symbol.asyncDispose]())

const NOTES = { event: '*', schema: 'public', table: 'notes' }

/** Waits for this number of confirmations and returns their texts. */
async function confirmations({ system }: Watcher, count: number): Promise<readonly string[]> {
  await until(() => system.length >= count)
  return system.map(({ message }) => message)
}

describe('a new token', () => {
  it('neither loses nor repeats a change while rows are written', async () => {
    const watcher = await world.watch(await world.userToken(), NOTES)
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => world.userToken()))
    const written: Promise<unknown>[] = []
    for (const token of tokens) {
      for (let row = 0; row < 20; row++)
        written.push(world.exec(`insert into notes (owner) values ('${USER}')`))
      await world.advance(1)
      await watcher.client.setAuth(token)
    }
    await Promise.all(written)
    await watcher.count(100)
    const rest = await world.rest()
    const { data } = await rest.from('notes').select('id').order('id')
    // On a server, the order of commits is not the order of ids.
    const ids = watcher.events.map(({ new: row }) => row.id).sort((one, other) => one - other)
    expect(ids).toEqual(data?.map(({ id }) => id))
  })

  it('is confirmed by a message, and decides about every later change', async () => {
    const anon = await world.tokenFor(world.tenant.anonKey)
    const watcher = await world.watch(anon, NOTES)
    const insert = (owner: string) => world.exec(`insert into notes (owner) values ('${owner}')`)
    await insert(USER)
    await watcher.client.setAuth(await world.userToken(USER))
    await confirmations(watcher, 2)
    await insert(USER)
    await insert(OTHER_USER)
    await watcher.client.setAuth(anon)
    await confirmations(watcher, 3)
    await insert(USER)
    await world.exec('insert into notes (is_public) values (true)')
    await watcher.count(2)
    expect(watcher.events.map(({ new: { owner } }) => owner)).toEqual([USER, null])
    expect(watcher.system.map(({ message }) => message)).toEqual(
      Array.from({ length: 3 }, () => 'Subscribed to PostgreSQL'),
    )
  })
})

describe('an expired token', () => {
  it('ends the channel, which sends no later change', async () => {
    const watcher = await world.watch(await world.userToken(), NOTES)
    await world.advance(3_600)
    await world.exec(`insert into notes (owner) values ('${USER}')`)
    await until(() => watcher.channel.state === 'closed')
    expect(watcher.events).toEqual([])
    expect(watcher.system.at(-1)).toMatchObject({
      extension: 'system',
      message: expect.stringMatching(/^Token has expired/),
    })
  })

  it('receives nothing, even before its channel is closed', async () => {
    const socket = await world.bare(await world.userToken())
    await socket.join('late', { postgres_changes: [NOTES] })
    await socket.frame(({ event }) => event === 'system')
    world.verdicts('notes')
    const { clock } = world.at.emulator
    const writing = world.exec(`insert into notes (owner) values ('${USER}')`)
    clock.advance(3_600_000)
    await writing
    await socket.frame(({ event }) => event === 'phx_close')
    expect(socket.frames.some(({ event }) => event === 'postgres_changes')).toBe(false)
  })
})

describe('a closed channel', () => {
  it('receives nothing more, and can be joined again', async () => {
    const token = await world.userToken()
    const first = await world.watch(token, NOTES, { name: 'again' })
    await first.channel.unsubscribe()
    await world.exec(`insert into notes (owner) values ('${USER}')`)
    const second = await world.watch(token, NOTES, { name: 'again' })
    await world.exec(`insert into notes (owner) values ('${USER}')`)
    await second.count(1)
    expect([first.events.length, second.events.length]).toEqual([0, 1])
  })
})
