// Every operation of the storage and realtime documents answers as documented (docs/guide/openapi.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { granted } from '../../support/auth-world.ts'
import { type DocumentedTraffic, watchTraffic } from '../../support/documented-traffic.ts'
import { askS3 } from '../../support/s3-client.ts'
import {
  type StorageAsk,
  type StorageWorld,
  startStorageWorld,
} from '../../support/storage-world.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: StorageWorld
let traffic: DocumentedTraffic
let bucket: string
let open: string
beforeAll(async () => {
  world = await startStorageWorld()
  traffic = await watchTraffic(world.at, ['storage', 'realtime'])
  bucket = await world.freshBucket({ public: false, file_size_limit: '1MB' })
  open = await world.freshBucket({ public: true })
})
afterAll(async () => {
  traffic.stop()
  await world[Symbol.asyncDispose]()
})

async function store(method: string, path: string, options?: StorageAsk): Promise<Json> {
  return granted(await world.ask(method, path, options))
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('the storage document', () => {
  it('describes the token', async () => {
    const { call } = world.at
    granted(await call('POST', '/st/v1/token', { credential: world.tenant.anonKey }))
    expect((await call('POST', '/st/v1/token', { credential: 'x' })).status).toBe(401)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes buckets', async () => {
    const doomed = await world.freshBucket()
    await store('GET', '/bucket?limit=2&sortColumn=name')
    await store('GET', `/bucket/${doomed}`)
    await store('PUT', `/bucket/${doomed}`, { body: { public: true, allowed_mime_types: ['a/b'] } })
    await store('POST', `/bucket/${doomed}/empty`, { body: {} })
    await store('DELETE', `/bucket/${doomed}`)
    expect((await world.ask('GET', `/bucket/${doomed}`)).status).toBe(400)
    for (const path of ['', '/', `/${bucket}`, `/${bucket}/a.txt`])
      await store('DELETE', `/cdn${path}`)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes files', async () => {
    const text = { body: 'hello', headers: { 'content-type': 'text/plain' } }
    await store('POST', `/object/${bucket}/folder/a.txt`, text)
    await store('PUT', `/object/${bucket}/folder/a.txt`, text)
    await store('POST', `/object/${open}/a.txt`, text)
    await store('GET', `/object/${bucket}/folder/a.txt`)
    const range = { range: 'bytes=0-1' }
    await store('GET', `/object/authenticated/${bucket}/folder/a.txt`, { headers: range })
    await store('GET', `/object/public/${open}/a.txt`, { role: null })
    await store('GET', `/object/info/${bucket}/folder/a.txt`)
    await store('GET', `/object/info/authenticated/${bucket}/folder/a.txt`)
    await store('GET', `/object/info/public/${open}/a.txt`, { role: null })
    await store('POST', `/object/list/${bucket}`, { body: { prefix: '' } })
    await store('POST', `/object/list-v2/${bucket}`, { body: { with_delimiter: true, limit: 1 } })
    await store('POST', `/object/list-v2/${bucket}`, { body: {} })
    expect((await world.ask('GET', `/object/${bucket}/none`)).status).toBe(400)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes moving, copying and deleting', async () => {
    await world.put(bucket, 'm.txt', 'x')
    const moved = { bucketId: bucket, sourceKey: 'm.txt', destinationKey: 'n.txt' }
    await store('POST', '/object/move', { body: moved })
    const copied = { bucketId: bucket, sourceKey: 'n.txt', destinationKey: 'o.txt' }
    await store('POST', '/object/copy', { body: copied })
    await store('DELETE', `/object/${bucket}/n.txt`)
    await store('DELETE', `/object/${bucket}`, { body: { prefixes: ['o.txt'] } })
    expect(await traffic.problems()).toEqual([])
  })

  it('describes signed addresses', async () => {
    await world.put(bucket, 's.txt', 'x')
    const one = await store('POST', `/object/sign/${bucket}/s.txt`, { body: { expiresIn: 60 } })
    await store('GET', one.signedURL, { role: null })
    const paths = ['s.txt', 'none.txt']
    await store('POST', `/object/sign/${bucket}`, { body: { expiresIn: 60, paths } })
    const { url } = await store('POST', `/object/upload/sign/${bucket}/t.txt`)
    await store('PUT', url, { role: null, body: 'x', headers: { 'content-type': 'text/plain' } })
    expect((await world.ask('GET', `/object/sign/${bucket}/s.txt?token=x`)).status).toBe(400)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes pictures', async () => {
    const headers = { 'content-type': 'image/png' }
    for (const name of [bucket, open])
      await store('POST', `/object/${name}/p.png`, { body: PIXEL, headers })
    await store('GET', `/render/image/authenticated/${bucket}/p.png?width=1&resize=fill`)
    await store('GET', `/render/image/public/${open}/p.png?height=1`, { role: null })
    const body = { expiresIn: 60, transform: { width: 1 } }
    const { signedURL } = await store('POST', `/object/sign/${bucket}/p.png`, { body })
    await store('GET', signedURL, { role: null })
    expect(await traffic.problems()).toEqual([])
  })

  it('describes resumable uploads', async () => {
    const { token } = await store('POST', `/object/upload/sign/${bucket}/signed.txt`)
    await uploadInTwoParts('/upload/resumable', 'r.txt', {})
    await uploadInTwoParts('/upload/resumable/sign', 'signed.txt', { 'x-signature': token })
    expect((await world.ask('POST', '/upload/resumable')).status).toBe(412)
    expect(await traffic.problems()).toEqual([])
  })

  it('describes S3', async () => {
    const keys = await world.at.call('POST', `/_emulator/v1/projects/${world.tenant.slug}/s3-keys`)
    const ask = (method: string, path: string, body?: string) =>
      askS3(keys.body, method, path, body === undefined ? {} : { body })
    const statuses = [
      await ask('GET', ''),
      await ask('PUT', `/${bucket}/s3.txt`, 'x'),
      await ask('GET', `/${bucket}/s3.txt`),
      await ask('GET', `/${bucket}`),
      await ask('DELETE', `/${bucket}/s3.txt`),
      await ask('GET', `/${bucket}/s3.txt`),
    ].map(({ status }) => status)
    const removal = '<Delete><Object><Key>s3.txt</Key></Object></Delete>'
    const removed = await askS3(keys.body, 'POST', `/${bucket}`, {
      query: { delete: '' },
      body: removal,
    })
    expect([...statuses, removed.status]).toEqual([200, 200, 200, 200, 204, 404, 200])
    expect(await traffic.problems()).toEqual([])
  })
})

/** Creates an upload, reads its state, sends a part of its bytes, and cancels it. */
async function uploadInTwoParts(
  folder: string,
  objectName: string,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  const role = folder.endsWith('sign') ? null : 'user'
  const metadata = Object.entries({ bucketName: bucket, objectName, contentType: 'text/plain' })
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')
  const ask = async (method: string, address: string, headers: object, body?: string) => {
    const options = { role, headers: { 'tus-resumable': '1.0.0', ...more, ...headers }, body }
    const answer = await world.ask(method, address.replace(world.url, ''), options as StorageAsk)
    granted(answer)
    return answer.headers.get('location') ?? ''
  }
  const begun = { 'upload-length': '6', 'upload-metadata': metadata }
  const upload = await ask('POST', folder, begun)
  await ask('HEAD', upload, {})
  const type = { 'content-type': 'application/offset+octet-stream' }
  await ask('PATCH', upload, { ...type, 'upload-offset': '0' }, 'abc')
  await ask('DELETE', upload, {})
}

describe('the realtime document', () => {
  it('describes the token and broadcasts', async () => {
    const { call } = world.at
    const credential = world.tenant.anonKey
    const { token } = granted(await call('POST', '/rt/v1/token', { credential }))
    const base = '/realtime/v1/api/broadcast'
    const messages = [{ topic: 'room', event: 'said', payload: { a: 1 } }]
    granted(await call('POST', base, { credential: token, body: { messages } }))
    granted(await call('POST', `${base}/room/events/said`, { credential: token, body: { a: 1 } }))
    const bad = { credential: token, body: { messages: [{ topic: 'room' }] } }
    expect((await call('POST', base, bad)).status).toBe(422)
    expect((await call('POST', base, { body: { messages } })).status).toBe(401)
    expect(await traffic.problems()).toEqual([])
  })
})

it('the tests use every documented operation except the socket handshake', async () => {
  expect(await traffic.unseen()).toEqual(['socketOpen'])
})
