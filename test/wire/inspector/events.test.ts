// GET /_emulator/v1/events sends events as they happen (contract/events.ts).
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvents } from '../../support/event-stream.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
let tenant: TestTenant
beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'clinic', {
    sql: 'create table rooms (id int primary key); grant select on rooms to anon;',
  })
  tenant = await provisionTenant(at, group, 'north')
})
afterAll(() => at[Symbol.asyncDispose]())

const ask = (marker: string) =>
  at.call('GET', `/rooms?select=id&marker=eq.${marker}`, { credential: tenant.anonKey })
const isRequest = (marker: string) => (event: Json) =>
  event.kind === 'request' && event.entry.target.includes(marker)

describe('the stream of events', () => {
  it('reports a project’s write once in a batch', async () => {
    await using stream = await readEvents(at.url)
    await stream.next(({ kind }) => kind === 'hello')
    const body = { identity: 'owner', sql: 'insert into rooms values (7)' }
    await at.call('POST', `/_emulator/v1/projects/${tenant.slug}/sql`, { body })
    // Ignores events without a schema name: writes that may concern any schema, such as prepared clones.
    const ofProject = (event: Json) => event.kind === 'written' && event.schema_name !== null
    await stream.next(ofProject)
    expect(stream.events('written').filter(ofProject)).toEqual([
      { kind: 'written', schema_name: tenant.schemaName, events: expect.any(Number) },
    ])
  })

  it('numbers a write, so that a page distinguishes the write of an answer from later ones', async () => {
    await using stream = await readEvents(at.url)
    await stream.next(({ kind }) => kind === 'hello')
    const write = async (id: number, last = 0) => {
      const body = { identity: 'owner', sql: `insert into rooms values (${id})` }
      const path = `/_emulator/v1/projects/${tenant.slug}/sql`
      const { headers } = await at.call('POST', path, { body })
      const { events } = await stream.next(
        (event) =>
          event.kind === 'written' &&
          event.schema_name === tenant.schemaName &&
          event.events > last,
      )
      return { events, after: Number(headers.get('x-tenantry-events-after')) }
    }
    const first = await write(78)
    expect(first.events).toBeLessThanOrEqual(first.after)
    const second = await write(79, first.events)
    expect(second.events).toBeGreaterThan(first.after)
  })

  it('reports no write while a snapshot is compared with the changed state', async () => {
    await at.call('POST', '/_emulator/v1/snapshots', { body: { name: 'writes' } })
    const body = { identity: 'owner', sql: 'insert into rooms values (77)' }
    await at.call('POST', `/_emulator/v1/projects/${tenant.slug}/sql`, { body })
    const compare = async () => {
      const { body: found } = await at.call('GET', '/_emulator/v1/snapshots/writes/compare')
      return found.tenants.length
    }
    // Compares once before the test, because the first comparison in a data directory may create the role that reads rows.
    expect(await compare()).toBe(1)
    await using stream = await readEvents(at.url)
    await stream.next(({ kind }) => kind === 'hello')
    expect(await compare()).toBe(1)
    await ask('after-comparing')
    await stream.next(isRequest('after-comparing'))
    expect(stream.events('written')).toEqual([])
  })

  it('leaves out request events when the query contains requests=false', async () => {
    await using quiet = await readEvents(at.url, {}, '?requests=false')
    await using whole = await readEvents(at.url)
    for (const stream of [quiet, whole]) await stream.next(({ kind }) => kind === 'hello')
    await ask('loud')
    await whole.next(isRequest('loud'))
    const body = { identity: 'owner', sql: 'insert into rooms values (70)' }
    await at.call('POST', `/_emulator/v1/projects/${tenant.slug}/sql`, { body })
    await quiet.next((event) => event.kind === 'written' && event.schema_name !== null)
    expect(quiet.events('request')).toEqual([])
    expect(quiet.events('hello')).toEqual(whole.events('hello'))
  })

  it('begins with hello, as an event stream that must not be cached', async () => {
    const { headers } = await at.call('GET', '/_emulator/v1/health')
    await using stream = await readEvents(at.url)
    await stream.next(({ kind }) => kind === 'hello')
    expect(stream.events()[0]).toEqual({
      kind: 'hello',
      boot_id: expect.stringMatching(/^boot_/),
      version: expect.any(String),
      events: Number(headers.get('x-tenantry-events')),
    })
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-store')
  })

  it('sends the journal entries of requests in the order of the journal', async () => {
    await using stream = await readEvents(at.url)
    await stream.next(({ kind }) => kind === 'hello')
    for (const marker of ['one', 'two', 'three']) await ask(marker)
    await stream.next(isRequest('three'))
    const told = stream.events('request').map(({ entry }) => entry)
    const journal = await at.call('GET', '/_emulator/v1/journal?limit=3')
    expect(told.slice(-3)).toEqual(journal.body.entries.toReversed())
  })

  it('numbers its batches without gaps and sends no two within 50 ms', async () => {
    await using stream = await readEvents(at.url)
    await stream.next(({ kind }) => kind === 'hello')
    await Promise.all(Array.from({ length: 60 }, (_, index) => ask(`batch${index}`)))
    await ask('last')
    await stream.next(isRequest('last'))
    const ids = stream.frames.map(({ id }) => id)
    expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index))
    expect(stream.events('request').length).toBeGreaterThan(stream.frames.length)
  })

  it('sends an event when platform time is moved', async () => {
    await using stream = await readEvents(at.url)
    await stream.next(({ kind }) => kind === 'hello')
    await at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 1_000 } })
    const { clock } = await stream.next(({ kind }) => kind === 'clock')
    expect(clock).toMatchObject({ frozen: false })
    await at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
  })

  it('sends no event for requests to the emulator’s own API', async () => {
    await using stream = await readEvents(at.url)
    await at.call('GET', '/_emulator/v1/health')
    await ask('after')
    await stream.next(isRequest('after'))
    expect(stream.events('request').map(({ entry }) => entry.service)).not.toContain('inspector')
  })
})

