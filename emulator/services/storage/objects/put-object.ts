// Stores bytes under a key, in an order that survives a crash: stage the bytes, keep the blob, commit the record, remove the
// replaced blob. Every kind of upload calls this module.
import type { IdSource } from '../../../core/id-source.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { isAllowed } from '../buckets/bucket-limits.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import { refuse } from '../errors.ts'
import { isFolderPlaceholder } from './object-key.ts'
import type { CurrentGuard, ObjectDraft, ObjectStore, StoredObject } from './object-store.ts'

/** Describes the object to store, without its bytes. */
export interface Upload extends Omit<ObjectDraft, 'bucket' | 'version' | 'sizeBytes' | 'etag'> {
  readonly bucket: Bucket
  readonly mayReplace: boolean
  /** Called with the object that the upload would replace. The guard throws to refuse the upload. */
  readonly guard?: CurrentGuard | undefined
  /** Whether nothing else uses the pieces of the bytes (`StageOptions`). */
  readonly ownsPieces?: boolean | undefined
}

interface PutDeps {
  readonly objects: ObjectStore
  readonly blobs: BlobStore
  readonly ids: IdSource
}

/**
 * Checks media type and size before the bytes arrive.
 * @param declaredBytes Content-Length, when it is the size of the object
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

/** Returns the maximum size of an object with this key, in bytes. Returns `undefined` when the size is not limited. */
export function limitOf(bucket: Bucket, objectKey: string): number | undefined {
  return isFolderPlaceholder(objectKey) ? 0 : bucket.fileSizeLimit
}

/** Refuses an existing key before the bytes arrive. @throws {StorageError} `objectExists`; what the guard throws */
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

/**
 * Stores the bytes and creates the record.
 * @throws {StorageError} `tooLarge`, `clientGone`, `diskFull`, `objectExists`, `bucketNotFound`; what the guard throws
 */
export async function putObject(
  deps: PutDeps,
  upload: Upload,
  bytes: AsyncIterable<Uint8Array>,
): Promise<StoredObject> {
  return recordObject(deps, upload, await keepBytes(deps, upload, bytes))
}

/**
 * Stores the bytes as a blob with the id `version`, without a record.
 * @throws {StorageError} `tooLarge`, `clientGone`, `diskFull`
 */
export async function keepBytes(
  { blobs, ids }: Pick<PutDeps, 'blobs' | 'ids'>,
  { bucket, objectKey, ownsPieces }: Pick<Upload, 'bucket' | 'objectKey' | 'ownsPieces'>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Pick<StoredObject, 'version' | 'sizeBytes' | 'etag'>> {
  const staged = await blobs.stage(bytes, { limitBytes: limitOf(bucket, objectKey), ownsPieces })
  const version = ids.uuid()
  await blobs.keep(staged, version)
  return { version, sizeBytes: staged.sizeBytes, etag: staged.md5 }
}

/**
 * Creates the record for a blob that is on disk. Removes the blob when that fails.
 * @throws {StorageError} `objectExists`, `bucketNotFound`
 */
export async function recordObject(
  { objects, blobs }: Pick<PutDeps, 'objects' | 'blobs'>,
  { bucket, mayReplace, guard, ownsPieces: _, ...described }: Upload,
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
