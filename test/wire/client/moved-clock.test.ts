// The client library while the platform clock is advanced, frozen and set back, but the device's clock is not changed
// (docs/wire/auth.md#client-events).
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../../client/create-client.ts'
import { createDevice, type Device, openTab } from '../../support/client-device.ts'
import {
  type ClientWorld,
  listen,
  startClientWorld,
  whileTimePasses,
} from '../../support/client-world.ts'

const HOUR = 3_600
const REFRESH = '/auth/v1/token/refresh'

let world: ClientWorld
let bucket: string
beforeAll(async () => {
  world = await startClientWorld()
  await world.execute(`
    create table notes (id serial primary key, owner uuid default auth.uid(), text text);
    alter table notes enable row level security;
    create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
    create function redeem() returns void language plpgsql as
      $$ begin raise exception 'The voucher has expired'; end $$;
  `)
  bucket = `${world.tenant.schemaName}_files`
  const { at, tenant } = world
  const server = openTab(createDevice(), { fetch }, { url: at.url, key: tenant.serviceRoleKey })
  expect((await server.storage.createBucket(bucket)).error).toBeNull()
})
afterAll(() => world[Symbol.asyncDispose]())

async function signedUp(device: Device = createDevice()): Promise<Client> {
  const client = world.open(device)
  const { error } = await client.auth.signUp({
    email: world.freshEmail(),
    password: 'correct horse',
  })
  expect(error).toBeNull()
  return client
}

const readingOf = async (client: Client): Promise<unknown> =>
  (await client.from('notes').select('text')).error

const calls: readonly (readonly [name: string, call: (client: Client) => Promise<unknown>])[] = [
  ['a read', readingOf],
  ['a write', async (client) => (await client.from('notes').insert({ text: 'x' })).error],
  ['a call of auth', async (client) => (await client.auth.getUser()).error],
  ['a realtime token', async (client) => (await client.getRealtimeToken()).error],
  [
    'an upload',
    async (client) =>
      (await client.storage.from(bucket).upload(`${crypto.randomUUID()}.txt`, 'text')).error,
  ],
]

describe.each([
  ['that can read the platform’s time', fetch],
  ['that cannot read the platform’s time', withoutDates],
])('a signed-in client %s', (_, send) => {
  it.each(calls)('renews the token once for %s after a clock advance', async (_name, call) => {
    const device = createDevice()
    const client = world.open(device, { fetch: send })
    await client.auth.signUp({ email: world.freshEmail(), password: 'correct horse' })
    expect(await whileTimePasses(device, call(client))).toBeNull()
    const before = await world.asked(REFRESH)
    await world.advance(2 * HOUR)
    expect(await whileTimePasses(device, call(client))).toBeNull()
    expect(await whileTimePasses(device, call(client))).toBeNull()
    expect((await world.asked(REFRESH)) - before).toBe(1)
  })
})

it('learns the platform’s time from an answer, and renews the token before the next request', async () => {
  const device = createDevice()
  const client = await signedUp(device)
  const heard = listen(client)
  await world.advance(HOUR - 30)
  expect((await client.from('notes').select('text')).error).toBeNull()
  await vi.waitFor(async () => {
    await device.clock.advance(50)
    expect(heard).toContain('TOKEN_REFRESHED')
  })
})

it('renews the token once for two tabs of one device', async () => {
  const device = createDevice()
  const tabs = [await signedUp(device), world.open(device)]
  const heard = tabs.map(listen)
  for (const tab of tabs) expect((await tab.from('notes').select('text')).error).toBeNull()
  const before = await world.asked(REFRESH)
  await world.advance(2 * HOUR)
  const reads = tabs.map(async (tab) => (await tab.from('notes').select('text')).error)
  expect(await whileTimePasses(device, Promise.all(reads))).toEqual([null, null])
  expect((await world.asked(REFRESH)) - before).toBe(1)
  for (const events of heard) expect(events.filter((e) => e === 'TOKEN_REFRESHED')).toHaveLength(1)
})

it('keeps its session while the platform’s clock is frozen', async () => {
  const device = createDevice()
  const client = await signedUp(device)
  await world.clock({ freeze: true })
  try {
    for (let hours = 0; hours < 3; hours += 1) {
      await device.clock.advance(HOUR * 1_000)
      const reading = readingOf(client)
      expect(await whileTimePasses(device, reading)).toBeNull()
    }
  } finally {
    await world.clock({ resume: true })
  }
})

it('does not renew the token for requests after the clock was set back', async () => {
  const device = createDevice()
  await world.advance(5 * HOUR)
  const client = await signedUp(device)
  await world.clock({ reset: true })
  const before = await world.asked(REFRESH)
  for (let calls = 0; calls < 5; calls += 1)
    expect((await client.from('notes').select('text')).error).toBeNull()
  expect((await world.asked(REFRESH)) - before).toBe(0)
  await device.clock.advance(HOUR * 1_000)
  const reading = readingOf(client)
  expect(await whileTimePasses(device, reading)).toBeNull()
})

it('signs out when the platform ended the session before the renewal', async () => {
  const device = createDevice()
  const client = await signedUp(device)
  const heard = listen(client)
  const session = (await client.auth.getSession()).data.session
  await world.at.call('POST', '/auth/v1/signout', {
    headers: { apikey: world.tenant.anonKey },
    credential: session?.access_token ?? '',
    body: { scope: 'global' },
  })
  await world.advance(2 * HOUR)
  const reading = client.from('notes').select('text')
  expect((await whileTimePasses(device, Promise.resolve(reading))).status).toBe(401)
  expect(heard).toContain('SIGNED_OUT')
})

it('repeats no request that was refused for a reason other than an expired token', async () => {
  const client = await signedUp()
  const path = '/missing?select=text'
  expect((await client.from('missing').select('text')).error?.code).toBe('PGRST205')
  expect(await world.asked(path)).toBe(1)
  const before = await world.asked(REFRESH)
  const { error } = await client.rpc('redeem')
  expect(error?.message).toBe('The voucher has expired')
  expect(await world.asked('/rpc/redeem')).toBe(1)
  expect(await world.asked(REFRESH)).toBe(before)
})

/** A platform that does not expose its header Date to pages (Fetch standard, CORS protocol). */
async function withoutDates(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  const headers = new Headers(response.headers)
  headers.delete('date')
  headers.delete('content-encoding')
  return new Response(response.body, { status: response.status, headers })
}
