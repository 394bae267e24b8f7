// /_emulator/v1/projects/:ref/realtime: subscribers with their subscriptions, and the verdicts on each change
// (contract/realtime.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvents } from '../../support/event-stream.ts'
import { USER } from '../../support/realtime-world.ts'
import { type RowWorld, startRowWorld } from '../../support/row-world.ts'

let world: RowWorld
beforeAll(async () => {
  world = await startRowWorld(`
    create table notes (id bigint primary key, owner uuid, body text);
    alter table notes enable row level security;
    create policy own on notes for select to authenticated using (owner = auth.uid());`)
})
afterAll(() => world[Symbol.asyncDispose]())

const view = async (path = '') => {
  const base = `/_emulator/v1/projects/${world.tenant.slug}/realtime`
  return (await world.at.call('GET', base + path)).body
}
const WANTED = { event: '*', schema: 'public', table: 'notes', filter: 'id=gt.0' }

describe('the view of realtime', () => {
  it('shows connections, channels with their bindings and presence, and captured tables', async () => {
    const watcher = await world.watch(await world.userToken(USER), WANTED, { name: 'desk' })
    await watcher.channel.track({ at: 'desk' })
    expect(await view()).toEqual({
      connections: [
        {
          id: expect.any(String),
          role: 'authenticated',
          subject: USER,
          connected_at: expect.stringMatching(/Z$/),
          channels: [
            {
              topic: 'realtime:desk',
              is_private: false,
              role: 'authenticated',
              subject: USER,
              token_expires_at: expect.stringMatching(/Z$/),
              bindings: [{ event: '*', schema: 'public', table: 'notes', filter: 'id=gt.0' }],
              presence: expect.any(Object),
            },
          ],
        },
      ],
      captured_tables: ['notes'],
    })
    const [{ channels }] = (await view()).connections
    expect(Object.values(channels[0].presence)).toEqual([[expect.objectContaining({ at: 'desk' })]])
    await watcher.client.disconnect()
    await expect.poll(view).toEqual({ connections: [], captured_tables: [] })
  })

  it('shows each change with its verdicts, its request and its duration', async () => {
    await using stream = await readEvents(world.at.url)
    const user = await world.watch(await world.userToken(USER), WANTED)
    const visitor = await world.watch(await world.tokenFor(world.tenant.anonKey), WANTED)
    const rest = await world.rest()
    await rest.from('notes').insert({ id: 1, owner: USER, body: 'mine' })
    await user.count(1)
    const { change } = await stream.next(({ kind }) => kind === 'change')
    expect(change).toMatchObject({
      schema_name: world.tenant.schemaName,
      table: 'notes',
      event: 'INSERT',
      request_id: expect.stringMatching(/^req_/),
      row: { id: 1, owner: USER, body: 'mine' },
    })
    expect(change.verdicts).toEqual([
      expect.objectContaining({
        role: 'authenticated',
        subject: USER,
        verdict: 'delivered',
        reason: null,
        latency_ms: expect.any(Number),
      }),
      expect.objectContaining({ role: 'anon', verdict: 'hidden', latency_ms: null }),
    ])
    expect((await view('/changes')).changes[0]).toEqual(change)
    const path = `/_emulator/v1/journal/${change.request_id}`
    const { body } = await world.at.call('GET', path)
    expect(body.entry).toMatchObject({ method: 'POST', status: 201 })
    expect(body.changes).toEqual([change])
    await user.client.disconnect()
    await visitor.client.disconnect()
  })

  it('shows only the key of a deleted row, and pages backwards through changes', async () => {
    const user = await world.watch(await world.userToken(USER), WANTED)
    await world.exec(`insert into notes values (2, '${USER}', 'x')`)
    await user.count(1)
    await world.exec('delete from notes where id = 2')
    await user.count(2)
    const [deleted, inserted] = (await view('/changes?limit=2')).changes
    expect(deleted).toMatchObject({ event: 'DELETE', row: { id: 2 } })
    expect(Object.keys(deleted.row)).toEqual(['id'])
    expect((await view(`/changes?before=${deleted.number}&limit=1`)).changes).toEqual([inserted])
    await user.client.disconnect()
  })
})
