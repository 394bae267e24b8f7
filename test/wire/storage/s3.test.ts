// S3 requests (docs/wire/storage.md#s3), signed by code that shares nothing with the emulator.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askS3, presign, type S3Ask, type S3Credentials } from '../../support/s3-client.ts'
import { all, md5, refusal, type S3World, startS3World } from '../../support/s3-world.ts'
import type { StorageWorld } from '../../support/storage-world.ts'
import { provisionTenant } from '../../support/test-emulator.ts'

let s3: S3World
let world: StorageWorld
let keys: S3Credentials
let bucket: string
beforeAll(async () => {
  s3 = await startS3World()
  ;({ world, keys, bucket } = s3)
})
afterAll(() => s3[Symbol.asyncDispose]())

const ask = (method: string, path: string, options?: S3Ask) => s3.ask(method, path, options)
const put = (key: string, body: string, headers: Record<string, string> = {}) =>
  s3.put(key, body, headers)
const mint = (project: string) => s3.mint(project)

describe('buckets', () => {
  it('can be created, inspected, listed and deleted', async () => {
    const name = `${world.tenant.schemaName}_by_s3`
    const created = await ask('PUT', `/${name}`)
    const head = await ask('HEAD', `/${name}`)
    const listed = await ask('GET', '/')
    const deleted = await ask('DELETE', `/${name}`)
    const gone = await ask('HEAD', `/${name}`)
    expect([created, head, listed, deleted, gone].map(({ status }) => status)).toEqual([
      200, 200, 200, 204, 404,
    ])
    expect(all(listed.text, 'Name')).toContain(name)
  })

  it('cannot take a name that belongs to a project with a longer slug', async () => {
    await provisionTenant(world.at, world.group, 'acme_s3')
    const answer = await ask('PUT', '/proj_acme_s3_x')
    expect([...refusal(answer), all(answer.text, 'Message')[0]]).toEqual([
      400,
      'InvalidBucketName',
      'Bucket name invalid: names that begin with proj_acme_s3_ belong to another project',
    ])
  })

  it('return their location, and no versioning status', async () => {
    const location = await ask('GET', `/${bucket}`, { query: { location: '' } })
    const versioning = await ask('GET', `/${bucket}`, { query: { versioning: '' } })
    expect([location.text, versioning.text]).toEqual([
      expect.stringContaining('>local</LocationConstraint>'),
      expect.stringContaining('<VersioningConfiguration'),
    ])
  })

  it('must have a valid name, and cannot be deleted while they contain objects', async () => {
    await put('keeps', 'x')
    expect([
      refusal(await ask('PUT', '/other')),
      refusal(await ask('PUT', `/${bucket}`)),
      refusal(await ask('DELETE', `/${bucket}`)),
      refusal(await ask('PUT', `/${bucket}`, { query: { acl: '' } })),
    ]).toEqual([
      [400, 'InvalidBucketName'],
      [409, 'BucketAlreadyExists'],
      [409, 'BucketNotEmpty'],
      [501, 'NotImplemented'],
    ])
  })
})

