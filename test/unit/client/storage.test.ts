// Storage requests use a storage token (docs/wire/credentials.md#storage-token). The client exchanges the token when needed,
// keeps it, and discards it with the session.
import { expect, it } from 'vitest'
import {
  type Answering,
  createDevice,
  createPlatform,
  openTab,
  type Platform,
  sessionAnswer,
} from '../../support/client-device.ts'

const STORAGE_URL = 'http://files.platform.test/v2'

function storagePlatform(extra: Answering = () => [200, {}]): Platform {
  let exchanged = 0
  return createPlatform((asked) => {
    if (asked.url.endsWith('/signin')) return [200, sessionAnswer()]
    if (asked.url.endsWith('/st/v1/token'))
      return [200, { token: `storage-${++exchanged}`, url: STORAGE_URL, role: 'anon' }]
    if (asked.url.includes('/object/sign/')) return [200, { signedURL: '/object/sign/b/x?token=t' }]
    return extra(asked)
  })
}

function exchanges(platform: Platform): (string | undefined)[] {
  return platform.asked
    .filter(({ url }) => url.endsWith('/st/v1/token'))
    .map(({ headers }) => headers['authorization'])
}

it('exchanges the credential once, and sends the token to the storage address in the response', async () => {
  const platform = storagePlatform(() => [200, []])
  const { storage } = openTab(createDevice(), platform)
  await storage.from('proj_shop_files').list()
  await storage.from('proj_shop_files').list()
  expect(exchanges(platform)).toEqual(['Bearer anon-key'])
  expect(platform.asked.at(-1)).toMatchObject({
    url: `${STORAGE_URL}/object/list/proj_shop_files`,
    headers: { authorization: 'Bearer storage-1' },
  })
})

it('builds signed URLs from the storage address in the response', async () => {
  const { storage } = openTab(createDevice(), storagePlatform())
  const { data } = await storage.from('b').createSignedUrl('x', 60)
  expect(data?.signedUrl).toBe(`${STORAGE_URL}/object/sign/b/x?token=t`)
})

it('builds public addresses without a request', () => {
  const { storage } = openTab(createDevice(), storagePlatform())
  expect(storage.from('b').getPublicUrl('x').data.publicUrl).toBe(
    'http://storage.platform.test/object/public/b/x',
  )
})

it('replaces the storage token one minute before it expires', async () => {
  const [device, platform] = [createDevice(), storagePlatform(() => [200, []])]
  const { storage } = openTab(device, platform)
  await storage.from('b').list()
  await device.clock.advance(3_539_000)
  await storage.from('b').list()
  expect(exchanges(platform)).toHaveLength(1)
  await device.clock.advance(2_000)
  await storage.from('b').list()
  expect(exchanges(platform)).toHaveLength(2)
})

it('exchanges the token again when the user signs in or out', async () => {
  const platform = storagePlatform(() => [200, []])
  const { auth, storage } = openTab(createDevice(), platform)
  await storage.from('b').list()
  const { data } = await auth.signInWithPassword({ email: 'a@b', password: 'x' })
  await storage.from('b').list()
  await auth.signOut()
  await storage.from('b').list()
  expect(exchanges(platform)).toEqual([
    'Bearer anon-key',
    `Bearer ${data.session?.data_plane_token}`,
    'Bearer anon-key',
  ])
})

it('returns a refused exchange as the storage call’s error, and exchanges again at the next call', async () => {
  const platform = storagePlatform()
  platform.answer = () => [402, { error: { code: 'storage_quota_exceeded', message: 'Full.' } }]
  const { storage } = openTab(createDevice(), platform)
  const { error } = await storage.from('b').list()
  expect(error).toMatchObject({ status: 402, statusCode: '402', message: 'Full.' })
  await storage.from('b').list()
  expect(exchanges(platform)).toHaveLength(2)
})
