// A session is renewed a minute before its end, by one tab for all (docs/wire/auth.md#refresh).
import { expect, it } from 'vitest'
import type { AuthEvent } from '../../../../client/auth/events.ts'
import type { Client } from '../../../../client/create-client.ts'
import {
  type Answering,
  createDevice,
  createPlatform,
  type Device,
  openTab,
  type Platform,
  sessionAnswer,
  settled,
} from '../../../support/client-device.ts'

const MINUTE = 60_000

const credentials = { email: 'ana@example.com', password: 'secret' }

/** A platform that signs users in, and exchanges each refresh token only once. */
function rotatingPlatform(): Platform & { readonly refreshes: () => number } {
  let current: unknown
  const next = (): readonly [number, unknown] => {
    const session = sessionAnswer()
    current = session['refresh_token']
    return [200, session]
  }
  const answer: Answering = ({ url, body }) => {
    if (url.endsWith('/signin')) return next()
    if (!url.endsWith('/token/refresh')) return [200, []]
    const given = (body as { refresh_token: unknown }).refresh_token
    if (given === current) return next()
    return [401, { error: { code: 'unauthorized', message: 'Reused.' } }]
  }
  const platform = createPlatform(answer)
  const refreshes = (): number =>
    platform.asked.filter(({ url }) => url.endsWith('/token/refresh')).length
  return Object.assign(platform, { refreshes })
}

function listen(client: Client): AuthEvent[] {
  const heard: AuthEvent[] = []
  client.auth.onAuthStateChange((event) => heard.push(event))
  return heard
}

async function tokenOf(client: Client): Promise<string | null> {
  return (await client.auth.getDataPlaneToken()).data.token
}

async function signedInTabs(device: Device, platform: Platform): Promise<[Client, Client]> {
  const tabs: [Client, Client] = [openTab(device, platform), openTab(device, platform)]
  await tabs[0].auth.signInWithPassword(credentials)
  await settled()
  return tabs
}

it('renews the session one minute before it expires, not earlier', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  await openTab(device, platform).auth.signInWithPassword(credentials)
  await device.clock.advance(59 * MINUTE - 1)
  expect(platform.refreshes()).toBe(0)
  await device.clock.advance(1_000)
  expect(platform.refreshes()).toBe(1)
  await device.clock.advance(59 * MINUTE)
  expect(platform.refreshes()).toBe(2)
})

it('renews the session only on demand when autoRefreshToken is off', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  const client = openTab(device, platform, { autoRefreshToken: false })
  const { data } = await client.auth.signInWithPassword(credentials)
  await device.clock.advance(200 * MINUTE)
  expect(await tokenOf(client)).toBe(data.session?.data_plane_token)
  expect(platform.refreshes()).toBe(0)
  const renewing = client.auth.refreshSession()
  await device.clock.advance(1_000)
  expect((await renewing).data.session?.data_plane_token).toBe(await tokenOf(client))
  expect(platform.refreshes()).toBe(1)
})

it.each(['storage lease', 'Web Locks'])('renews a session once for all tabs: %s', async (kind) => {
  const device = createDevice(kind === 'Web Locks' ? { locks: navigator.locks } : {})
  const platform = rotatingPlatform()
  const tabs = await signedInTabs(device, platform)
  const heard = tabs.map(listen)
  await settled()
  await device.clock.advance(60 * MINUTE)
  await settled()
  expect(platform.refreshes()).toBe(1)
  expect(await tokenOf(tabs[0])).toBe(await tokenOf(tabs[1]))
  expect(heard).toEqual([
    ['INITIAL_SESSION', 'TOKEN_REFRESHED'],
    ['INITIAL_SESSION', 'TOKEN_REFRESHED'],
  ])
  for (const tab of tabs) tab.close()
})

it('renews the session once for many callers after the device slept', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  const client = openTab(device, platform)
  await client.auth.signInWithPassword(credentials)
  client.close()
  await device.clock.advance(120 * MINUTE)
  const calls = [1, 2, 3].map(() => Promise.resolve(client.from('notes').select()))
  await device.clock.advance(1_000)
  await Promise.all(calls)
  expect(platform.refreshes()).toBe(1)
  const token = await tokenOf(client)
  expect(platform.asked.slice(-3).map(({ headers }) => headers['authorization'])).toEqual(
    Array(3).fill(`Bearer ${token}`),
  )
})