describe('objects', () => {
  it('are stored and returned with type, cache control and metadata', async () => {
    const stored = await put("a folder/it's (1).txt", 'hello', {
      'content-type': 'text/css',
      'cache-control': 'max-age=5',
      'x-amz-meta-colour': 'red',
    })
    const got = await ask('GET', `/${bucket}/a folder/it's (1).txt`)
    const head = await ask('HEAD', `/${bucket}/a folder/it's (1).txt`)
    expect([stored.status, stored.headers.get('etag'), got.text, head.bytes.length]).toEqual([
      200,
      `"${md5('hello')}"`,
      'hello',
      0,
    ])
    const names = ['content-type', 'cache-control', 'x-amz-meta-colour', 'content-length', 'etag']
    for (const { headers } of [got, head])
      expect(names.map((name) => headers.get(name))).toEqual([
        'text/css',
        'max-age=5',
        'red',
        '5',
        `"${md5('hello')}"`,
      ])
  })

  it('can be read in part', async () => {
    await put('part', 'abcdef')
    const { status, text } = await ask('GET', `/${bucket}/part`, {
      headers: { range: 'bytes=1-3' },
    })
    expect([status, text]).toEqual([206, 'bcd'])
  })

  it('are the same objects that storage clients see', async () => {
    await put('shared', 'by s3')
    const { data } = await world.client('user').from(bucket).download('shared')
    expect(await data?.text()).toBe('by s3')
  })

  it('can be sent in signed chunks, in unsigned chunks, and unsigned as a whole', async () => {
    const bytes = randomBytes(200_000)
    const path = `/${bucket}/chunked`
    const signed = await ask('PUT', path, { body: bytes, chunkBytes: 65_536 })
    const unsigned = await ask('PUT', `/${bucket}/trailer`, {
      body: '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n',
      payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      headers: { 'x-amz-trailer': 'x-amz-checksum-crc32' },
    })
    const whole = await ask('PUT', `/${bucket}/whole`, { body: 'x', payload: 'UNSIGNED-PAYLOAD' })
    expect([signed.status, unsigned.status, whole.status]).toEqual([200, 200, 200])
    expect((await ask('GET', path)).bytes.equals(bytes)).toBe(true)
    expect((await ask('GET', `/${bucket}/trailer`)).text).toBe('hello')
  })

  it('can be copied', async () => {
    await put('source', 'copy me', { 'content-type': 'text/css' })
    const copy = await ask('PUT', `/${bucket}/copy`, {
      headers: { 'x-amz-copy-source': `/${bucket}/source` },
    })
    const got = await ask('GET', `/${bucket}/copy`)
    expect([all(copy.text, 'ETag')[0], got.text, got.headers.get('content-type')]).toEqual([
      `&quot;${md5('copy me')}&quot;`,
      'copy me',
      'text/css',
    ])
  })

  it('can be deleted one by one or together, including missing objects', async () => {
    for (const key of ['d1', 'd2', 'd&3']) await put(key, 'x')
    const one = await ask('DELETE', `/${bucket}/d1`)
    const again = await ask('DELETE', `/${bucket}/d1`)
    const many = await ask('POST', `/${bucket}`, {
      query: { delete: '' },
      body: '<Delete><Object><Key>d2</Key></Object><Object><Key>d&amp;3</Key></Object></Delete>',
    })
    const gone = await ask('GET', `/${bucket}/d&3`)
    expect([one.status, again.status, all(many.text, 'Key'), refusal(gone)]).toEqual([
      204,
      204,
      ['d2', 'd&amp;3'],
      [404, 'NoSuchKey'],
    ])
  })
})

describe('lists', () => {
  let listed: string
  beforeAll(async () => {
    listed = await world.freshBucket()
    for (const key of ['a', 'b/1', 'b/2', 'c d', 'e']) await world.put(listed, key, key)
  })
  const list = async (query: Record<string, string>) => {
    const { text } = await ask('GET', `/${listed}`, { query })
    return { text, keys: all(text, 'Key'), folders: all(text, 'Prefix').slice(1) }
  }

  it.each([['1'], ['2']])('group folders and can encode keys in version %s', async (version) => {
    const { keys, folders } = await list({
      'list-type': version,
      delimiter: '/',
      'encoding-type': 'url',
    })
    expect({ keys, folders }).toEqual({ keys: ['a', 'c%20d', 'e'], folders: ['b/'] })
  })

  it('can be limited to a prefix', async () => {
    expect((await list({ 'list-type': '2', prefix: 'b/' })).keys).toEqual(['b/1', 'b/2'])
  })

  it('continue page by page', async () => {
    const seen: string[] = []
    let token: string | undefined
    do {
      const { keys, text } = await list({
        'list-type': '2',
        'max-keys': '2',
        ...(token === undefined ? {} : { 'continuation-token': token }),
      })
      seen.push(...keys)
      token = all(text, 'NextContinuationToken')[0]
    } while (token !== undefined)
    const first = await list({ 'max-keys': '2' })
    const second = await list({ marker: all(first.text, 'NextMarker')[0] ?? '' })
    expect([seen, [...first.keys, ...second.keys]]).toEqual([
      ['a', 'b/1', 'b/2', 'c d', 'e'],
      ['a', 'b/1', 'b/2', 'c d', 'e'],
    ])
  })
})

