// Resumable uploads (docs/wire/storage.md#tus) with the unmodified client and with plain requests.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import {
  locationOf,
  metadataOf,
  type ResumableUploads,
  resumableUploads,
} from '../../support/resumable-uploads.ts'
import {
  type StorageRoleName,
  type StorageWorld,
  startStorageWorld,
} from '../../support/storage-world.ts'

const folder = temporaryFolder()
let world: StorageWorld
let bucket: string
let uploads: ResumableUploads
beforeAll(async () => {
  world = await startStorageWorld({ dataDir: join(folder.path, 'world') })
  bucket = await world.freshBucket()
  uploads = resumableUploads(world, bucket)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  folder.remove()
})

const MEGABYTE = 1 << 20

interface Sent {
  readonly url: string
  readonly statuses: readonly number[]
}

/** Uploads with the client. Resolves with the upload's address and the status of each answer. */
function send(
  bytes: Buffer,
  objectName: string,
  options: Partial<UploadOptions> & { role?: StorageRoleName; to?: string } = {},
): Promise<Sent> {
  const { role = 'user', to = bucket, ...rest } = options
  const statuses: number[] = []
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: `${world.url}/upload/resumable`,
      headers: { authorization: `Bearer ${world.tokens[role]}` },
      chunkSize: 6 * MEGABYTE,
      retryDelays: null,
      metadata: { bucketName: to, objectName, contentType: 'text/plain', cacheControl: '3600' },
      onAfterResponse: (_request, response) => void statuses.push(response.getStatus()),
      onSuccess: () => resolve({ url: upload.url ?? '', statuses }),
      onError: reject,
      ...rest,
    })
    upload.start()
  })
}

const read = async (objectKey: string, from = bucket): Promise<Buffer> => {
  const { data, error } = await world.client('user').from(from).download(objectKey)
  if (error !== null) throw error
  return Buffer.from(await data.arrayBuffer())
}
const info = async (objectKey: string) =>
  (await world.ask('GET', `/object/info/${bucket}/${objectKey}`)).body

describe('the client', () => {
  it('uploads in several pieces', async () => {
    const bytes = randomBytes(14 * MEGABYTE)
    const { statuses } = await send(bytes, 'folder/big file.bin')
    expect(statuses).toEqual([201, 204, 204, 204])
    expect((await read('folder/big file.bin')).equals(bytes)).toBe(true)
  })

  it('sets type, cache control and metadata of the object', async () => {
    await send(Buffer.from('{}'), 'described.json', {
      metadata: {
        bucketName: bucket,
        objectName: 'described.json',
        contentType: 'application/json',
        cacheControl: '60',
        metadata: '{"colour":"red"}',
      },
    })
    expect(await info('described.json')).toMatchObject({
      content_type: 'application/json',
      cache_control: 'max-age=60',
      metadata: { colour: 'red' },
      size: 2,
    })
  })

  it('uploads an empty file', async () => {
    await send(Buffer.alloc(0), 'empty')
    expect(await info('empty')).toMatchObject({ size: 0 })
  })

  it('can send the first piece with the creation request', async () => {
    const { statuses } = await send(Buffer.from('abc'), 'at-once', {
      uploadDataDuringCreation: true,
    })
    expect([statuses, (await read('at-once')).toString()]).toEqual([[201], 'abc'])
  })

  it('can send the length at the end', async () => {
    const source = Readable.from([Buffer.alloc(MEGABYTE, 1), Buffer.alloc(10, 2)])
    await send(source as never, 'deferred', { uploadLengthDeferred: true, chunkSize: MEGABYTE })
    expect(await info('deferred')).toMatchObject({ size: MEGABYTE + 10 })
  })

  it('resumes at the last offset', async () => {
    const bytes = randomBytes(3 * MEGABYTE)
    let upload: Upload | undefined
    const url = await new Promise<string>((resolve, reject) => {
      upload = new Upload(bytes, {
        endpoint: `${world.url}/upload/resumable`,
        headers: { authorization: `Bearer ${world.tokens.user}` },
        chunkSize: MEGABYTE,
        metadata: { bucketName: bucket, objectName: 'resumed' },
        onChunkComplete: () => void upload?.abort().then(() => resolve(upload?.url ?? '')),
        onError: reject,
      })
      upload.start()
    })
    const { statuses } = await send(bytes, 'resumed', { uploadUrl: url })
    expect(statuses[0]).toBe(200)
    expect((await read('resumed')).equals(bytes)).toBe(true)
  })

  it('replaces an object with x-upsert, and is refused without x-upsert', async () => {
    await send(Buffer.from('one'), 'twice')
    const authorization = `Bearer ${world.tokens.user}`
    await expect(send(Buffer.from('two'), 'twice')).rejects.toMatchObject({
      originalResponse: expect.objectContaining({}),
      message: expect.stringContaining('response code: 409'),
    })
    await send(Buffer.from('two'), 'twice', { headers: { authorization, 'x-upsert': 'true' } })
    expect((await read('twice')).toString()).toBe('two')
  })

  it('removes an unfinished upload', async () => {
    const location = locationOf(await uploads.create('taken-back'))
    await Upload.terminate(location, {
      headers: { authorization: `Bearer ${world.tokens.user}` },
    })
    expect((await uploads.raw('HEAD', location)).status).toBe(404)
  })

  it('uploads with the token of a signed URL', async () => {
    const { data } = await world.client('user').from(bucket).createSignedUploadUrl('signed.txt')
    const { url } = await send(Buffer.from('signed'), 'signed.txt', {
      endpoint: `${world.url}/upload/resumable/sign`,
      headers: { 'x-signature': data?.token ?? '' },
    })
    expect(url).toContain('/upload/resumable/sign/')
    expect((await read('signed.txt')).toString()).toBe('signed')
  })
})

