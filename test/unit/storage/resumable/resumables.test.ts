import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import { SeededIdSource } from '../../../../emulator/core/id-source.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import {
  DAY_MILLIS,
  epochMillis,
  HOUR_MILLIS,
  MINUTE_MILLIS,
} from '../../../../emulator/core/time.ts'
import { openSystemDb, type SystemDb } from '../../../../emulator/database/system-db/system-db.ts'
import type { BlobStore } from '../../../../emulator/services/storage/blobs/blob-store.ts'
import { openDiskBlobStore } from '../../../../emulator/services/storage/blobs/disk-blob-store.ts'
import { openDiskPartStore } from '../../../../emulator/services/storage/blobs/part-store.ts'
import { createBucketStore } from '../../../../emulator/services/storage/buckets/bucket-store.ts'
import { StorageError } from '../../../../emulator/services/storage/errors.ts'
import { createObjectStore } from '../../../../emulator/services/storage/objects/object-store.ts'
import {
  createResumableStore,
  type ResumableStore,
} from '../../../../emulator/services/storage/resumable/resumable-store.ts'
import { openResumables } from '../../../../emulator/services/storage/resumable/resumables.ts'
import { STORAGE_MIGRATIONS } from '../../../../emulator/services/storage/storage-schema.ts'

const BUCKET = 'proj_acme_files'
const schemaName = trusted.schemaName('proj_acme')
const ids = new SeededIdSource('resumables')

let root: string
let db: SystemDb
let clock: ManualClock
let blobs: BlobStore
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'resumables-'))
  db = openSystemDb({ file: undefined, migrations: [STORAGE_MIGRATIONS] })
  clock = new ManualClock(epochMillis(1_000))
  blobs = openDiskBlobStore({ root: join(root, 'blobs'), ids, isDurable: false })
  createBucketStore(db, { clock }).addBucket({
    fullName: BUCKET,
    schemaName,
    isPublic: false,
    fileSizeLimit: undefined,
  })
})
afterEach(() => {
  db.close()
  rmSync(root, { recursive: true })
})

/** Opens the same files and records as a new process would. `overrides` and `broken` replace functions by failing ones. */
function start(overrides: Partial<BlobStore> = {}, broken: Partial<ResumableStore> = {}) {
  const objects = createObjectStore(db, { clock, ids })
  const records = { ...createResumableStore(db), ...broken }
  const seen: string[] = []
  const uploads = openResumables({
    records,
    parts: openDiskPartStore({ root: join(root, 'uploads'), isDurable: false }),
    buckets: createBucketStore(db, { clock }),
    objects,
    blobs: { ...blobs, ...overrides },
    clock,
    observe: ({ kind }) => seen.push(kind),
  })
  return { uploads, objects, records, seen }
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
const partFiles = (): string[] => readdirSync(join(root, 'uploads'))

async function upload(uploads: ReturnType<typeof start>['uploads'], text: string) {
  const begun = uploads.begin({
    version: ids.uuid(),
    bucket: BUCKET,
    objectKey: 'key',
    ownerId: undefined,
    mayReplace: false,
    lengthBytes: text.length,
    metadata: { contentType: 'text/plain' },
  })
  await uploads.append(begun, bytes(text))
  return begun.version
}

describe('a resumable upload', () => {
  it('creates one object when several requests finish the upload', async () => {
    const { uploads, objects } = start()
    const version = await upload(uploads, 'hello')
    await Promise.all([uploads.finish(version), uploads.finish(version)])
    await uploads.finish(version)
    expect(objects.findObject(BUCKET, 'key')).toMatchObject({
      version,
      sizeBytes: 5,
      mimeType: 'text/plain',
      cacheControl: 'no-cache',
    })
    expect(partFiles()).toEqual([])
  })

  it('is complete after a crash that stored the object but did not mark the upload as finished', async () => {
    const first = start()
    const version = await upload(first.uploads, 'hello')
    first.records.markFinished = () => {
      throw new Error('killed')
    }
    await expect(first.uploads.finish(version)).rejects.toThrow('killed')
    const { uploads, objects, records } = start()
    await uploads.finish(version)
    expect(objects.findObject(BUCKET, 'key')?.version).toBe(version)
    expect(blobs.open(version)?.sizeBytes).toBe(5)
    expect([records.findUpload(version)?.isFinished, partFiles()]).toEqual([true, []])
  })

  it('can be finished again after a full disk', async () => {
    const full = start({
      stage: () => Promise.reject(new StorageError('diskFull', 'full')),
    })
    const version = await upload(full.uploads, 'hello')
    await expect(full.uploads.finish(version)).rejects.toMatchObject({ code: 'diskFull' })
    const { uploads, objects } = start()
    await uploads.finish(version)
    expect(objects.findObject(BUCKET, 'key')?.sizeBytes).toBe(5)
  })

  it('is removed with its bytes when it expires', async () => {
    const { uploads } = start()
    const version = await upload(uploads, 'hello')
    clock.advance(DAY_MILLIS - 1)
    expect([uploads.find(version) === undefined, partFiles().length]).toEqual([false, 1])
    clock.advance(1)
    expect([uploads.find(version), partFiles()]).toEqual([undefined, []])
  })

  it('that expired while the emulator was stopped is removed at start', async () => {
    const before = start()
    const version = await upload(before.uploads, 'hello')
    before.uploads.close()
    clock.advance(DAY_MILLIS)
    expect(partFiles()).toEqual([version])
    start()
    expect(partFiles()).toEqual([])
  })

  it('is removed a minute after space is free, when a full disk prevented its removal', async () => {
    let isFull = true
    const real = createResumableStore(db)
    const { uploads, seen } = start(
      {},
      {
        takeExpired: (now) => {
          if (isFull && now >= DAY_MILLIS) throw new Error('SQLITE_FULL')
          return real.takeExpired(now)
        },
      },
    )
    const version = await upload(uploads, 'hello')
    clock.advance(DAY_MILLIS + HOUR_MILLIS)
    expect([uploads.find(version), partFiles()]).toEqual([undefined, [version]])
    isFull = false
    clock.advance(MINUTE_MILLIS)
    expect(partFiles()).toEqual([])
    expect(seen).toEqual(['backgroundFailed', 'backgroundResumed'])
  })

  it('is removed with its project', async () => {
    const { uploads } = start()
    const version = await upload(uploads, 'hello')
    await uploads.eraseProject(schemaName)
    expect([uploads.find(version), partFiles()]).toEqual([undefined, []])
  })

  it('is refused when its bucket is deleted during the upload, and leaves no file', async () => {
    const { uploads } = start()
    const version = await upload(uploads, 'hello')
    const before = uploads.find(version)
    db.prepare<[]>('delete from buckets').run()
    if (before === undefined) throw new Error('no upload')
    await expect(uploads.append(before, bytes('more'))).rejects.toMatchObject({
      code: 'objectNotFound',
    })
    expect(partFiles()).toEqual([])
  })
})
