// The bucket a request without a bearer names: what a token would vouch for is looked up here instead.
import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageDeps } from '../deps.ts'
import type { StorageCall } from '../storage-call.ts'

/** `undefined` while its project is offline (docs/wire/storage.md#buckets); the journal learns whose it is. */
export function findOnlineBucket(
  { buckets, projects }: Pick<StorageDeps, 'buckets' | 'projects'>,
  { bucket: name, env }: StorageCall,
): Bucket | undefined {
  const bucket = buckets.findBucket(name)
  if (bucket === undefined) return undefined
  env.facts.schemaName = bucket.schemaName
  return projects.findProjectBySchema(bucket.schemaName)?.state === 'active' ? bucket : undefined
}
