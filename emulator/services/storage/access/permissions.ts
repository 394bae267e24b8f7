// Decides what a storage token allows (docs/wire/storage.md#access). Each function returns a boolean; its caller throws
// upstream's error.

import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageActor } from './actor.ts'

/** Storage treats buckets of other projects as if they did not exist. */
export function ownsBucket(actor: StorageActor, bucket: Bucket): boolean {
  return bucket.schemaName === actor.schemaName
}

/** Allows reading objects and the bucket's record. Anon tokens, and requests without a token, can read public buckets only. */
export function mayRead(actor: StorageActor | undefined, bucket: Bucket): boolean {
  if (actor === undefined) return bucket.isPublic
  return ownsBucket(actor, bucket) && (actor.role === 'authenticated' || bucket.isPublic)
}

/** Allows uploading, replacing, moving and deleting objects. Users of a project share all files. */
export function mayWrite(actor: StorageActor, bucket: Bucket): boolean {
  return ownsBucket(actor, bucket) && actor.role === 'authenticated'
}

/** Allows signing URLs. Anon tokens cannot sign (docs/wire/storage.md#access). */
export function maySign(actor: StorageActor, bucket: Bucket): boolean {
  return mayWrite(actor, bucket)
}

/** Allows creating, changing, emptying and deleting buckets. Requires a token that was exchanged for a service_role key. */
export function mayAdminister(actor: StorageActor): boolean {
  return actor.originRole === 'service_role'
}
