import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type StorageRoleName,
  type StorageWorld,
  startStorageWorld,
} from '../../support/storage-world.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: StorageWorld
let bucket: string

const KEYS = [
  'Zebra.txt',
  'apple.txt',
  'docs/Plan.md',
  'docs/plan-b.md',
  'docs/2026/report.md',
  'Docs/other.md',
  'empty/.emptyFolderPlaceholder',
  'banana_1%.txt'.replace('%', '+'),
]

beforeAll(async () => {
  world = await startStorageWorld()
  bucket = await world.freshBucket()
  for (const key of KEYS) await world.put(bucket, key, key.endsWith('Placeholder') ? '' : key)
})
afterAll(() => world[Symbol.asyncDispose]())

interface Asking {
  readonly to?: string
  readonly role?: StorageRoleName
}

async function list(body: object, { to = bucket, role = 'server' }: Asking = {}): Promise<Json[]> {
  const answer = await world.ask('POST', `/object/list/${to}`, {
    role,
    body: { prefix: '', ...body },
  })
  expect(answer.status).toBe(200)
  return answer.body
}

async function namesOf(body: object, asking: Asking = {}): Promise<string[]> {
  return (await list(body, asking)).map(({ name }) => name)
}

async function listV2(body: object, { to = bucket, role = 'server' }: Asking = {}): Promise<Json> {
  const answer = await world.ask('POST', `/object/list-v2/${to}`, { role, body })
  expect(answer.status).toBe(200)
  return answer.body
}

const names = (entries: Json[]): string[] => entries.map(({ name }) => name)

