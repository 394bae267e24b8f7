import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type StorageRoleName,
  type StorageWorld,
  startStorageWorld,
} from '../../support/storage-world.ts'
import type { Answer, Json } from '../../support/test-emulator.ts'
import { provisionTenant } from '../../support/test-emulator.ts'

let world: StorageWorld
let bucket: string
let counter = 0

beforeAll(async () => {
  world = await startStorageWorld()
  bucket = await world.freshBucket()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Stores this text under an unused key. */
async function stored(text = 'text', to = bucket): Promise<string> {
  const key = `k/${++counter}`
  await world.put(to, key, text)
  return key
}

const post = (path: string, body: object, headers = {}): Promise<Answer<Json>> =>
  world.ask('POST', path, { body, headers })

const read = async (key: string, from = bucket): Promise<string> => {
  const { text } = await world.ask('GET', `/object/${from}/${encodeURIComponent(key)}`)
  return text
}

const infoOf = async (key: string, from = bucket): Promise<Json> =>
  (await world.ask('GET', `/object/info/${from}/${encodeURIComponent(key)}`)).body

const refusalOf = ({ status, body }: Answer<Json>): string => `${status} ${body.code}`

describe('a move', () => {
  it('keeps the object’s id and bytes, and records the time of the move', async () => {
    const key = await stored('moving')
    const before = await infoOf(key)
    await world.advance(5)
    const body = { bucketId: bucket, sourceKey: key, destinationKey: 'moved (1), a & B' }
    expect((await post('/object/move', body)).body).toEqual({ message: 'Successfully moved' })
    expect(await read('moved (1), a & B')).toBe('moving')
    const after = await infoOf('moved (1), a & B')
    expect(after).toMatchObject({ id: before.id, created_at: before.created_at, etag: before.etag })
    expect(Date.parse(after.last_modified) - Date.parse(before.last_modified)).toBeGreaterThan(
      4_999,
    )
    expect((await infoOf(key)).code).toBe('NoSuchKey')
  })

  it('moves to another bucket of the project, within the limits of that bucket', async () => {
    const key = await stored('to another')
    const other = await world.freshBucket()
    const narrow = await world.freshBucket({ file_size_limit: 5, allowed_mime_types: ['text/*'] })
    const pictures = await world.freshBucket({ allowed_mime_types: ['image/*'] })
    const to = (destinationBucket: string) =>
      post('/object/move', {
        bucketId: bucket,
        sourceKey: key,
        destinationKey: key,
        destinationBucket,
      })
    expect(refusalOf(await to(narrow))).toBe('400 EntityTooLarge')
    expect(refusalOf(await to(pictures))).toBe('400 InvalidMimeType')
    expect((await to(other)).status).toBe(200)
    expect(await read(key, other)).toBe('to another')
  })

  it('to the same key changes nothing', async () => {
    const key = await stored('still')
    const body = { bucketId: bucket, sourceKey: key, destinationKey: key }
    expect((await post('/object/move', body)).status).toBe(200)
    expect(await read(key)).toBe('still')
  })

  it('succeeds only once when two requests move the same object', async () => {
    const key = await stored('raced')
    const to = (destinationKey: string) =>
      post('/object/move', { bucketId: bucket, sourceKey: key, destinationKey })
    const answers = await Promise.all([to(`${key}.a`), to(`${key}.b`)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const { body } = await post(`/object/list/${bucket}`, { prefix: 'k', search: key.slice(2) })
    expect(body).toHaveLength(1)
  })
})

describe('a copy', () => {
  const METADATA = Buffer.from(JSON.stringify({ by: 'me' })).toString('base64')

  async function described(): Promise<string> {
    const key = `k/${++counter}`
    await world.ask('POST', `/object/${bucket}/${key}`, {
      body: 'copied',
      headers: {
        'content-type': 'text/markdown',
        'cache-control': 'max-age=9',
        'x-metadata': METADATA,
      },
    })
    return key
  }
  const copy = (sourceKey: string, extra: object = {}, headers = {}) =>
    post(
      '/object/copy',
      { bucketId: bucket, sourceKey, destinationKey: `${sourceKey}.copy`, ...extra },
      headers,
    )

  it('is a separate object, and the answer contains its whole row', async () => {
    const key = await described()
    const { body } = await copy(key)
    expect(body).toMatchObject({
      Key: `${bucket}/${key}.copy`,
      Id: body.id,
      name: `${key}.copy`,
      bucket_id: bucket,
      metadata: { size: 6, mimetype: 'text/markdown', cacheControl: 'max-age=9' },
      user_metadata: { by: 'me' },
    })
    const source = await infoOf(key)
    expect(body.id).not.toBe(source.id)
    expect(body.version).not.toBe(source.version)
    await world.put(bucket, key, 'changed')
    expect(await read(`${key}.copy`)).toBe('copied')
  })

  it('has new metadata when copyMetadata is false', async () => {
    const key = await described()
    const given = Buffer.from(JSON.stringify({ by: 'you' })).toString('base64')
    const { body } = await copy(
      key,
      { copyMetadata: false, metadata: { cacheControl: 'no-store', mimetype: 'text/x-new' } },
      { 'x-metadata': given },
    )
    expect(body).toMatchObject({
      metadata: { mimetype: 'text/x-new', cacheControl: 'no-store' },
      user_metadata: { by: 'you' },
    })
    const plain = await copy(key, { copyMetadata: false, destinationKey: `${key}.plain` })
    expect(plain.body.user_metadata).toBeNull()
  })

  it('replaces an existing object only with x-upsert', async () => {
    const key = await described()
    await world.put(bucket, `${key}.copy`, 'there')
    expect(refusalOf(await copy(key))).toBe('400 KeyAlreadyExists')
    const { id } = await infoOf(`${key}.copy`)
    expect((await copy(key, {}, { 'x-upsert': 'true' })).body.Id).toBe(id)
    expect(await read(`${key}.copy`)).toBe('copied')
  })

  it('can go to another bucket of the project, with the client', async () => {
    const key = await described()
    const other = await world.freshBucket()
    const { data } = await world
      .client('user')
      .from(bucket)
      .copy(key, 'there', { destinationBucket: other })
    expect(data).toEqual({ path: `${other}/there` })
    expect(await read('there', other)).toBe('copied')
  })

  it('is complete when its source is replaced during the copy', async () => {
    const key = await stored('a'.repeat(50_000))
    const copies = Array.from({ length: 8 }, (_, turn) =>
      copy(key, { destinationKey: `${key}.${turn}` }),
    )
    const replaced = world.put(bucket, key, 'b'.repeat(50_000))
    expect((await Promise.all(copies)).map(({ status }) => status)).toEqual(Array(8).fill(200))
    await replaced
    for (let turn = 0; turn < 8; turn += 1)
      expect(await read(`${key}.${turn}`)).toMatch(/^(a{50000}|b{50000})$/)
  })
})

describe('removing many objects', () => {
  const remove = (prefixes: readonly string[], role: StorageRoleName = 'server', to = bucket) =>
    world.ask('DELETE', `/object/${to}`, { role, body: { prefixes } })

  it('accepts exact names only, and returns the removed objects in the requested order', async () => {
    const [first, second] = [await stored(), await stored()]
    const { body } = await remove([second, 'missing', 'k', 'k/', first, first])
    expect(body.map(({ name }: Json) => name)).toEqual([second, first])
    expect((await infoOf(first)).code).toBe('NoSuchKey')
    expect((await remove([first])).body).toEqual([])
  })

  it('omits objects that the caller may not remove, without an error', async () => {
    const key = await stored()
    const open = await world.freshBucket({ public: true })
    await world.put(open, 'k', 'public')
    expect((await remove([key], 'anon')).body).toEqual([])
    expect((await remove(['k'], 'anon', open)).body).toEqual([])
    expect((await remove([key], 'neighbour')).body).toEqual([])
    expect((await remove([key], 'server', 'proj_acme_none')).body).toEqual([])
    expect(await read(key)).toBe('text')
    expect((await remove([key], 'user')).body).toHaveLength(1)
  })
})

describe('the cache of a bucket', () => {
  it.each([
    ['server', 200, undefined],
    ['user', 403, 'AccessDenied'],
    ['anon', 403, 'AccessDenied'],
    ['neighbour', 400, 'NoSuchBucket'],
  ] as const)('can be purged only by the service_role: %s', async (role, status, code) => {
    const answer = await world.ask('DELETE', `/cdn/${bucket}/k?transformations=true`, { role })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it.each([
    ['server', 200, undefined],
    ['user', 403, 'AccessDenied'],
    ['neighbour', 200, undefined],
  ] as const)(
    'can be purged with all caches of the project only by the service_role: %s',
    async (role, status, code) => {
      for (const path of ['/cdn', '/cdn/', '/cdn/?transformations=true']) {
        const answer = await world.ask('DELETE', path, { role })
        expect([answer.status, answer.body.code]).toEqual([status, code])
      }
    },
  )
})

// Keys are stored as text in a table and not as file paths, so any text is allowed. The client sends keys unchanged.
describe('hostile keys', () => {
  const HOSTILE = [
    '../../../etc/passwd',
    'a/../../b',
    "'; drop table objects; --",
    '$(reboot)',
    'AUX',
    'con.txt',
    '.hidden/.',
    '_*_',
    'a+b=c&d',
    'Case.txt',
    'case.txt',
    'CASE.TXT',
    `deep${'/x'.repeat(300)}`,
    'l'.repeat(1_000),
  ]

  it('are stored, listed, moved, signed and removed unchanged', async () => {
    const fresh = await world.freshBucket()
    const at = (path: string, key: string) => `${path}/${fresh}/${encodeURIComponent(key)}`
    for (const key of HOSTILE) await world.put(fresh, key, key)
    const listed = await post(`/object/list-v2/${fresh}`, {})
    expect(listed.body.objects.map(({ name }: Json) => name)).toEqual([...HOSTILE].sort())
    const moved = HOSTILE.map((key) => `${key}.moved`)
    for (const key of HOSTILE) {
      const body = { bucketId: fresh, sourceKey: key, destinationKey: `${key}.moved` }
      expect((await post('/object/move', body)).status).toBe(200)
      const signed = await post(at('/object/sign', `${key}.moved`), { expiresIn: 60 })
      const token = signed.body.signedURL.split('?token=')[1]
      const url = `${at('/object/sign', `${key}.moved`)}?token=${token}`
      expect((await world.ask('GET', url, { role: null })).text).toBe(key)
    }
    const { body } = await world.ask('DELETE', `/object/${fresh}`, { body: { prefixes: moved } })
    expect(body).toHaveLength(HOSTILE.length)
    expect((await world.client().deleteBucket(fresh)).error).toBeNull()
  })

  it.each(['é', 'a\0b', 'a\nb', 'a#b', 'a%b', 'a\\b', '<a>', ''])(
    '%j is refused as a name for a move, a copy or a signed upload',
    async (key) => {
      const source = await stored()
      const body = { bucketId: bucket, sourceKey: source, destinationKey: key }
      expect(refusalOf(await post('/object/move', body))).toBe('400 InvalidKey')
      expect(refusalOf(await post('/object/copy', body))).toBe('400 InvalidKey')
      const path = `/object/upload/sign/${bucket}/${encodeURIComponent(key)}`
      expect(refusalOf(await post(path, {}))).toBe('400 InvalidKey')
    },
  )

  it('a lone surrogate is answered without an internal error', async () => {
    const body = { bucketId: bucket, sourceKey: '\ud800', destinationKey: '\ud800' }
    expect(refusalOf(await post('/object/move', body))).toBe('400 InvalidKey')
    expect((await post(`/object/list/${bucket}`, { prefix: '\ud800', search: '\0' })).body).toEqual(
      [],
    )
    expect((await post(`/object/list-v2/${bucket}`, { prefix: 'k\0' })).body.objects).toEqual([])
  })
})

it('public addresses of a project that went offline are not found', async () => {
  const tenant = await provisionTenant(world.at, world.group, 'leaving')
  const { body } = await world.at.call('POST', '/st/v1/token', {
    credential: tenant.serviceRoleKey,
  })
  const name = `${tenant.schemaName}_open`
  await world.ask('POST', '/bucket', { token: body.token, body: { name, public: true } })
  await world.ask('POST', `/object/${name}/k`, { token: body.token, body: 'x' })
  const path = `/object/public/${name}/k`
  expect((await world.ask('GET', path, { role: null })).text).toBe('x')
  await world.at.call('DELETE', `/groups/v1/${world.group.id}/tenants/leaving`, {
    credential: world.group.key,
  })
  expect(refusalOf(await world.ask('GET', path, { role: null }))).toBe('400 NoSuchBucket')
})
