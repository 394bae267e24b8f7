import { StorageClient } from '@supabase/storage-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StorageWorld, startStorageWorld } from '../../support/storage-world.ts'

// Calls every method of the reference client. A new method of the client fails the test until this file has a case for it.

let world: StorageWorld
let storage: StorageClient
let bucket: string
let files: ReturnType<StorageClient['from']>
let counter = 0

beforeAll(async () => {
  world = await startStorageWorld()
  storage = world.client()
  bucket = await world.freshBucket()
  files = storage.from(bucket)
})
afterAll(() => world[Symbol.asyncDispose]())

const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const ETAG = expect.stringMatching(/^"[0-9a-f]{32}"$/)

/** Stores this text under an unused key. */
async function stored(text = 'hello'): Promise<string> {
  const key = `folder/${++counter}.txt`
  await world.put(bucket, key, text)
  return key
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text()
}

type Checks = Readonly<Record<string, () => Promise<void>>>

const BUCKET_METHODS: Checks = {
  createBucket: async () => {
    const name = `${world.tenant.schemaName}_Made (by), the client & co`
    expect(
      await storage.createBucket(name, {
        public: true,
        fileSizeLimit: '1MB',
        allowedMimeTypes: ['image/*'],
      }),
    ).toEqual({ data: { name }, error: null })
    expect((await storage.getBucket(name)).data).toMatchObject({
      public: true,
      file_size_limit: 1_000_000,
      allowed_mime_types: ['image/*'],
    })
  },
  getBucket: async () => {
    expect(await storage.getBucket(bucket)).toEqual({
      data: {
        id: bucket,
        name: bucket,
        owner: '',
        public: false,
        file_size_limit: null,
        allowed_mime_types: null,
        created_at: INSTANT,
        updated_at: INSTANT,
      },
      error: null,
    })
  },
  listBuckets: async () => {
    const names = ['zebra', 'Apple', 'mango'].map((name) => `${world.tenant.schemaName}_l_${name}`)
    for (const name of names) await storage.createBucket(name)
    const { data } = await storage.listBuckets({
      search: '_L_',
      sortColumn: 'name',
      sortOrder: 'desc',
      limit: 2,
      offset: 1,
    })
    expect(data?.map(({ name }) => name)).toEqual([names[2], names[1]])
    expect(data?.[0]).toMatchObject({ type: 'STANDARD' })
  },
  updateBucket: async () => {
    const name = await world.freshBucket({ file_size_limit: 10 })
    expect(await storage.updateBucket(name, { public: true, fileSizeLimit: null })).toEqual({
      data: { message: 'Successfully updated' },
      error: null,
    })
    expect((await storage.getBucket(name)).data).toMatchObject({
      public: true,
      file_size_limit: null,
    })
  },
  emptyBucket: async () => {
    const name = await world.freshBucket()
    await world.put(name, 'a', 'a')
    const { data } = await storage.emptyBucket(name)
    expect(data?.message).toMatch(/^Empty bucket has been queued/)
    expect((await storage.from(name).list()).data).toEqual([])
  },
  deleteBucket: async () => {
    const name = await world.freshBucket()
    expect((await storage.deleteBucket(name)).data).toEqual({ message: 'Successfully deleted' })
    expect((await storage.getBucket(name)).error).toMatchObject({ code: 'NoSuchBucket' })
  },
  purgeBucketCache: async () => {
    expect((await storage.purgeBucketCache(bucket, { transformations: true })).data).toEqual({
      message: 'success',
    })
  },
  // The client is newer than the emulated service (docs/wire/storage.md), which does not have this route.
  getBucketLifecycle: async () => {
    expect((await storage.getBucketLifecycle(bucket)).error).toMatchObject({ status: 404 })
  },
  updateBucketLifecycle: async () => {
    const { error } = await storage.updateBucketLifecycle(bucket, { rules: [] } as never)
    expect(error).toMatchObject({ status: 404 })
  },
  deleteBucketLifecycle: async () => {
    expect((await storage.deleteBucketLifecycle(bucket)).error).toMatchObject({ status: 404 })
  },
  from: async () => {
    expect((await storage.from(bucket).upload('from.txt', 'x')).error).toBeNull()
  },
}

