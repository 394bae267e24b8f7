// Uploading, replacing and deleting one object (docs/wire/storage.md#upload).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StorageWorld, startStorageWorld } from '../../support/storage-world.ts'

let world: StorageWorld
let bucket: string
beforeAll(async () => {
  world = await startStorageWorld()
  bucket = await world.freshBucket()
})
afterAll(() => world[Symbol.asyncDispose]())

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const refusal = (
  http: number,
  statusCode: string,
  error: string,
  code: string,
  message: string,
) => ({
  status: http,
  body: { statusCode, error, code, message },
})
const rowRefused = refusal(
  403,
  '403',
  'Unauthorized',
  'AccessDenied',
  'new row violates row-level security policy',
)
const bucketNotFound = refusal(400, '404', 'Bucket not found', 'NoSuchBucket', 'Bucket not found')
const files = (role?: 'user' | 'anon') => world.client(role).from(bucket)
const infoOf = async (key: string) => (await files().info(key)).data
const textOf = async (key: string) => (await files().download(key)).data?.text()

describe('an upload by the client', () => {
  it('is multipart for a Blob: type, cache control and metadata arrive before the bytes', async () => {
    const { data, error } = await files().upload(
      'a/blob.txt',
      new Blob(['hello'], { type: 'text/css' }),
      {
        cacheControl: '60',
        metadata: { origin: 'test' },
      },
    )
    expect(error).toBeNull()
    expect(data).toEqual({
      id: expect.stringMatching(UUID),
      path: 'a/blob.txt',
      fullPath: `${bucket}/a/blob.txt`,
    })
    expect(await infoOf('a/blob.txt')).toMatchObject({
      id: data?.id,
      name: 'a/blob.txt',
      bucketId: bucket,
      size: 5,
      contentType: 'text/css',
      cacheControl: 'max-age=60',
      etag: '"5d41402abc4b2a76b9719d911017c592"',
      metadata: { origin: 'test' },
      version: expect.stringMatching(UUID),
    })
    expect(await textOf('a/blob.txt')).toBe('hello')
  })

  it('is a raw body for text and bytes', async () => {
    await files().upload('raw.txt', 'words', { metadata: { n: 1 } })
    await files().upload('raw.bin', Buffer.from([0, 255, 10]), { contentType: 'a/b' })
    expect(await infoOf('raw.txt')).toMatchObject({
      contentType: 'text/plain;charset=UTF-8',
      cacheControl: 'max-age=3600',
      metadata: { n: 1 },
    })
    const bytes = await (await files().download('raw.bin')).data?.arrayBuffer()
    expect([...new Uint8Array(bytes ?? new ArrayBuffer())]).toEqual([0, 255, 10])
  })

  it('can be a stream without a length', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const piece of ['one ', 'two ', 'three']) controller.enqueue(Buffer.from(piece))
        controller.close()
      },
    })
    const { error } = await files().upload('stream', stream, { duplex: 'half' })
    expect([error, await textOf('stream')]).toEqual([null, 'one two three'])
  })

  it('accepts an empty file', async () => {
    await files().upload('empty', '')
    expect([(await infoOf('empty'))?.size, await textOf('empty')]).toEqual([0, ''])
  })

  it('is refused when the key is taken, and replaces the object with upsert', async () => {
    const first = await files().upload('twice', 'one')
    const before = await infoOf('twice')
    const { error } = await files().upload('twice', 'two')
    expect(error).toMatchObject({
      message: 'The resource already exists',
      status: 400,
      statusCode: '409',
      code: 'KeyAlreadyExists',
    })
    const again = await files().upload('twice', 'three', { upsert: true })
    const after = await infoOf('twice')
    expect(again.data?.id).toBe(first.data?.id)
    expect(after?.version).not.toBe(before?.version)
    expect(after?.createdAt).toBe(before?.createdAt)
    expect(await textOf('twice')).toBe('three')
  })

  it('with update creates a missing object, and replaces an existing object', async () => {
    await files().update('updated', 'one')
    await files().update('updated', 'two')
    expect(await textOf('updated')).toBe('two')
  })

  it('is found by exists, and is not found after its deletion', async () => {
    await world.put(bucket, 'passing', 'x')
    expect((await files().exists('passing')).data).toBe(true)
    expect(await world.ask('DELETE', `/object/${bucket}/passing`)).toMatchObject({
      status: 200,
      body: { message: 'Successfully deleted' },
    })
    expect((await files().exists('passing')).data).toBe(false)
    expect(await world.ask('DELETE', `/object/${bucket}/passing`)).toMatchObject(
      refusal(400, '404', 'not_found', 'NoSuchKey', 'Object not found'),
    )
  })
})

