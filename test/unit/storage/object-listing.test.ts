import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import { trusted } from '../../../emulator/core/names.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { openSystemDb } from '../../../emulator/database/system-db/system-db.ts'
import { createBucketStore } from '../../../emulator/services/storage/buckets/bucket-store.ts'
import type { ListPlace } from '../../../emulator/services/storage/listing/list-scope.ts'
import {
  createObjectListing,
  type ListEntry,
} from '../../../emulator/services/storage/listing/object-listing.ts'
import { createObjectStore } from '../../../emulator/services/storage/objects/object-store.ts'
import { STORAGE_MIGRATIONS } from '../../../emulator/services/storage/storage-schema.ts'

const BUCKET = 'proj_acme_files'

async function bucketOf(keys: readonly string[]) {
  const db = openSystemDb({ file: undefined, migrations: [STORAGE_MIGRATIONS] })
  const clock = new ManualClock(epochMillis(0))
  const ids = new SeededIdSource('listing')
  const objects = createObjectStore(db, { clock, ids })
  const schemaName = trusted.schemaName('proj_acme')
  for (const fullName of [BUCKET, `${BUCKET}2`])
    createBucketStore(db, { clock }).addBucket({
      fullName,
      schemaName,
      isPublic: false,
      fileSizeLimit: undefined,
    })
  const draft = { ownerId: undefined, sizeBytes: 0, etag: '', mimeType: '', cacheControl: '' }
  const placing = [...keys, 'elsewhere'].map((objectKey, index) =>
    objects.placeObject(
      {
        ...draft,
        bucket: objectKey === 'elsewhere' ? `${BUCKET}2` : BUCKET,
        objectKey,
        version: String(index),
        userMetadata: undefined,
      },
      false,
    ),
  )
  await Promise.all(placing)
  return { db, clock, objects, listing: createObjectListing(db) }
}

const keysOf = (entries: readonly ListEntry[]): string[] => entries.map(({ key }) => key)

/** The expected list, computed in a simple and slow way: checks every key, collects folders and sorts. */
function expected(
  keys: readonly string[],
  prefix: string,
  search: string,
  hasFolders: boolean,
  placeOf: (key: string) => string,
): string[] {
  const names = new Set<string>()
  for (const key of keys) {
    if (!key.startsWith(prefix)) continue
    if (!key.slice(prefix.length).toLowerCase().startsWith(search.toLowerCase())) continue
    const slash = hasFolders ? key.indexOf('/', prefix.length) : -1
    names.add(slash < 0 ? key : key.slice(0, slash + 1))
  }
  return [...names].sort((a, b) => compare(placeOf(a), placeOf(b)) || compare(a, b))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const someKey = fc
  .array(fc.constantFrom('a', 'A', 'b', 'B', '/', '/', '-', '0', ' '), {
    minLength: 1,
    maxLength: 7,
  })
  .map((letters) => letters.join(''))
const someKeys = fc.uniqueArray(someKey, { maxLength: 60 })
const somePrefix = fc.oneof(fc.constant(''), fc.constantFrom('a/', 'A/', 'a', '/', 'b/a/'))

it('the pages of the listing by key have the same objects as a check of every key', () =>
  fc.assert(
    fc.asyncProperty(
      someKeys,
      somePrefix,
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: 1, max: 5 }),
      async (keys, prefix, hasFolders, isDescending, limit) => {
        const { listing, db } = await bucketOf(keys)
        const scope = { bucket: BUCKET, prefix, hasFolders, isDescending }
        const pages: string[] = []
        let after: ListPlace | undefined
        for (;;) {
          const page = keysOf(listing.byKey(scope, { limit, after }))
          pages.push(...page)
          const last = page.at(-1)
          if (last === undefined) break
          after = { key: last }
        }
        const all = expected(keys, prefix, '', hasFolders, (key) => key)
        expect(pages).toEqual(isDescending ? all.reverse() : all)
        db.close()
      },
    ),
    { numRuns: 150 },
  ))