describe('an upload in parts', () => {
  const begin = async (key: string): Promise<string> =>
    all((await ask('POST', `/${bucket}/${key}`, { query: { uploads: '' } })).text, 'UploadId')[0] ??
    ''
  const putPart = (key: string, uploadId: string, partNumber: number, body: string) =>
    ask('PUT', `/${bucket}/${key}`, { query: { uploadId, partNumber: String(partNumber) }, body })
  const complete = (key: string, uploadId: string, parts: readonly [number, string][]) =>
    ask('POST', `/${bucket}/${key}`, {
      query: { uploadId },
      body: `<CompleteMultipartUpload>${parts
        .map(([n, etag]) => `<Part><PartNumber>${n}</PartNumber><ETag>"${etag}"</ETag></Part>`)
        .join('')}</CompleteMultipartUpload>`,
    })

  it('becomes one object', async () => {
    const id = await begin('parts')
    await putPart('parts', id, 1, 'wrong')
    await putPart('parts', id, 1, 'one ')
    await putPart('parts', id, 2, 'two')
    const listed = await ask('GET', `/${bucket}/parts`, { query: { uploadId: id } })
    const done = await complete('parts', id, [
      [1, md5('one ')],
      [2, md5('two')],
    ])
    const got = await ask('GET', `/${bucket}/parts`)
    const hashes = Buffer.from(md5('one ') + md5('two'), 'hex')
    expect([all(listed.text, 'PartNumber'), done.status, got.text]).toEqual([
      ['1', '2'],
      200,
      'one two',
    ])
    expect(got.headers.get('etag')).toBe(`"${md5(hashes)}-2"`)
    expect(refusal(await putPart('parts', id, 3, 'late'))).toEqual([404, 'NoSuchUpload'])
  })

  it('can copy parts from other objects', async () => {
    await put('whole', 'abcdef')
    const id = await begin('partly')
    const copied = await ask('PUT', `/${bucket}/partly`, {
      query: { uploadId: id, partNumber: '1' },
      headers: {
        'x-amz-copy-source': `${bucket}/whole`,
        'x-amz-copy-source-range': 'bytes=2-4',
      },
    })
    await complete('partly', id, [[1, md5('cde')]])
    expect([copied.status, (await ask('GET', `/${bucket}/partly`)).text]).toEqual([200, 'cde'])
  })

  it('is listed while it is unfinished, and can be aborted', async () => {
    const id = await begin('aborted')
    await putPart('aborted', id, 1, 'x')
    const during = await ask('GET', `/${bucket}`, { query: { uploads: '' } })
    const aborted = await ask('DELETE', `/${bucket}/aborted`, { query: { uploadId: id } })
    const after = await ask('GET', `/${bucket}`, { query: { uploads: '' } })
    expect([
      all(during.text, 'UploadId').includes(id),
      aborted.status,
      all(after.text, 'UploadId').includes(id),
    ]).toEqual([true, 204, false])
  })

  it('refuses parts that are missing or not in order', async () => {
    const id = await begin('refused')
    await putPart('refused', id, 1, 'a')
    await putPart('refused', id, 2, 'b')
    const missing = await complete('refused', id, [[3, md5('c')]])
    const disordered = await complete('refused', id, [
      [2, md5('b')],
      [1, md5('a')],
    ])
    expect([refusal(missing), refusal(disordered)]).toEqual([
      [400, 'InvalidPart'],
      [400, 'InvalidPartOrder'],
    ])
  })
})