describe('an upload without the client', () => {
  const post = (key: string, body: unknown, headers: Record<string, string> = {}) =>
    world.ask('POST', `/object/${bucket}/${key}`, { body, headers })

  it('returns Key and Id', async () => {
    expect(await post('bare', 'x')).toMatchObject({
      status: 200,
      body: { Key: `${bucket}/bare`, Id: expect.stringMatching(UUID) },
    })
  })

  it('has no cache control and no type unless the upload sets them', async () => {
    const response = await fetch(`${world.url}/object/${bucket}/plain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.tokens.server}` },
      body: new Uint8Array([1]),
    })
    expect(response.status).toBe(200)
    expect(await infoOf('plain')).toMatchObject({
      contentType: 'application/octet-stream',
      cacheControl: 'no-cache',
    })
  })

  it('ignores metadata that is not a JSON object', async () => {
    await post('meta', 'x', { 'x-metadata': Buffer.from('[1').toString('base64') })
    expect(await infoOf('meta')).toMatchObject({ metadata: {} })
  })

  it('stores the first file of a form, whatever the field is named', async () => {
    const form = new FormData()
    form.append('cacheControl', '5')
    form.append('userMetadata', '{"a":1}')
    form.append('contentType', 'x/y')
    form.append('photo', new Blob(['formed'], { type: 'image/png' }), 'p.png')
    const response = await fetch(`${world.url}/object/${bucket}/form`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.tokens.server}` },
      body: form,
    })
    expect(response.status).toBe(200)
    expect(await infoOf('form')).toMatchObject({
      contentType: 'x/y',
      cacheControl: 'max-age=5',
      metadata: { a: 1 },
    })
  })

  it.each([
    ['no file', '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n', /no file/],
    ['nothing', '--b--\r\n', /no file/],
    [
      'a file without its end',
      '--b\r\ncontent-disposition: form-data; name=""; filename="f"\r\n\r\nhalf of it',
      /ends within the file|not well-formed/,
    ],
  ])('refuses a form with %s', async (_what, body, message) => {
    const answer = await post('broken', body, { 'content-type': 'multipart/form-data; boundary=b' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } })
    expect(answer.body.message).toMatch(message)
    expect((await files().exists('broken')).data).toBe(false)
  })

  it('refuses a form without a boundary', async () => {
    expect(await post('broken', 'x', { 'content-type': 'multipart/form-data' })).toMatchObject({
      status: 400,
      body: { code: 'InvalidRequest' },
    })
  })

  it('refuses an invalid Content-Type', async () => {
    expect(await post('odd', 'x', { 'content-type': 'nonsense' })).toMatchObject(
      refusal(400, '415', 'invalid_mime_type', 'InvalidMimeType', 'Invalid Content-Type header'),
    )
  })
})

describe('an upload without a socket', () => {
  it('is accepted at the root of the storage host', async () => {
    const path = `http://storage.localhost:7357/object/${bucket}/hosted`
    const headers = { authorization: `Bearer ${world.tokens.server}` }
    const put = await world.at.emulator.fetch(
      new Request(path, { method: 'POST', headers, body: 'by name' }),
    )
    const got = await world.at.emulator.fetch(new Request(path, { headers }))
    expect([put.status, await got.text()]).toEqual([200, 'by name'])
  })

  it('does not change the buffers of a stream', async () => {
    const pieces = [Buffer.alloc(1_500_000, 1), Buffer.alloc(1_500_000, 2)]
    const body = new ReadableStream({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
    const init: RequestInit & { readonly duplex: 'half' } = {
      method: 'POST',
      headers: { authorization: `Bearer ${world.tokens.server}` },
      body,
      duplex: 'half',
    }
    const put = await world.at.emulator.fetch(
      new Request(`${world.url}/object/${bucket}/streamed`, init),
    )
    expect([put.status, ...pieces.map(({ length }) => length)]).toEqual([200, 1_500_000, 1_500_000])
  })
})

