// The header `Server-Timing`, which an answer has only when the request asks for it (docs/wire/README.md#timing).
import { beforeAll, describe, expect, it } from 'vitest'
import { type DataWorld, startDataWorld } from '../../support/data-world.ts'
import { createGroup } from '../../support/test-emulator.ts'

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(
    'create table items (id int primary key); insert into items values (1)',
  )
})

const ASKED = { 'x-tenantry-timing': '1' }

/** Durations by stage, in the header's order. */
function timesOf(headers: Headers): ReadonlyMap<string, number> {
  const entries = (headers.get('server-timing') ?? '').split(', ').map((entry) => {
    const [stage = '', millis] = entry.split(';dur=')
    return [stage, Number(millis)] as const
  })
  return new Map(entries)
}

describe('Server-Timing', () => {
  it('is absent unless the request asks for it', async () => {
    const plain = await world.ask('GET', '/items')
    const refused = await world.ask('GET', '/items', { headers: { 'x-tenantry-timing': '0' } })
    expect([plain, refused].map(({ headers }) => headers.has('server-timing'))).toEqual([
      false,
      false,
    ])
  })

  it('has every stage of a read and of a write, and leaves the answer unchanged', async () => {
    const plain = await world.ask('GET', '/items?id=eq.1')
    const asked = await world.ask('GET', '/items?id=eq.1', { headers: ASKED })
    const times = timesOf(asked.headers)
    expect(asked.text).toBe(plain.text)
    // `parse` is absent when the emulator has cached the request's shape.
    expect([...times.keys()].filter((stage) => stage !== 'parse')).toEqual([
      ...['receive', 'jwt', 'body', 'plan', 'engine', 'transaction', 'response', 'finish', 'total'],
    ])
    const { engine = 0, transaction = 0, total = 0 } = Object.fromEntries(times)
    expect(engine).toBeGreaterThan(0)
    expect(transaction).toBeGreaterThan(engine)
    expect(total).toBeGreaterThan(transaction)
    const written = await world.ask('POST', '/items', { headers: ASKED, body: { id: 2 } })
    expect([...timesOf(written.headers).keys()]).toContain('transaction')
  })

  it('is sent with errors and by other services, and is exposed to pages of other origins', async () => {
    const headers = { ...ASKED, origin: 'http://localhost:3000' }
    const refused = await world.ask('GET', '/none', { headers })
    expect(refused.status).toBe(404)
    expect(timesOf(refused.headers).get('total')).toBeGreaterThan(0)
    expect(refused.headers.get('access-control-expose-headers')).toContain('Server-Timing')
    const group = await createGroup(world.at, 'timed')
    const made = await world.at.call('POST', `/groups/v1/${group.id}/tenants`, {
      credential: group.key,
      headers: ASKED,
      body: { slug: 'timed_tenant' },
    })
    expect(made.status).toBe(201)
    expect([...timesOf(made.headers).keys()]).toEqual([
      ...['receive', 'check', 'reserve', 'clone', 'keys', 'activate', 'finish', 'total'],
    ])
  })
})