it('the listing by lower-case key keeps case variants of a folder apart, and can start at any offset', () =>
  fc.assert(
    fc.asyncProperty(
      someKeys,
      somePrefix,
      fc.constantFrom('', 'a', 'B', 'a/B'),
      fc.boolean(),
      fc.integer({ min: 0, max: 6 }),
      async (keys, prefix, search, isDescending, offset) => {
        const { listing, db } = await bucketOf(keys)
        const scope = { bucket: BUCKET, prefix, search, hasFolders: true, isDescending }
        const found = keysOf(listing.byFoldedKey(scope, { offset, limit: 4 }))
        const all = expected(keys, prefix, search, true, (key) => key.toLowerCase())
        const ordered = isDescending ? all.reverse() : all
        expect(found).toEqual(ordered.slice(offset, offset + 4))
        db.close()
      },
    ),
    { numRuns: 150 },
  ))

const anObject = (objectKey: string) => ({
  bucket: BUCKET,
  objectKey,
  version: `v-${objectKey}`,
  ownerId: undefined,
  sizeBytes: 0,
  etag: '',
  mimeType: '',
  cacheControl: '',
  userMetadata: undefined,
})

it('the listing by time has folders first, then objects, and equal times sorted by key', async () => {
  const { listing, clock, objects } = await bucketOf(['b', 'a', 'z/1', 'c/1', 'c/2', 'd'])
  clock.advance(1_000)
  await objects.placeObject(anObject('later'), false)
  const scope = { bucket: BUCKET, prefix: '', hasFolders: true, isDescending: true }
  const whole = ['z/', 'c/', 'later', 'd', 'b', 'a']
  expect(keysOf(listing.byTime('created_at', scope, { limit: 10 }))).toEqual(whole)
  expect(keysOf(listing.byTime('created_at', scope, { offset: 1, limit: 3 }))).toEqual(
    whole.slice(1, 4),
  )
})

it('the listing by age treats a folder as old as its first object, and sorts equal ages by name', async () => {
  const { listing, clock, objects } = await bucketOf(['b', 'z/1', 'c/2'])
  for (const key of ['c', 'c/1', 'y/1', 'a']) {
    clock.advance(1_000)
    await objects.placeObject(anObject(key), false)
  }
  await objects.placeObject(anObject('b'), true)
  const pagesOf = (column: 'created_at' | 'updated_at', isDescending: boolean): string[] => {
    const scope = { bucket: BUCKET, prefix: '', hasFolders: true, isDescending }
    const pages: string[] = []
    let after: ListPlace | undefined
    for (;;) {
      const page = listing.byAge(column, scope, { limit: 2, after })
      pages.push(...keysOf(page))
      const last = page.at(-1)
      if (last === undefined) return pages
      const stored = last.kind === 'folder' ? undefined : last.stored
      const instant =
        last.kind === 'folder'
          ? last.madeAt
          : column === 'created_at'
            ? stored?.createdAt
            : stored?.updatedAt
      after = { key: last.key, instant }
    }
  }
  expect(pagesOf('created_at', false)).toEqual(['b', 'c/', 'z/', 'c', 'y/', 'a'])
  expect(pagesOf('created_at', true)).toEqual(['a', 'y/', 'c', 'z/', 'c/', 'b'])
  expect(pagesOf('updated_at', false)).toEqual(['c/', 'z/', 'c', 'y/', 'a', 'b'])
})

it('a listing has each folder once, for any number of objects in the folder', async () => {
  const keys = Array.from({ length: 5_000 }, (_, turn) => `folder ${turn % 20}/${turn}`)
  const { listing } = await bucketOf([...keys, 'zoo'])
  const scope = { bucket: BUCKET, prefix: '', hasFolders: true, isDescending: false }
  expect(keysOf(listing.byKey(scope, { limit: 100 }))).toHaveLength(21)
  expect(keysOf(listing.byFoldedKey(scope, { limit: 100 }))).toHaveLength(21)
})