describe('a bucket’s limits', () => {
  it('refuse a type that is not listed, and name the type as it was sent', async () => {
    const pictures = await world.freshBucket({ allowed_mime_types: ['image/*', 'text/plain'] })
    const { error } = await world.client().from(pictures).upload('a', 'text')
    expect(error).toMatchObject({
      message: 'mime type text/plain;charset=UTF-8 is not supported',
      status: 400,
      statusCode: '415',
      code: 'InvalidMimeType',
    })
    const image = new Blob(['x'], { type: 'image/png' })
    expect((await world.client().from(pictures).upload('b', image)).error).toBeNull()
    expect(
      (await world.client().from(pictures).upload('f/.emptyFolderPlaceholder', '')).error,
    ).toBeNull()
  })

  it('refuse a file that is too large, by its declared length or by its bytes', async () => {
    const small = await world.freshBucket({ file_size_limit: 10 })
    const tooLarge = {
      message: 'The object exceeded the maximum allowed size',
      status: 400,
      statusCode: '413',
      code: 'EntityTooLarge',
    }
    const to = world.client().from(small)
    expect((await to.upload('a', 'x'.repeat(10))).error).toBeNull()
    expect((await to.upload('b', 'x'.repeat(11))).error).toMatchObject(tooLarge)
    expect((await to.upload('c', new Blob(['x'.repeat(11)]))).error).toMatchObject(tooLarge)
    expect((await to.upload('.emptyFolderPlaceholder', 'x')).error).toMatchObject(tooLarge)
    expect((await to.exists('b')).data).toBe(false)
  })
})

describe('a write', () => {
  it('is allowed to a user in every bucket of the project', async () => {
    const { data } = await files('user').upload('by-user', 'x')
    expect(data?.path).toBe('by-user')
    expect((await world.ask('DELETE', `/object/${bucket}/by-user`, { role: 'user' })).status).toBe(
      200,
    )
    expect(await infoOf('by-user')).toBeNull()
  })

  it('is refused to anon with 403, even in public buckets, before the key is checked', async () => {
    const open = await world.freshBucket({ public: true })
    await world.put(open, 'there', 'x')
    for (const key of ['new', 'there'])
      for (const method of ['POST', 'PUT'])
        expect(
          await world.ask(method, `/object/${open}/${key}`, { role: 'anon', body: 'x' }),
        ).toMatchObject(rowRefused)
    expect(await world.ask('DELETE', `/object/${open}/there`, { role: 'anon' })).toMatchObject(
      refusal(400, '403', 'Unauthorized', 'AccessDenied', 'Access denied'),
    )
  })

  it('is refused to another project', async () => {
    for (const [method, body] of [
      ['POST', 'x'],
      ['PUT', 'x'],
      ['DELETE', undefined],
    ] as const)
      expect(
        await world.ask(method, `/object/${bucket}/key`, { role: 'neighbour', body }),
      ).toMatchObject(bucketNotFound)
  })

  it('needs a bucket with a valid name', async () => {
    expect(await world.ask('POST', '/object/nowhere/key', { body: 'x' })).toMatchObject(
      bucketNotFound,
    )
    expect(await world.ask('POST', '/object/b%C3%A9/key', { body: 'x' })).toMatchObject(
      refusal(400, '400', 'Invalid Input', 'InvalidBucketName', 'Bucket name invalid'),
    )
  })
})

describe('an object key', () => {
  it.each([..."!.*'()&$@=;:+,?-_ aZ9"])('may contain %j', async (character) => {
    const key = `k/a${character}b`
    const stored = await world.put(bucket, key, character)
    expect(stored.Key).toBe(`${bucket}/${key}`)
    const path = encodeURIComponent(key)
    expect((await world.ask('GET', `/object/${bucket}/${path}`)).text).toBe(character)
  })

  it.each([...'éçñ#%[]~^`|\\{}<>"', '\0', '\n', '😀'])('may not contain %j', async (character) => {
    const key = `a${character}b`
    expect(
      await world.ask('POST', `/object/${bucket}/${encodeURIComponent(key)}`, { body: 'x' }),
    ).toMatchObject(refusal(400, '400', 'InvalidKey', 'InvalidKey', `Invalid key: ${key}`))
  })

  it('may not be empty', async () => {
    expect(await world.ask('POST', `/object/${bucket}/`, { body: 'x' })).toMatchObject(
      refusal(400, '400', 'InvalidKey', 'InvalidKey', 'Invalid key: '),
    )
  })

  it.each(['../../outside', 'a/../b', '/leading', 'a//b', 'trailing/', 'k'.repeat(1_000)])(
    'may look like a path: %j',
    async (key) => {
      await world.put(bucket, key, `of ${key}`)
      const answer = await world.ask('GET', `/object/info/${bucket}/${encodeURIComponent(key)}`)
      expect(answer.body).toMatchObject({ name: key, size: `of ${key}`.length })
    },
  )

  it('distinguishes upper from lower case', async () => {
    await world.put(bucket, 'Case/Key', 'upper')
    await world.put(bucket, 'case/key', 'lower')
    expect([await textOf('Case/Key'), await textOf('case/key')]).toEqual(['upper', 'lower'])
  })
})
