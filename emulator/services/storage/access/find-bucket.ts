// Finds the bucket that a request names. The request may have a bearer token or none.
import { isBucketName } from '../buckets/bucket-name.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse, StorageError } from '../errors.ts'
import type { StorageCall } from '../storage-call.ts'
import type { StorageActor } from './actor.ts'
import { ownsBucket } from './permissions.ts'

/** Returns the bucket if it belongs to the actor's project. @throws {StorageError} `invalidBucketName`, `bucketNotFound` */
export function requireNamedBucket(
  { buckets }: Pick<StorageDeps, 'buckets'>,
  name: string,
  actor: StorageActor,
): Bucket {
  const bucket = buckets.findBucket(name)
  if (bucket !== undefined && ownsBucket(actor, bucket)) return bucket
  if (!isBucketName(name)) throw new StorageError('invalidBucketName')
  throw refuse.bucketNotFound()
}

/**
 * Finds the bucket of a request without a bearer token, and records the project for the journal. Returns `undefined` while the
 * project is offline (docs/wire/storage.md#buckets). Requests with a bearer token don't need this, because the token check
 * refuses offline projects.
 */
export function findOnlineBucket(
  { buckets, projects }: Pick<StorageDeps, 'buckets' | 'projects'>,
  { bucket: name, env }: StorageCall,
): Bucket | undefined {
  const bucket = buckets.findBucket(name)
  if (bucket === undefined) return undefined
  env.facts.schemaName = bucket.schemaName
  return projects.findProjectBySchema(bucket.schemaName)?.state === 'active' ? bucket : undefined
}