describe('the protocol', () => {
  it('lists its version and extensions', async () => {
    const { status, headers } = await uploads.raw('OPTIONS', '', {}, { role: null })
    expect([status, headers.get('tus-version'), headers.get('tus-extension')]).toEqual([
      204,
      '1.0.0',
      'creation,creation-with-upload,creation-defer-length,termination,expiration',
    ])
  })

  it('answers creation, pieces and progress as specified', async () => {
    const created = await uploads.create('by-hand')
    const location = locationOf(created)
    const first = await uploads.patch(location, 0, 'abc')
    const progress = await uploads.raw('HEAD', location, {}, { role: null })
    const last = await uploads.patch(location, 3, 'def')
    const pick = ({ status, headers }: typeof first) => [
      status,
      headers.get('upload-offset'),
      headers.get('tus-complete'),
      headers.has('upload-expires'),
    ]
    expect([created, first, progress, last].map(pick)).toEqual([
      [201, null, null, true],
      [204, '3', null, true],
      [200, '3', null, true],
      [204, '6', '1', false],
    ])
    expect([progress.headers.get('upload-length'), progress.headers.get('cache-control')]).toEqual([
      '6',
      'no-store',
    ])
    const id = Buffer.from(location.split('/').at(-1) ?? '', 'base64url').toString()
    expect([location.startsWith(`${world.url}/upload/resumable/`), id]).toEqual([
      true,
      expect.stringMatching(new RegExp(`^${bucket}/by-hand/[0-9a-f-]{36}$`)),
    ])
  })

  it.each([
    ['without Tus-Resumable', { 'tus-resumable': '' }, 412, 'Tus-Resumable Required\n'],
    ['without a length', { 'upload-length': '' }, 400, 'Invalid upload-length\n'],
    [
      'with metadata that is none',
      { 'upload-metadata': 'a b c' },
      400,
      'Invalid upload-metadata\n',
    ],
  ])('refuses a creation %s', async (_case, headers, status, text) => {
    expect(await uploads.create('refused', headers)).toMatchObject({ status, text })
  })

  it('refuses pieces at a wrong offset, of a wrong type, and of unknown uploads', async () => {
    const location = locationOf(await uploads.create('misplaced'))
    const wrong = await uploads.patch(location, 2, 'abc')
    const type = await uploads.patch(location, 0, 'abc', { 'content-type': 'text/plain' })
    const unknown = await uploads.patch(`${location}AAAA`, 0, 'abc')
    const more = await uploads.patch(location, 0, 'abcdefgh')
    expect([wrong, type, unknown, more].map(({ status, text }) => [status, text])).toEqual([
      [409, 'Upload-Offset conflict\n'],
      [400, 'Invalid content-type\n'],
      [404, 'The file for this url was not found\n'],
      [413, "upload's size exceeded\n"],
    ])
  })

  it('does not remove a finished upload', async () => {
    const { url } = await send(Buffer.from('abc'), 'finished')
    expect(await uploads.raw('DELETE', url)).toMatchObject({
      status: 400,
      text: 'Cannot terminate an already completed upload',
    })
    expect((await uploads.raw('HEAD', url)).headers.get('upload-offset')).toBe('3')
  })
})