describe('a reader that reconnects', () => {
  it('receives what it missed, and nothing that it received before', async () => {
    let last: number
    {
      await using first = await readEvents(at.url)
      await ask('seen')
      await first.next(isRequest('seen'))
      last = first.frames.at(-1)?.id ?? 0
    }
    await ask('missed')
    await using second = await readEvents(at.url, { 'last-event-id': String(last) })
    await second.next(isRequest('missed'))
    expect(second.events().map(({ kind }) => kind)).not.toContain('gap')
    expect(second.events().some(isRequest('seen'))).toBe(false)
  })

  it.each(['1', '99999999999999'])('receives a gap after the unknown id %s', async (id) => {
    await using stream = await readEvents(at.url, { 'last-event-id': id })
    await stream.next(({ kind }) => kind === 'gap')
    expect(stream.events().map(({ kind }) => kind)).toEqual(['hello', 'gap'])
  })

  it('receives a gap and another boot id after a restart', async () => {
    await using before = await readEvents(at.url)
    const { boot_id: bootId } = await before.next(({ kind }) => kind === 'hello')
    await using again = await startTestEmulator()
    await using stream = await readEvents(again.url, {
      'last-event-id': String(before.frames[0]?.id),
    })
    await stream.next(({ kind }) => kind === 'gap')
    expect(stream.events('hello')[0].boot_id).not.toBe(bootId)
  })
})

describe('the end of the stream', () => {
  it('comes when the emulator closes, after the last event', async () => {
    const other = await startTestEmulator()
    const stream = await readEvents(other.url)
    await stream.next(({ kind }) => kind === 'hello')
    await other[Symbol.asyncDispose]()
    await expect(stream.ended).resolves.toBe('whole')
  })

  it('comes when the emulator closes, for a reader without a socket', async () => {
    const other = await startTestEmulator()
    const response = await other.emulator.fetch(new Request('http://127.0.0.1/_emulator/v1/events'))
    const text = response.text()
    await other[Symbol.asyncDispose]()
    await expect(text).resolves.toContain('"kind":"hello"')
  })

  it('affects no other reader when a reader disconnects or never reads', async () => {
    const { hostname, port } = new URL(at.url)
    const idle = connect(Number(port), hostname)
    idle.pause()
    idle.write('GET /_emulator/v1/events HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await ask('while-idle')
    idle.destroy()
    await using stream = await readEvents(at.url)
    await ask('later')
    await stream.next(isRequest('later'))
  })
})
