// GET /_emulator/v1/projects/:ref/users/:id/activity: requests, messages, files and row changes of one user in one list.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ActivityEntry, UserActivity } from '../../../../emulator/contract/activity.ts'
import { type RowWorld, startRowWorld } from '../../../support/row-world.ts'
import { userToken } from '../../../support/test-emulator.ts'

const ANA = 'ana@acme.test'

let world: RowWorld
let ana: string
beforeAll(async () => {
  world = await startRowWorld(`
    create table notes (id bigint primary key, owner uuid, body text);
    alter table notes enable row level security;
    create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());`)
  const users = `/_emulator/v1/projects/${world.tenant.slug}/users`
  ana = (await world.at.call('POST', users, { body: { email: ANA } })).body.id
})
afterAll(() => world[Symbol.asyncDispose]())

const activity = async (query = '', user = ANA): Promise<UserActivity> => {
  const path = `/_emulator/v1/projects/${world.tenant.slug}/users/${user}/activity${query}`
  return (await world.at.call('GET', path)).body
}
const kindsOf = ({ entries }: UserActivity): readonly ActivityEntry['kind'][] =>
  entries.map(({ kind }) => kind)

describe('the activity of a user', () => {
  it('lists requests, messages, files and received changes, newest first', async () => {
    const headers = { apikey: world.tenant.anonKey }
    const watcher = await world.watch(await world.userToken(ana), {
      event: '*',
      schema: 'public',
      table: 'notes',
    })
    await world.advance(1)
    await (await world.rest(ana)).from('notes').insert({ id: 1, owner: ana, body: 'mine' })
    await watcher.count(1)
    await world.advance(1)
    await world.at.call('POST', '/auth/v1/otp/send', { headers, body: { email: ANA } })
    await world.advance(1)
    const bucket = `proj_${world.tenant.slug}_letters`
    const service = await storageToken(world.tenant.serviceRoleKey)
    await world.at.call('POST', '/storage/v1/bucket', {
      credential: service,
      body: { name: bucket, public: false },
    })
    const own = await storageToken(await userToken(world.at, world.tenant.slug, ana))
    const put = await world.at.call('POST', `/storage/v1/object/${bucket}/in/a.txt`, {
      credential: own,
      body: 'Dear Ana',
    })
    expect(put.status).toBe(200)

    const all = await activity()
    expect(all.user).toEqual({ id: ana, email: ANA, phone: null })
    const times = all.entries.map(({ at }) => at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(kindsOf(await activity('?kind=file'))).toEqual(['file'])
    expect(all.entries.find(({ kind }) => kind === 'file')).toMatchObject({
      file: { bucket, object_key: 'in/a.txt', size_bytes: 8, is_replaced: false },
    })
    expect(all.entries.find(({ kind }) => kind === 'message')).toMatchObject({
      message: { to: ANA, code: expect.stringMatching(/^\d{6}$/) },
    })
    expect(all.entries.find(({ kind }) => kind === 'change')).toMatchObject({
      change: {
        table: 'notes',
        event: 'INSERT',
        verdicts: [{ subject: ana, verdict: 'delivered' }],
      },
    })
    const targets = all.entries.flatMap((entry) =>
      entry.kind === 'request' ? [`${entry.request.method} ${entry.request.target}`] : [],
    )
    expect(targets).toContain('POST /notes')
    expect(targets).toContain(`POST /storage/v1/object/${bucket}/in/a.txt`)
    expect(all.counts).toEqual({
      request: { count: targets.length, is_at_least: false },
      message: { count: 1, is_at_least: false },
      file: { count: 1, is_at_least: false },
      change: { count: 1, is_at_least: false },
    })
    expect(all.channels).toEqual([watcher.channel.topic])
    expect((await activity('', ana)).entries).toEqual(all.entries)
    await watcher.client.disconnect()
  })

  it('returns the same counts when a limit shortens the list', async () => {
    const { counts } = await activity()
    const short = await activity('?limit=1')
    expect(short.entries).toHaveLength(1)
    expect(short.counts).toEqual(counts)
  })

  it('leaves out requests of other users and of the inspector’s pages', async () => {
    const before = await activity('?kind=request')
    const token = await userToken(world.at, world.tenant.slug, ana)
    const headers = { apikey: world.tenant.anonKey, 'x-tenantry-inspector': '1' }
    await world.at.call('GET', '/notes', { credential: token, headers })
    await (await world.rest('00000000-0000-4000-8000-00000000000b')).from('notes').select()
    expect((await activity('?kind=request')).counts).toEqual(before.counts)
  })

  it('returns 404 for an unknown user', async () => {
    const path = `/_emulator/v1/projects/${world.tenant.slug}/users/absent@acme.test/activity`
    expect(await world.at.call('GET', path)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
  })
})

async function storageToken(credential: string): Promise<string> {
  const answer = await world.at.call('POST', '/st/v1/token', { credential })
  return answer.body.token
}