describe('the rules of an upload', () => {
  it.each([
    ['an anon token', () => uploads.create('x', {}, { role: 'anon' }), 403, 'new row violates'],
    ['a name with an accent', () => uploads.create('é'), 400, 'Invalid key: é'],
    ['no bucket', () => uploads.create('x', {}, { to: `${bucket}_none` }), 404, 'Bucket not found'],
    [
      'another project',
      () => uploads.create('x', {}, { role: 'neighbour' }),
      404,
      'Bucket not found',
    ],
    ['no bearer', () => uploads.create('x', {}, { role: null }), 400, 'authorization'],
    ['no metadata', () => uploads.raw('POST', '', { 'upload-length': '1' }), 400, 'bucketName'],
  ])('refuse %s with its HTTP status and plain text', async (_case, ask, status, text) => {
    const answer = await ask()
    expect(answer).toMatchObject({ status, text: expect.stringContaining(text) })
    expect(answer.headers.get('content-type')).toContain('text/plain')
  })

  it('are checked again for every piece', async () => {
    const location = locationOf(await uploads.create('again'))
    const { status, text } = await uploads.patch(location, 0, 'abc', {}, 'anon')
    expect([status, text]).toEqual([403, 'new row violates row-level security policy'])
  })

  it('limit size and type as the bucket does', async () => {
    const small = await world.freshBucket({
      file_size_limit: 10,
      allowed_mime_types: ['text/plain'],
    })
    const long = await uploads.create('x', { 'upload-length': '11' }, { to: small })
    const typed = await uploads.create('x', {}, { to: small, type: 'image/png' })
    const metadata = metadataOf({ bucketName: small, objectName: 'x', contentType: 'text/plain' })
    const deferred = await uploads.raw('POST', '', {
      'upload-defer-length': '1',
      'upload-metadata': metadata,
    })
    const grown = await uploads.patch(locationOf(deferred), 0, 'twelve bytes')
    expect([long, typed, grown].map(({ status, text }) => [status, text])).toEqual([
      [413, 'Maximum size exceeded\n'],
      [415, 'mime type image/png is not supported'],
      [413, "upload's size exceeded\n"],
    ])
  })

  it('refuse a key that another upload has taken meanwhile', async () => {
    const location = locationOf(await uploads.create('raced'))
    await world.put(bucket, 'raced', 'first')
    expect(await uploads.patch(location, 0, 'second')).toMatchObject({
      status: 409,
      text: 'The resource already exists',
    })
    expect((await read('raced')).toString()).toBe('first')
  })

  it('refuse the token of another object, and a missing token', async () => {
    const { data } = await world.client('user').from(bucket).createSignedUploadUrl('mine.txt')
    const upload = (headers: Record<string, string>) =>
      uploads.raw(
        'POST',
        '/sign',
        {
          'upload-length': '1',
          'upload-metadata': metadataOf({ bucketName: bucket, objectName: 'other.txt' }),
          ...headers,
        },
        { role: null },
      )
    const answers = [await upload({ 'x-signature': data?.token ?? '' }), await upload({})]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [400, 'Invalid signature'],
      [400, "headers must have required property 'x-signature'"],
    ])
  })

  it('hide an upload from other projects', async () => {
    const location = locationOf(await uploads.create('mine'))
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    const theirs = await uploads.raw('PATCH', location, headers, { role: 'neighbour', body: 'abc' })
    const taken = await uploads.raw('DELETE', location, {}, { role: 'neighbour' })
    expect([theirs, taken].map(({ status, text }) => [status, text])).toEqual([
      [404, 'Bucket not found'],
      [404, 'Bucket not found'],
    ])
  })

  it('are recorded in the journal', async () => {
    await uploads.create('x', {}, { role: 'anon' })
    const { body } = await world.at.call('GET', '/_emulator/v1/journal?limit=5')
    expect(body.entries[0]).toMatchObject({
      status: 403,
      error_code: 'AccessDenied',
    })
  })
})
