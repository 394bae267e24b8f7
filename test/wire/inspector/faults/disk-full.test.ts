// The injected fault of a full disk: every kind of upload is refused as with a really full disk, and no partial file remains.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../support/cli-process.ts'
import { askS3, type S3Credentials } from '../../../support/s3-client.ts'
import { type StorageWorld, startStorageWorld } from '../../../support/storage-world.ts'

const folder = temporaryFolder()
const dataDir = join(folder.path, 'world')
let world: StorageWorld
let bucket = ''
let keys: S3Credentials
beforeAll(async () => {
  world = await startStorageWorld({ dataDir })
  bucket = await world.freshBucket()
  keys = (await world.at.call('POST', `/_emulator/v1/projects/${world.tenant.slug}/s3-keys`)).body
  await world.put(bucket, 'there.txt', 'there')
})
afterEach(() => world.at.call('DELETE', '/_emulator/v1/faults'))
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  folder.remove()
})

async function fill(): Promise<void> {
  const body = { effect: { kind: 'disk_full' }, scope: { project: world.tenant.slug } }
  expect((await world.at.call('POST', '/_emulator/v1/faults', { body })).status).toBe(201)
}

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}
const blobs = () => filesUnder(join(dataDir, 'blobs'))

it.each([
  ['a small file', 5],
  ['a large file', 5 << 20],
])('refuses %s with 500, and stores no byte of the file', async (_title, size) => {
  const before = blobs()
  await fill()
  const refused = await world.ask('POST', `/object/${bucket}/new.bin`, {
    body: Buffer.alloc(size, 1),
    headers: { 'content-type': 'application/octet-stream' },
  })
  expect(refused).toMatchObject({
    status: 500,
    body: { statusCode: '500', error: 'Internal', code: 'InternalError' },
  })
  expect(refused.body.message).toMatch(/disk/)
  expect(blobs()).toEqual(before)
  const looked = await world.ask('GET', `/object/${bucket}/new.bin`)
  expect(looked.body.code).toBe('NoSuchKey')
})

it('names the fault in the chain of the refused request', async () => {
  await fill()
  await world.ask('POST', `/object/${bucket}/told.txt`, { body: 'bytes' })
  const api = (path: string) => world.at.call('GET', `/_emulator/v1${path}`)
  const [fault] = (await api('/faults')).body.faults
  const chain = await api(`/journal/${fault.request_ids[0]}/chain`)
  expect(chain.body).toMatchObject({ status: 500 })
  expect(chain.body.links[0]).toMatchObject({ link: 'fault', state: 'broken' })
  expect(chain.body.sentence).toContain(fault.id)
})

it('keeps the object that a refused upload would have replaced', async () => {
  await fill()
  const refused = await world.ask('PUT', `/object/${bucket}/there.txt`, {
    body: 'other',
    headers: { 'content-type': 'text/plain' },
  })
  expect(refused.status).toBe(500)
  expect((await world.ask('GET', `/object/${bucket}/there.txt`)).text).toBe('there')
})

it('refuses a copy, and still answers reads', async () => {
  await fill()
  const copied = await world.ask('POST', '/object/copy', {
    body: { bucketId: bucket, sourceKey: 'there.txt', destinationKey: 'copied.txt' },
  })
  expect(copied.status).toBe(500)
  expect((await world.ask('GET', `/object/${bucket}/there.txt`)).text).toBe('there')
})

it('refuses a request of S3 with S3’s error', async () => {
  await fill()
  const refused = await askS3(keys, 'PUT', `/${bucket}/s3.txt`, { body: 'bytes' })
  expect(refused.status).toBe(500)
  expect(refused.text).toContain('<Code>InternalError</Code>')
})

it('refuses the next piece of a resumable upload, which resumes when space is available', async () => {
  const metadata = { bucketName: bucket, objectName: 'piecewise.txt', contentType: 'text/plain' }
  const encoded = Object.entries(metadata).map(([name, text]) => `${name} ${btoa(text)}`)
  const tus = { 'tus-resumable': '1.0.0' }
  const created = await world.ask('POST', '/upload/resumable', {
    headers: { ...tus, 'upload-length': '6', 'upload-metadata': encoded.join(',') },
  })
  const path = (created.headers.get('location') ?? '').slice(world.url.length)
  const piece = (offset: number, body: string) =>
    world.ask('PATCH', path, {
      body,
      headers: {
        ...tus,
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
    })
  expect((await piece(0, 'abc')).status).toBe(204)
  await fill()
  expect((await piece(3, 'def')).status).toBe(500)
  await world.at.call('DELETE', '/_emulator/v1/faults')
  expect((await piece(3, 'def')).status).toBe(204)
  expect((await world.ask('GET', `/object/${bucket}/piecewise.txt`)).text).toBe('abcdef')
})