describe('a list', () => {
  it('sorts the files and folders of one level together, without regard to case', async () => {
    expect(await namesOf({})).toEqual([
      'apple.txt',
      'banana_1+.txt',
      'Docs',
      'docs',
      'empty',
      'Zebra.txt',
    ])
  })

  it('returns a folder with its name, and with null in all other members', async () => {
    expect((await list({ search: 'empty' }))[0]).toEqual({
      name: 'empty',
      id: null,
      updated_at: null,
      created_at: null,
      last_accessed_at: null,
      metadata: null,
    })
  })

  it.each(['docs', 'docs/'])(
    'names entries of the folder %s by the part of the key after the folder',
    async (prefix) => {
      expect(await namesOf({ prefix })).toEqual(['2026', 'plan-b.md', 'Plan.md'])
    },
  )

  it('searches by prefix without regard to case, and treats special characters as text', async () => {
    expect(await namesOf({ prefix: 'docs', search: 'PLAN' })).toEqual(['plan-b.md', 'Plan.md'])
    expect(await namesOf({ search: 'an' })).toEqual([])
    expect(await namesOf({ search: '%' })).toEqual([])
    expect(await namesOf({ search: 'banana_' })).toEqual(['banana_1+.txt'])
  })

  it('sorts in descending order, and puts folders first when it sorts by time', async () => {
    expect(await namesOf({ prefix: 'docs', sortBy: { column: 'name', order: 'desc' } })).toEqual([
      'Plan.md',
      'plan-b.md',
      '2026',
    ])
    const fresh = await world.freshBucket()
    for (const key of ['b', 'x/1', 'a']) {
      await world.put(fresh, key, key)
      await world.advance(1)
    }
    await world.put(fresh, 'b', 'newer')
    const by = (column: string, order: string) =>
      namesOf({ sortBy: { column, order } }, { to: fresh })
    expect(await by('created_at', 'asc')).toEqual(['x', 'b', 'a'])
    expect(await by('updated_at', 'asc')).toEqual(['x', 'a', 'b'])
    expect(await by('last_accessed_at', 'desc')).toEqual(['x', 'b', 'a'])
  })

  it('pages by limit and offset, which also count folders', async () => {
    expect(await namesOf({ limit: 2, offset: 1 })).toEqual(['banana_1+.txt', 'Docs'])
    expect(await namesOf({ limit: 2, offset: 3 })).toEqual(['docs', 'empty'])
    expect(await namesOf({ limit: 2, offset: 60 })).toEqual([])
  })

  it('is empty for a missing folder or bucket, and for a caller of another project', async () => {
    expect(await namesOf({ prefix: 'nowhere' })).toEqual([])
    expect(await namesOf({}, { to: 'proj_acme_nowhere' })).toEqual([])
    expect(await namesOf({}, { role: 'neighbour' })).toEqual([])
  })

  it('shows a user everything, and anon only public entries', async () => {
    const open = await world.freshBucket({ public: true })
    await world.put(open, 'seen', 'x')
    expect(await namesOf({}, { role: 'user' })).toHaveLength(6)
    expect(await namesOf({}, { role: 'anon' })).toEqual([])
    expect(await namesOf({}, { role: 'anon', to: open })).toEqual(['seen'])
  })

  it.each([
    [{ prefix: undefined }, "body must have required property 'prefix'"],
    [{ prefix: '', limit: 0 }, 'body/limit must be >= 1'],
    [{ prefix: '', limit: 'many' }, 'body/limit must be integer'],
    [{ prefix: '', offset: -1 }, 'body/offset must be >= 0'],
    [{ prefix: 1 }, 'body/prefix must be string'],
    [
      { prefix: '', sortBy: { column: 'size' } },
      'body/sortBy/column must be equal to one of the allowed values',
    ],
    [
      { prefix: '', sortBy: { column: 'name', order: 'up' } },
      'body/sortBy/order must be equal to one of the allowed values',
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await world.ask('POST', `/object/list/${bucket}`, { body })
    expect([answer.status, answer.body]).toEqual([
      400,
      { statusCode: '400', error: 'Error', message, code: 'InvalidRequest' },
    ])
  })
})

describe('a list of version 2', () => {
  it('contains every full key in byte order, and no folders', async () => {
    const { objects, ...rest } = await listV2({})
    expect(rest).toEqual({ hasNext: false, folders: [] })
    expect(names(objects)).toEqual([...KEYS].sort())
    expect(Object.keys(objects[0]).sort()).toEqual(
      ['created_at', 'id', 'last_accessed_at', 'metadata', 'name', 'updated_at'].sort(),
    )
  })

  it('contains folders, which end in a slash, when the request has a delimiter', async () => {
    const { folders, objects } = await listV2({ with_delimiter: true, prefix: 'docs/' })
    expect(folders).toEqual([
      {
        key: '2026',
        name: 'docs/2026/',
        id: null,
        updated_at: null,
        created_at: null,
        last_accessed_at: null,
        metadata: null,
      },
    ])
    expect(names(objects)).toEqual(['docs/Plan.md', 'docs/plan-b.md'])
  })

  it('contains the path segment of the listed level as key only when the request has a delimiter', async () => {
    const keysOf = ({ folders, objects }: Json): Json[] =>
      [...folders, ...objects].map(({ key }: Json) => key)
    const inDocs = { with_delimiter: true, prefix: 'docs/' }
    expect(keysOf(await listV2(inDocs))).toEqual(['2026', 'Plan.md', 'plan-b.md'])
    expect(keysOf(await listV2({ with_delimiter: true, prefix: 'docs' }))).toEqual(['docs'])
    expect(keysOf(await listV2({ prefix: 'docs/P' }))).toEqual([undefined])
  })

  it('sorts folders among the objects, by the time of the first object in the folder', async () => {
    const fresh = await world.freshBucket()
    for (const key of ['old', 'x/1', 'new', 'x/2']) {
      await world.put(fresh, key, key)
      await world.advance(1)
    }
    const asked = { with_delimiter: true, sortBy: { column: 'created_at', order: 'desc' } }
    const { objects } = await listV2({ prefix: 'x/' }, { to: fresh })
    const [first] = objects
    const page = await listV2({ ...asked, limit: 2 }, { to: fresh })
    expect(names([...page.objects, ...page.folders])).toEqual(['new', 'x/'])
    expect(page.nextCursorKey).toBe('x')
    expect(page.folders[0]).toEqual({
      key: 'x',
      name: 'x/',
      id: null,
      updated_at: first.created_at,
      created_at: first.created_at,
      last_accessed_at: null,
      metadata: null,
    })
  })

  it('starts with the first entry when the cursor is missing or empty', async () => {
    for (const cursor of [null, ''])
      expect(names((await listV2({ cursor, prefix: 'Z' })).objects)).toEqual(['Zebra.txt'])
  })

  it('accepts any text as prefix', async () => {
    expect(names((await listV2({ prefix: 'docs/P' })).objects)).toEqual(['docs/Plan.md'])
  })

  it.each([
    { sortBy: { column: 'name', order: 'asc' } },
    { sortBy: { column: 'name', order: 'desc' }, with_delimiter: true },
    { sortBy: { column: 'created_at', order: 'desc' } },
    { sortBy: { column: 'updated_at', order: 'asc' }, with_delimiter: true },
  ])('pages by cursor: %j', async (asked) => {
    const whole = await listV2(asked)
    const found: Json = { folders: [], objects: [] }
    let cursor: string | undefined
    do {
      // The cursor keeps the order of the first page, even when `sortBy` is empty.
      const page: Json = await listV2(
        cursor === undefined ? { ...asked, limit: 2 } : { ...asked, sortBy: {}, limit: 2, cursor },
      )
      found.folders.push(...page.folders)
      found.objects.push(...page.objects)
      expect(page.hasNext).toBe(page.nextCursor !== undefined)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(found).toEqual({ folders: whole.folders, objects: whole.objects })
  })

  it('is empty when the caller may not see the bucket', async () => {
    const nothing = { hasNext: false, folders: [], objects: [] }
    expect(await listV2({}, { role: 'anon' })).toEqual(nothing)
    expect(await listV2({}, { role: 'neighbour' })).toEqual(nothing)
    expect(await listV2({}, { to: 'proj_acme_nowhere' })).toEqual(nothing)
  })

  it.each([
    'x',
    '!!',
    Buffer.from('l:a\no:up\nc:name').toString('base64'),
    Buffer.from('l:a\no:asc\nc:size').toString('base64'),
    Buffer.from('l:a\no:asc\nc:created_at\na:yesterday').toString('base64'),
  ])('refuses the cursor %j', async (cursor) => {
    const answer = await world.ask('POST', `/object/list-v2/${bucket}`, { body: { cursor } })
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        statusCode: '400',
        error: 'InvalidParameter',
        message: 'Invalid Parameter continuation token',
        code: 'InvalidParameter',
      },
    ])
  })
})
