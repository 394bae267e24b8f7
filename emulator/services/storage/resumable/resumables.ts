// Implements resumable uploads, independent of HTTP. Keeps records and part files, creates the object, and expires uploads by
// the platform clock (docs/wire/storage.md#tus).
import { createBackground } from '../../../core/background.ts'
import type { Clock } from '../../../core/clock.ts'
import type { JsonObject } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { Observer } from '../../../core/observation.ts'
import { HOUR_MILLIS, MINUTE_MILLIS, plusMillis } from '../../../core/time.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { PartStore } from '../blobs/part-store.ts'
import { DEFAULT_CACHE_CONTROL, DEFAULT_TYPE, parseMetadata } from '../bodies/upload-body.ts'
import type { BucketStore } from '../buckets/bucket-store.ts'
import { refuse } from '../errors.ts'
import type { ObjectStore, StoredObject } from '../objects/object-store.ts'
import { limitOf, recordObject } from '../objects/put-object.ts'
import type { ResumableStore, ResumableUpload } from './resumable-store.ts'

/** Lifetime of an upload. The hosted service has the same lifetime (docs/wire/storage.md#tus). */
const LIFETIME_MILLIS = 24 * HOUR_MILLIS
/** Platform time after which a failed removal is retried. A removal fails on a full disk, for example. */
const RETRY_MILLIS = MINUTE_MILLIS

export type NewUpload = Omit<ResumableUpload, 'offsetBytes' | 'isFinished' | 'expiresAt'>

export interface Resumables {
  /** Returns `undefined` when the upload does not exist or has expired. */
  find(version: string): ResumableUpload | undefined
  begin(upload: NewUpload): ResumableUpload
  /**
   * Appends bytes at the upload's offset and returns the new offset. Bytes that arrived before a failure are kept.
   * @throws {StorageError} `diskFull`, `clientGone`, `bytesMissing`; what the source throws
   */
  append(upload: ResumableUpload, bytes: AsyncIterable<Uint8Array>): Promise<number>
  declareLength(version: string, lengthBytes: number): void
  /**
   * Creates the object when all bytes have arrived. The call is safe to repeat.
   * @throws {StorageError} the same errors as an upload in one request
   */
  finish(version: string): Promise<void>
  abandon(version: string): Promise<void>
  eraseProject(schemaName: SchemaName): Promise<void>
  /** Removes all unfinished uploads and their bytes. Called after a snapshot or the baseline replaced the database. */
  forget(): void
  /** Stops the expiry timer. */
  close(): void
}

export interface ResumablesDeps {
  readonly records: ResumableStore
  readonly parts: PartStore
  readonly buckets: BucketStore
  readonly objects: ObjectStore
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly observe: Observer
}

/** Opens the resumable uploads. Removes expired uploads, and part files that have no record. */
export function openResumables(deps: ResumablesDeps): Resumables {
  const { records, parts, clock } = deps
  const finishing = new Map<string, Promise<void>>()
  const expiry = watchExpiry(deps)
  sweepParts(deps)

  const find = (version: string): ResumableUpload | undefined => {
    const upload = records.findUpload(version)
    return upload !== undefined && upload.expiresAt > clock.now() ? upload : undefined
  }
  return {
    find,
    begin: (upload) => {
      const expiresAt = plusMillis(clock.now(), LIFETIME_MILLIS)
      records.addUpload({ ...upload, expiresAt })
      expiry.watch()
      return { ...upload, expiresAt, offsetBytes: 0, isFinished: false }
    },
    append: async ({ version, offsetBytes }, bytes) => {
      const { writtenBytes, failure } = await parts.append(version, offsetBytes, bytes)
      const newOffset = offsetBytes + writtenBytes
      if (!records.setOffset(version, newOffset)) {
        // The upload expired, or its bucket was deleted, while the bytes arrived.
        await parts.remove(version)
        throw refuse.objectNotFound()
      }
      if (failure !== undefined) throw failure
      return newOffset
    },
    declareLength: (version, lengthBytes) => records.setLength(version, lengthBytes),
    finish: (version) => {
      const current =
        finishing.get(version) ?? makeObject(deps, version).finally(() => finishing.delete(version))
      finishing.set(version, current)
      return current
    },
    abandon: async (version) => {
      records.removeUpload(version)
      await parts.remove(version)
    },
    eraseProject: async (schemaName) => {
      for (const version of records.versionsOf(schemaName)) {
        records.removeUpload(version)
        await parts.remove(version)
      }
    },
    forget: () => {
      expiry.stop()
      for (const version of records.unfinished()) records.removeUpload(version)
      sweepParts(deps)
      expiry.watch()
    },
    close: () => expiry.stop(),
  }
}

// Creates the object with the version of its upload. After a crash, the retry finds the object by its version and does not
// create the object again.
async function makeObject(deps: ResumablesDeps, version: string): Promise<void> {
  const { records, parts, buckets, objects, blobs } = deps
  const upload = records.findUpload(version)
  if (upload === undefined) throw refuse.objectNotFound()
  if (upload.isFinished) return
  const { objectKey, ownerId, mayReplace } = upload
  if (objects.findObject(upload.bucket, objectKey)?.version !== version) {
    const bucket = buckets.findBucket(upload.bucket)
    if (bucket === undefined) throw refuse.bucketNotFound()
    const staged = await blobs.stage(parts.read(version, upload.offsetBytes), {
      limitBytes: limitOf(bucket, objectKey),
    })
    await blobs.keep(staged, version)
    await recordObject(
      deps,
      { bucket, objectKey, ownerId, mayReplace, ...describe(upload.metadata) },
      { version, sizeBytes: staged.sizeBytes, etag: staged.md5 },
    )
  }
  records.markFinished(version)
  await parts.remove(version)
}

/** Media type, cache control and user metadata from the header Upload-Metadata (docs/wire/storage.md#tus). */
export function describe(
  metadata: JsonObject,
): Pick<StoredObject, 'mimeType' | 'cacheControl' | 'userMetadata'> {
  const { contentType, cacheControl, metadata: userMetadata } = metadata
  return {
    mimeType: typeof contentType === 'string' ? contentType : DEFAULT_TYPE,
    cacheControl:
      typeof cacheControl === 'string' ? `max-age=${cacheControl}` : DEFAULT_CACHE_CONTROL,
    userMetadata: typeof userMetadata === 'string' ? parseMetadata(userMetadata) : undefined,
  }
}

// Removes part files without an unfinished upload, including those whose bucket was deleted.
function sweepParts({ records, parts }: Pick<ResumablesDeps, 'records' | 'parts'>): void {
  parts.sweep((version) => records.findUpload(version)?.isFinished === false)
}

/** Removes uploads when they expire. A single timer waits for the next expiry. */
function watchExpiry({ records, parts, clock, observe }: ResumablesDeps) {
  const background = createBackground('remove expired uploads', observe)
  let cancel: (() => void) | undefined

  function watch(): void {
    if (cancel !== undefined) return
    const next = records.nextExpiry()
    if (next !== undefined) wait(next - clock.now())
  }
  function wait(millis: number): void {
    cancel = clock.after(millis, () => {
      cancel = undefined
      expire()
    })
  }
  // A late removal is harmless, because `find` ignores expired uploads.
  function expire(): void {
    const isDone = background.run(() => {
      if (records.takeExpired(clock.now()).length > 0) sweepParts({ records, parts })
      watch()
    })
    if (!isDone) wait(RETRY_MILLIS)
  }
  expire()
  return {
    watch,
    stop: () => {
      cancel?.()
      cancel = undefined
    },
  }
}
