// Stores bytes under a key, in an order that survives a crash: stage, keep, record, remove what was replaced. Every kind of upload
// ends here.
import type { IdSource } from '../../core/id-source.ts'
import type { JsonObject } from '../../core/json.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { isAllowed } from '../buckets/bucket-limits.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import { refuse } from '../errors.ts'
import { isFolderPlaceholder } from './object-key.ts'
import type { CurrentGuard, ObjectStore, StoredObject } from './object-store.ts'

/** What is to be stored, beside its bytes. */
export interface Upload {
  readonly bucket: Bucket
  readonly objectKey: string
  readonly ownerId: string | undefined
  readonly mimeType: string
  /** As the header Cache-Control of downloads will be. */
  readonly cacheControl: string
  readonly userMetadata: JsonObject | undefined
  readonly robotsTag?: string | undefined
  readonly mayReplace: boolean
  /** Judges the object that would be replaced. */
  readonly guard?: CurrentGuard | undefined
}

interface PutDeps {
  readonly objects: ObjectStore
  readonly blobs: BlobStore
  readonly ids: IdSource
}

/**
 * Refuses what can be refused before the bytes arrive.
 * @param declaredBytes Content-Length, where it is the object's size
 * @throws {StorageError} `invalidMimeType`, `tooLarge`
 */
export function refuseUnfit(
  bucket: Bucket,
  objectKey: string,
  mimeType: string,
  declaredBytes: number | undefined,
): void {
  if (!isFolderPlaceholder(objectKey) && !isAllowed(mimeType, bucket.allowedMimeTypes))
    throw refuse.mimeType(mimeType)
  const limit = limitOf(bucket, objectKey)
  if (limit !== undefined && declaredBytes !== undefined && declaredBytes > limit)
    throw refuse.tooLarge()
}

/** Bytes an object of the bucket may have; `undefined` when there is no limit. */
export function limitOf(bucket: Bucket, objectKey: string): number | undefined {
  return isFolderPlaceholder(objectKey) ? 0 : bucket.fileSizeLimit
}

/** Refuses a key that is taken, before its bytes come. @throws {StorageError} `objectExists`; what the guard throws */
export function refuseTaken(
  { objects }: Pick<PutDeps, 'objects'>,
  {
    bucket,
    objectKey,
    mayReplace,
    guard,
  }: Pick<Upload, 'bucket' | 'objectKey' | 'mayReplace' | 'guard'>,
): void {
  if (mayReplace && guard === undefined) return
  const current = objects.findObject(bucket.fullName, objectKey)
  if (!mayReplace && current !== undefined) throw refuse.objectExists()
  guard?.(current)
}

/** Stores the bytes and records them. @throws {StorageError} `tooLarge`, `clientGone`, `diskFull`, `objectExists`, `bucketNotFound`; what the guard throws */
export async function putObject(
  deps: PutDeps,
  upload: Upload,
  bytes: AsyncIterable<Uint8Array>,
): Promise<StoredObject> {
  const { bucket, objectKey } = upload
  const staged = await deps.blobs.stage(bytes, { limitBytes: limitOf(bucket, objectKey) })
  const version = deps.ids.uuid()
  await deps.blobs.keep(staged, version)
  return recordObject(deps, upload, { version, sizeBytes: staged.sizeBytes, etag: staged.md5 })
}

/** Records a blob that is on disk, or removes it. @throws {StorageError} `objectExists`, `bucketNotFound` */
export async function recordObject(
  { objects, blobs }: Pick<PutDeps, 'objects' | 'blobs'>,
  { bucket, mayReplace, guard, ...described }: Upload,
  { version, sizeBytes, etag }: Pick<StoredObject, 'version' | 'sizeBytes' | 'etag'>,
): Promise<StoredObject> {
  const draft = { ...described, version, sizeBytes, etag, bucket: bucket.fullName }
  const placement = await objects
    .placeObject(draft, mayReplace, guard)
    .catch(async (error: unknown) => {
      await blobs.remove(version)
      throw error
    })
  if (placement.kind === 'placed') {
    if (placement.replacedVersion !== undefined) await blobs.remove(placement.replacedVersion)
    return placement.stored
  }
  await blobs.remove(version)
  throw placement.kind === 'taken' ? refuse.objectExists() : refuse.bucketNotFound()
}