it('takes over the refresh lease of a closed tab after the lease ends', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  const client = openTab(device, platform)
  await client.auth.signInWithPassword(credentials)
  const lease = { owner: 'gone', until: device.clock.now() + 59 * MINUTE + 20_000 }
  await device.storage.setItem('tenantry.auth.platform.test.shop.lock', JSON.stringify(lease))
  await device.clock.advance(59 * MINUTE + 19_000)
  expect(platform.refreshes()).toBe(0)
  await device.clock.advance(2_000)
  expect(platform.refreshes()).toBe(1)
})

it('does not wait for a refresh lease that was written before the device’s clock was set back', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  const client = openTab(device, platform, { autoRefreshToken: false })
  await client.auth.signInWithPassword(credentials)
  const lease = { owner: 'gone', until: device.clock.now() + 24 * 60 * MINUTE }
  await device.storage.setItem('tenantry.auth.platform.test.shop.lock', JSON.stringify(lease))
  const renewing = client.auth.refreshSession()
  await device.clock.advance(1_000)
  expect((await renewing).error).toBeNull()
})

it('signs out when the platform refuses the refresh token', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  const client = openTab(device, platform)
  await client.auth.signInWithPassword(credentials)
  const heard = listen(client)
  await settled()
  platform.answer = () => [401, { error: { code: 'unauthorized', message: 'Ended.' } }]
  await device.clock.advance(60 * MINUTE)
  expect(heard).toEqual(['INITIAL_SESSION', 'SIGNED_OUT'])
  expect((await client.auth.getSession()).data.session).toBeNull()
})

it('fails a request when its session has ended, instead of sending the request anonymously', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  const client = openTab(device, platform)
  await client.auth.signInWithPassword(credentials)
  client.close()
  await device.clock.advance(60 * MINUTE)
  platform.answer = () => [401, { error: { code: 'unauthorized', message: 'Ended.' } }]
  const inserting = client.from('notes').insert({ text: 'mine' })
  const outcome = Promise.resolve(inserting)
  await device.clock.advance(1_000)
  expect(await outcome).toMatchObject({ status: 401, error: { code: 'unauthorized' } })
  expect(platform.asked.some(({ url }) => url.includes('/notes'))).toBe(false)
})

it('keeps the session after a network failure, and tries again', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  const client = openTab(device, platform)
  const { data } = await client.auth.signInWithPassword(credentials)
  const working = platform.answer
  platform.answer = () => undefined
  await device.clock.advance(59 * MINUTE + 1_000)
  expect(platform.refreshes()).toBe(1)
  const asking = tokenOf(client)
  await device.clock.advance(1_000)
  expect(await asking).toBe(data.session?.data_plane_token)
  platform.answer = working
  await device.clock.advance(10_000)
  expect(await tokenOf(client)).not.toBe(data.session?.data_plane_token)
})

it('returns the network error when the session has expired and the platform does not answer', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  const client = openTab(device, platform)
  await client.auth.signInWithPassword(credentials)
  client.close()
  platform.answer = () => undefined
  await device.clock.advance(61 * MINUTE)
  const asking = client.auth.getSession()
  await device.clock.advance(1_000)
  expect(await asking).toMatchObject({
    data: { session: null },
    error: { code: 'network_error', status: 0 },
  })
})

it('does not restore a session that another tab ended during the renewal', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  const client = openTab(device, platform)
  await client.auth.signInWithPassword(credentials)
  const working = platform.answer
  platform.answer = (asked) => {
    device.storage.removeItem('tenantry.auth.platform.test.shop')
    return working(asked)
  }
  const renewing = client.auth.refreshSession()
  await device.clock.advance(1_000)
  expect((await renewing).error).toMatchObject({ code: 'session_missing' })
  expect((await client.auth.getSession()).data.session).toBeNull()
})

it('measures the session’s age by the device’s clock when the platform’s clock differs', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  platform.answer = ({ url }) =>
    url.endsWith('/signin') ? [200, sessionAnswer({ expires_at: 1 })] : [200, []]
  await openTab(device, platform).auth.signInWithPassword(credentials)
  await device.clock.advance(58 * MINUTE)
  expect(platform.refreshes()).toBe(0)
})

it('renews the session when the device’s clock was set back, because the session’s age is unknown', async () => {
  const [device, platform] = [createDevice(), rotatingPlatform()]
  await device.clock.advance(10 * MINUTE)
  const client = openTab(device, platform)
  await client.auth.signInWithPassword(credentials)
  client.close()
  const earlier = { ...createDevice(), storage: device.storage }
  const asking = tokenOf(openTab(earlier, platform))
  await earlier.clock.advance(1_000)
  expect(await asking).not.toBeNull()
  expect(platform.refreshes()).toBe(1)
})
