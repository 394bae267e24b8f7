// The bucket a path or a body names, as routes that write ask for it.

import { isBucketName } from '../buckets/bucket-name.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageDeps } from '../deps.ts'
import { refuse, StorageError } from '../errors.ts'
import type { StorageActor } from './actor.ts'
import { ownsBucket } from './permissions.ts'

/** The bucket, when it is the actor's project's. @throws {StorageError} `invalidBucketName`, `bucketNotFound` */
export function requireNamedBucket(
  { buckets }: Pick<StorageDeps, 'buckets'>,
  name: string,
  actor: StorageActor,
): Bucket {
  const bucket = buckets.findBucket(name)
  if (bucket !== undefined && ownsBucket(actor, bucket)) return bucket
  if (!isBucketName(name)) throw new StorageError('invalidBucketName', 'Bucket name invalid')
  throw refuse.bucketNotFound()
}