const FILE_METHODS: Checks = {
  upload: async () => {
    const key = `upload/${++counter}.txt`
    expect(
      await files.upload(`/${key}`, 'text', {
        contentType: 'text/markdown',
        cacheControl: '60',
        metadata: { by: 'me' },
      }),
    ).toEqual({ data: { path: key, id: UUID, fullPath: `${bucket}/${key}` }, error: null })
    expect((await files.info(key)).data).toMatchObject({
      contentType: 'text/markdown',
      cacheControl: 'max-age=60',
      metadata: { by: 'me' },
    })
    const again = await files.upload(key, 'again')
    expect(again.error).toMatchObject({ status: 400, statusCode: '409', code: 'KeyAlreadyExists' })
    expect((await files.upload(key, 'again', { upsert: true })).error).toBeNull()
  },
  update: async () => {
    const key = await stored()
    const { id } = (await files.info(key)).data ?? {}
    const blob = new Blob(['{}'], { type: 'application/json' })
    const { data } = await files.update(key, blob, { metadata: { n: 1 } })
    expect(data).toEqual({ path: key, id, fullPath: `${bucket}/${key}` })
    expect((await files.info(key)).data).toMatchObject({
      contentType: 'application/json',
      size: 2,
      metadata: { n: 1 },
    })
  },
  download: async () => {
    const key = await stored('to be read')
    const { data } = await files.download(key)
    expect([await data?.text(), data?.type]).toEqual(['to be read', 'text/plain'])
    const { data: stream } = await files.download(key).asStream()
    expect(await new Response(stream).text()).toBe('to be read')
    const { error } = await files.download('missing')
    expect(error).toMatchObject({ status: 400, statusCode: '404', code: 'NoSuchKey' })
  },
  info: async () => {
    const key = await stored()
    expect(await files.info(key)).toEqual({
      data: {
        id: UUID,
        name: key,
        version: UUID,
        bucketId: bucket,
        size: 5,
        contentType: 'text/plain',
        cacheControl: 'no-cache',
        etag: ETAG,
        metadata: {},
        lastModified: INSTANT,
        createdAt: INSTANT,
      },
      error: null,
    })
  },
  exists: async () => {
    expect(await files.exists(await stored())).toEqual({ data: true, error: null })
    expect((await files.exists('missing')).data).toBe(false)
    await expect(storage.from('proj_acme_none').exists('x')).rejects.toMatchObject({
      code: 'NoSuchBucket',
    })
  },
  list: async () => {
    const name = await world.freshBucket()
    for (const key of ['b/1', 'a/2', 'a/1', 'c']) await world.put(name, key, key)
    const { data } = await storage.from(name).list('a', { limit: 1, offset: 1 })
    expect(data).toEqual([
      {
        name: '2',
        id: UUID,
        updated_at: INSTANT,
        created_at: INSTANT,
        last_accessed_at: INSTANT,
        metadata: {
          eTag: ETAG,
          size: 3,
          mimetype: 'text/plain',
          cacheControl: 'no-cache',
          lastModified: INSTANT,
          contentLength: 3,
          httpStatusCode: 200,
        },
      },
    ])
  },
  listV2: async () => {
    const name = await world.freshBucket()
    for (const key of ['b/1', 'a/2', 'a/1', 'c']) await world.put(name, key, key)
    const first = await storage.from(name).listV2({ with_delimiter: true, limit: 2 })
    expect(first.data?.folders.map((folder) => folder.name)).toEqual(['a/', 'b/'])
    const cursor = first.data?.nextCursor ?? ''
    const second = await storage.from(name).listV2({ with_delimiter: true, limit: 2, cursor })
    expect(second.data).toMatchObject({ hasNext: false, folders: [], objects: [{ name: 'c' }] })
  },
  move: async () => {
    const key = await stored('moved')
    const { id } = (await files.info(key)).data ?? {}
    expect(await files.move(key, `${key}.moved`)).toEqual({
      data: { message: 'Successfully moved' },
      error: null,
    })
    expect((await files.exists(key)).data).toBe(false)
    expect((await files.info(`${key}.moved`)).data?.id).toBe(id)
    expect(await (await files.download(`${key}.moved`)).data?.text()).toBe('moved')
  },
  copy: async () => {
    const key = await stored('copied')
    expect(await files.copy(key, `${key}.copy`)).toEqual({
      data: { path: `${bucket}/${key}.copy` },
      error: null,
    })
    expect((await files.remove([key])).data).toHaveLength(1)
    expect(await (await files.download(`${key}.copy`)).data?.text()).toBe('copied')
  },
  remove: async () => {
    const key = await stored()
    const { data } = await files.remove([key, 'missing', 'folder'])
    expect(data).toEqual([
      {
        name: key,
        bucket_id: bucket,
        owner: null,
        owner_id: expect.any(String),
        version: UUID,
        id: UUID,
        updated_at: INSTANT,
        created_at: INSTANT,
        last_accessed_at: INSTANT,
        metadata: expect.objectContaining({ size: 5 }),
        user_metadata: null,
      },
    ])
  },
  createSignedUrl: async () => {
    const key = await stored('signed')
    const { data } = await files.createSignedUrl(key, 60, { download: 'a name.txt' })
    const answer = await fetch(data?.signedUrl ?? '')
    expect([await answer.text(), answer.headers.get('content-disposition')]).toEqual([
      'signed',
      "attachment; filename=a%20name.txt; filename*=UTF-8''a%20name.txt",
    ])
  },
  createSignedUrls: async () => {
    const key = await stored('signed')
    const { data } = await files.createSignedUrls([key, 'missing'], 60)
    expect(data).toEqual([
      {
        error: null,
        path: key,
        signedURL: expect.stringContaining(`/object/sign/${bucket}/${key}?token=`),
        signedUrl: expect.any(String),
      },
      {
        error: 'Either the object does not exist or you do not have access to it',
        path: 'missing',
        signedURL: null,
        signedUrl: null,
      },
    ])
    expect(await textOf(data?.[0]?.signedUrl ?? '')).toBe('signed')
  },
  createSignedUploadUrl: async () => {
    const { data } = await files.createSignedUploadUrl('signed-upload.txt')
    expect(data).toEqual({
      path: 'signed-upload.txt',
      token: expect.any(String),
      signedUrl: `${world.url}/object/upload/sign/${bucket}/signed-upload.txt?token=${data?.token}`,
    })
  },
  uploadToSignedUrl: async () => {
    const key = 'signed/upload.txt'
    const { data } = await files.createSignedUploadUrl(key)
    const stranger = new StorageClient(world.url)
    const uploaded = await stranger.from(bucket).uploadToSignedUrl(key, data?.token ?? '', 'sent')
    expect(uploaded).toEqual({ data: { path: key, fullPath: `${bucket}/${key}` }, error: null })
    expect(await (await files.download(key)).data?.text()).toBe('sent')
  },
  getPublicUrl: async () => {
    const name = await world.freshBucket({ public: true })
    await world.put(name, 'for all/of us.txt', 'public')
    const { data } = storage.from(name).getPublicUrl('for all/of us.txt', { download: true })
    const answer = await fetch(data.publicUrl)
    expect([await answer.text(), answer.headers.get('content-disposition')]).toEqual([
      'public',
      'attachment;',
    ])
  },
  purgeCache: async () => {
    expect((await files.purgeCache(await stored())).data).toEqual({ message: 'success' })
  },
}

