// Snapshots of the whole platform are saved, restored and compared over the wire, also under traffic.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StateWorld, startStateWorld } from '../../support/state-world.ts'
import { provisionTenant } from '../../support/test-emulator.ts'

let world: StateWorld
beforeAll(async () => {
  world = await startStateWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('a snapshot', () => {
  it('restores everything: rows, structure, tenants, users, files, messages, time', async () => {
    const bucket = await world.freshBucket()
    await world.put(bucket, 'a.txt', 'first')
    await world.note('kept')
    await world.signUp('kept@example.com')
    const { now } = await world.api('POST', '/clock', { freeze: true })
    const saved = await world.api('POST', '/snapshots', { name: 'whole', note: 'all of it' })
    expect(saved).toMatchObject({ name: 'whole', note: 'all of it', tenants: 2 })
    expect(saved.platform_time).toBe(now)

    await world.put(bucket, 'b.txt', 'second')
    await world.ask('DELETE', `/object/${bucket}/a.txt`)
    await world.note('lost')
    await world.sql('alter table tags add extra integer; drop view all_notes')
    await world.signUp('lost@example.com')
    const late = await provisionTenant(world.at, world.group, 'late')
    await world.api('POST', '/clock', { reset: true })
    await world.api('POST', '/snapshots/whole/restore')

    expect(await world.notes()).toEqual(['kept.'])
    expect(await world.users()).toEqual(['kept@example.com'])
    expect((await world.sql('select count(*) from all_notes')).rows).toEqual([{ count: 1 }])
    expect((await world.ask('GET', `/object/${bucket}/a.txt`)).text).toBe('first')
    expect((await world.ask('GET', `/object/${bucket}/b.txt`)).status).not.toBe(200)
    expect(await world.api('GET', '/clock')).toMatchObject({ frozen: true, now })
    await world.api('POST', '/clock', { reset: true })
    const stranger = await world.at.call('GET', '/notes', { credential: late.serviceRoleKey })
    expect(stranger.status).toBe(401)
    expect((await provisionTenant(world.at, world.group, 'late')).slug).toBe('late')
  })

  it('is refused when its name is used, and replaces the existing snapshot on request', async () => {
    await world.api('POST', '/snapshots', { name: 'twice' })
    const again = await world.at.call('POST', '/_emulator/v1/snapshots', {
      body: { name: 'twice' },
    })
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    await world.api('POST', '/snapshots', { name: 'twice', replace: true, note: 'second' })
    const { snapshots } = await world.api('GET', '/snapshots')
    expect(snapshots.filter(({ name }: { name: string }) => name === 'twice')).toMatchObject([
      { note: 'second' },
    ])
    await world.api('DELETE', '/snapshots/twice')
    const gone = await world.at.call('POST', '/_emulator/v1/snapshots/twice/restore')
    expect(gone.status).toBe(404)
  })

  it('lists its differences from the present state and from another snapshot', async () => {
    await world.note('before')
    await world.api('POST', '/snapshots', { name: 'one' })
    await world.sql("update notes set body = 'changed' where body = 'before.'")
    await world.note('added')
    await world.sql('create table fresh (id integer)')
    const { user } = await world.signUp('new@example.com')
    await world.api('POST', '/snapshots', { name: 'two' })
    const toTwo = await world.api('GET', '/snapshots/one/compare?with=two')
    const toNow = await world.api('GET', '/snapshots/one/compare')
    expect(user).toBeDefined()
    expect(toNow.tenants).toEqual(toTwo.tenants)
    const [tenant] = toTwo.tenants
    expect(tenant).toMatchObject({ schema_name: 'proj_acme', change: 'changed', users_added: 1 })
    expect(tenant.tables).toEqual(
      expect.arrayContaining([
        {
          table: 'notes',
          rows_added: 1,
          rows_removed: 0,
          rows_changed: 1,
          structure_changed: false,
          rows: [
            {
              key: { id: expect.any(String) },
              change: 'changed',
              cells: [{ column: 'body', before: 'before.', after: 'changed.' }],
              made_by: [],
            },
            {
              key: { id: expect.any(String) },
              change: 'added',
              cells: expect.any(Array),
              made_by: [],
            },
          ],
        },
        {
          table: 'fresh',
          rows_added: 0,
          rows_removed: 0,
          rows_changed: 0,
          structure_changed: true,
          rows: [],
        },
      ]),
    )
    expect((await world.api('GET', '/snapshots/two/compare')).tenants).toEqual([])
  })
})

describe('under traffic', () => {
  it('a snapshot has every change acknowledged before it, and a restore keeps every change after the restore', async () => {
    let isOver = false
    const statuses = new Set<number>()
    const acknowledged: string[] = []
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; !isOver; number += 1) {
        const body = `w${writer}-${number}`
        const status = await world.note(body)
        statuses.add(status)
        if (status === 201) acknowledged.push(`${body}.`)
      }
    })
    const before = await until(acknowledged, 40)
    await world.api('POST', '/snapshots', { name: 'busy' })
    await until(acknowledged, acknowledged.length + 40)
    await world.api('POST', '/snapshots/busy/restore')
    const restoredAt = acknowledged.length
    await until(acknowledged, restoredAt + 40)
    isOver = true
    await Promise.all(writers)
    const notes = new Set(await world.notes())
    expect([...statuses]).toEqual([201])
    expect(before.filter((note) => !notes.has(note))).toEqual([])
    expect(acknowledged.slice(restoredAt).filter((note) => !notes.has(note))).toEqual([])
  })
})

async function until(list: readonly string[], length: number): Promise<readonly string[]> {
  while (list.length < length) await new Promise((resolve) => setImmediate(resolve))
  return [...list]
}