describe('a refusal', () => {
  it('for a wrong secret, an unknown key or a missing signature is XML', async () => {
    const wrong = await askS3({ ...keys, secret_access_key: 'wrong' }, 'GET', '/')
    const unknown = await askS3({ ...keys, access_key_id: 'UNKNOWNKEY' }, 'GET', '/')
    const none = await fetch(`${keys.endpoint}/${bucket}`)
    expect([
      refusal(wrong),
      refusal(unknown),
      refusal({ status: none.status, text: await none.text() }),
      wrong.headers.get('content-type'),
    ]).toEqual([
      [403, 'SignatureDoesNotMatch'],
      [403, 'InvalidAccessKeyId'],
      [403, 'AccessDenied'],
      'application/xml; charset=utf-8',
    ])
  })

  it('leaves no object for a body that differs from the announced hash', async () => {
    const path = `/${bucket}/forged`
    const forged = await ask('PUT', path, { body: 'x', payload: '0'.repeat(64) })
    const digest = await ask('PUT', path, {
      body: 'x',
      headers: { 'content-md5': Buffer.from(md5('y'), 'hex').toString('base64') },
    })
    expect([refusal(forged), refusal(digest), refusal(await ask('GET', path))]).toEqual([
      [400, 'XAmzContentSHA256Mismatch'],
      [400, 'BadDigest'],
      [404, 'NoSuchKey'],
    ])
  })

  it('hides the buckets of other projects', async () => {
    const stranger = await mint(world.neighbour.slug)
    expect(refusal(await askS3(stranger, 'GET', `/${bucket}/keeps`))).toEqual([404, 'NoSuchBucket'])
  })

  it('enforces the limits of the bucket and the rules for keys', async () => {
    const small = await world.freshBucket({ file_size_limit: 3, allowed_mime_types: ['text/css'] })
    const css = { 'content-type': 'text/css' }
    expect([
      refusal(await ask('PUT', `/${small}/x`, { body: 'four', headers: css })),
      refusal(await ask('PUT', `/${small}/x`, { body: 'x' })),
      refusal(await ask('PUT', `/${small}/é`, { body: 'x', headers: css })),
    ]).toEqual([
      [413, 'EntityTooLarge'],
      [415, 'InvalidRequest'],
      [400, 'InvalidKey'],
    ])
  })
})

describe('a presigned URL', () => {
  it('uploads and downloads without headers', async () => {
    const path = `/${bucket}/presigned`
    const sent = await fetch(presign(keys, 'PUT', path, 60), { method: 'PUT', body: 'hi' })
    const got = await fetch(presign(keys, 'GET', path, 60))
    expect([sent.status, await got.text()]).toEqual([200, 'hi'])
  })

  it('expires by the platform clock, and cannot be changed', async () => {
    const url = presign(keys, 'GET', `/${bucket}/presigned`, 60)
    const changed = await fetch(url.replace('presigned', 'keeps'))
    await world.advance(61)
    const late = await fetch(url)
    expect([
      refusal({ status: changed.status, text: await changed.text() }),
      refusal({ status: late.status, text: await late.text() }),
    ]).toEqual([
      [403, 'SignatureDoesNotMatch'],
      [403, 'AccessDenied'],
    ])
  })
})

describe('a key', () => {
  it('is returned in full only once, is listed masked, and can be revoked', async () => {
    const path = `/_emulator/v1/projects/${world.tenant.slug}/s3-keys`
    const minted = await mint(world.tenant.slug)
    const { body } = await world.at.call('GET', path)
    const masked = body.keys.find(
      ({ access_key_id: id }: S3Credentials) => id === minted.access_key_id,
    )
    const revoked = await world.at.call('DELETE', `${path}/${minted.access_key_id}`)
    expect(masked.secret_access_key).toBe(`${minted.secret_access_key.slice(0, 4)}…`)
    expect([revoked.status, refusal(await askS3(minted, 'GET', '/'))]).toEqual([
      200,
      [403, 'InvalidAccessKeyId'],
    ])
  })
})