// Methods of both classes that send no request: settings of the client, and internal functions.
const SENDS_NOTHING = new Set([
  'constructor',
  'throwOnError',
  'setHeader',
  'handleOperation',
  'uploadOrUpdate',
  'prepareUploadFormData',
  'encodeMetadata',
  'toBase64',
  '_getFinalPath',
  '_removeEmptyFolders',
  'applyTransformOptsToQuery',
  'bucketLifecycleUrl',
  'listBucketOptionsToQueryString',
  // The following methods belong to other services with their own addresses.
  'vectors',
  'analytics',
])

function methodsOf(api: object): string[] {
  const names: string[] = []
  for (let level = Object.getPrototypeOf(api); level !== Object.prototype; ) {
    names.push(...Object.getOwnPropertyNames(level))
    level = Object.getPrototypeOf(level)
  }
  return names.filter((name) => !SENDS_NOTHING.has(name)).sort()
}

it('covers every method of the client', () => {
  const client = new StorageClient(world.url)
  expect(Object.keys(BUCKET_METHODS).sort()).toEqual(methodsOf(client))
  expect(Object.keys(FILE_METHODS).sort()).toEqual(methodsOf(client.from('x')))
})

describe('buckets', () => {
  it.each(Object.entries(BUCKET_METHODS))('%s works', (_name, check) => check())
})

describe('files', () => {
  it.each(Object.entries(FILE_METHODS))('%s works', (_name, check) => check())
})
