// What a storage token may do (docs/wire/storage.md#access). Pure; callers answer a `false` with upstream's refusal.

import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageActor } from './actor.ts'

/** Buckets of other projects do not exist. */
export function ownsBucket(actor: StorageActor, bucket: Bucket): boolean {
  return bucket.schemaName === actor.schemaName
}

/** Reading objects and the bucket's record. Anon tokens and requests without a token read public buckets only. */
export function mayRead(actor: StorageActor | undefined, bucket: Bucket): boolean {
  if (actor === undefined) return bucket.isPublic
  return ownsBucket(actor, bucket) && (actor.role === 'authenticated' || bucket.isPublic)
}

/** Uploading, replacing, moving and deleting objects. Files are not separated per user. */
export function mayWrite(actor: StorageActor, bucket: Bucket): boolean {
  return ownsBucket(actor, bucket) && actor.role === 'authenticated'
}

/** Signing URLs, which an anon token may not (docs/wire/storage.md#access). */
export function maySign(actor: StorageActor, bucket: Bucket): boolean {
  return mayWrite(actor, bucket)
}

/** Creating, changing, emptying and deleting buckets: only tokens of a service_role key. */
export function mayAdminister(actor: StorageActor): boolean {
  return actor.originRole === 'service_role'
}
