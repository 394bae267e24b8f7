// The order of an upload's steps, and the remaining data when a step fails.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import { trusted } from '../../../emulator/core/names.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { openSystemDb, type SystemDb } from '../../../emulator/database/system-db/system-db.ts'
import type { BlobStore } from '../../../emulator/services/storage/blobs/blob-store.ts'
import { openDiskBlobStore } from '../../../emulator/services/storage/blobs/disk-blob-store.ts'
import {
  type Bucket,
  type BucketStore,
  createBucketStore,
} from '../../../emulator/services/storage/buckets/bucket-store.ts'
import { renderStorageError } from '../../../emulator/services/storage/errors.ts'
import { eraseProjectStorage } from '../../../emulator/services/storage/objects/erase-project.ts'
import {
  createObjectStore,
  type ObjectStore,
} from '../../../emulator/services/storage/objects/object-store.ts'
import { putObject, type Upload } from '../../../emulator/services/storage/objects/put-object.ts'
import { STORAGE_MIGRATIONS } from '../../../emulator/services/storage/storage-schema.ts'

const SCHEMA = trusted.schemaName('proj_acme')

let root: string
let db: SystemDb
let disk: BlobStore
let objects: ObjectStore
let bucket: Bucket
let buckets: BucketStore
const clock = new ManualClock(epochMillis(1_000_000))
const ids = new SeededIdSource('put')

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tenantry-put-'))
  db = openSystemDb({ file: undefined, migrations: [STORAGE_MIGRATIONS] })
  disk = openDiskBlobStore({ root, ids, isDurable: false })
  objects = createObjectStore(db, { clock, ids })
  buckets = createBucketStore(db, { clock })
  const made = buckets.addBucket({
    fullName: 'proj_acme_files',
    schemaName: SCHEMA,
    isPublic: false,
    fileSizeLimit: undefined,
  })
  if (made === undefined) throw new Error('the bucket was not made')
  bucket = made
})
afterEach(() => {
  db.close()
  rmSync(root, { recursive: true, force: true })
})

const files = (): number =>
  readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

function put(text: string, changes: Partial<Upload> = {}, blobs: BlobStore = disk) {
  const upload: Upload = {
    bucket,
    objectKey: 'key',
    ownerId: undefined,
    mimeType: 'text/plain',
    cacheControl: 'no-cache',
    userMetadata: undefined,
    mayReplace: true,
    ...changes,
  }
  return putObject({ objects, blobs, ids }, upload, bytesOf(text))
}

function textOf(objectKey: string): string | undefined {
  const stored = objects.findObject(bucket.fullName, objectKey)
  const blob = stored && disk.open(stored.version)
  return blob && Buffer.from(blob.read({ first: 0, last: blob.sizeBytes - 1 })).toString()
}

function noSpace(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}

describe('an upload', () => {
  it('replaces the object and removes the former blob', async () => {
    const first = await put('one')
    clock.advance(5_000)
    const second = await put('two')
    expect([textOf('key'), files()]).toEqual(['two', 1])
    expect(second).toMatchObject({ id: first.id, createdAt: first.createdAt })
    expect(second.updatedAt - first.updatedAt).toBe(5_000)
  })

  it('keeps the old object, and no bytes of the new object, when the disk is full at the last step', async () => {
    await put('old')
    const full: BlobStore = {
      ...disk,
      keep: async (staged) => {
        await disk.discard(staged)
        noSpace()
      },
    }
    await expect(put('new', {}, full)).rejects.toThrow('ENOSPC')
    expect([textOf('key'), files()]).toEqual(['old', 1])
  })

  it('leaves no new object when its record cannot be written', async () => {
    await put('old')
    const failing: ObjectStore = {
      ...objects,
      placeObject: () => Promise.reject(new Error('database or disk is full')),
    }
    const upload = { bucket, objectKey: 'key', mayReplace: true }
    const described = { ownerId: undefined, userMetadata: undefined }
    const kept = { mimeType: 'a/b', cacheControl: '' }
    await expect(
      putObject(
        { objects: failing, blobs: disk, ids },
        { ...upload, ...described, ...kept },
        bytesOf('new'),
      ),
    ).rejects.toThrow('disk is full')
    expect([textOf('key'), files()]).toEqual(['old', 1])
  })

  it('is refused when another upload of the same key finishes first, and leaves no file', async () => {
    const answers = await Promise.allSettled([
      put('one', { mayReplace: false }),
      put('two', { mayReplace: false }),
      put('three', { mayReplace: false }),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(files()).toBe(1)
  })

  it('leaves no file when its bucket was deleted', async () => {
    const purging: BlobStore = {
      ...disk,
      keep: async (staged, blobId) => {
        await disk.keep(staged, blobId)
        await eraseProjectStorage({ objects, blobs: disk }, SCHEMA)
      },
    }
    await expect(put('late', {}, purging)).rejects.toMatchObject({ code: 'bucketNotFound' })
    expect(files()).toBe(0)
  })
})

describe('the stored bytes of a project', () => {
  it('are the bytes of its current objects', async () => {
    await put('replaced by less')
    await put('12345')
    await put('123', { objectKey: 'other' })
    expect(buckets.storedBytes(SCHEMA)).toBe(8)
    expect(buckets.storedBytes(trusted.schemaName('proj_other'))).toBe(0)
    await objects.removeObject(bucket.fullName, 'key')
    expect(buckets.storedBytes(SCHEMA)).toBe(3)
  })
})

describe('a full disk', () => {
  it('is reported to the caller as a full disk', async () => {
    async function* filling(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x')
      noSpace()
    }
    const refusal = await disk.stage(filling()).catch((error: unknown) => renderStorageError(error))
    expect(refusal).toMatchObject({ status: 500, code: 'InternalError' })
    expect(JSON.stringify(refusal)).toMatch(/disk of the data directory is full/)
    expect(files()).toBe(0)
  })
})

describe('erasing a project', () => {
  it('counts deleted buckets and objects, leaves no file, and can be repeated', async () => {
    await put('one')
    await put('two', { objectKey: 'other' })
    const erase = () => eraseProjectStorage({ objects, blobs: disk }, SCHEMA)
    expect(await erase()).toEqual({ bucketsDeleted: 1, objectsDeleted: 2 })
    expect(files()).toBe(0)
    expect(await erase()).toEqual({ bucketsDeleted: 0, objectsDeleted: 0 })
  })
})

describe('a bucket', () => {
  it('reports whether it has more objects than a given number', async () => {
    for (const objectKey of ['a', 'b']) await put('x', { objectKey })
    expect([1, 2].map((count) => objects.holdsMoreThan(bucket.fullName, count))).toEqual([
      true,
      false,
    ])
  })
})
