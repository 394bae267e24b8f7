// What a storage token may do (docs/wire/storage.md#access). Pure; callers turn a no into the refusal
// that hides as much as upstream's.

import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageActor } from './actor.ts'

/** Buckets of other projects do not exist. */
export function ownsBucket(actor: StorageActor, bucket: Bucket): boolean {
  return bucket.schemaName === actor.schemaName
}

/** Reading objects and the bucket's own record: anon from public buckets only; nobody at all likewise. */
export function mayRead(actor: StorageActor | undefined, bucket: Bucket): boolean {
  if (actor === undefined) return bucket.isPublic
  return ownsBucket(actor, bucket) && (actor.role === 'authenticated' || bucket.isPublic)
}

/** Uploading, replacing, moving and deleting objects. Files are not separated per user. */
export function mayWrite(actor: StorageActor, bucket: Bucket): boolean {
  return ownsBucket(actor, bucket) && actor.role === 'authenticated'
}

/** Signing URLs; docs/wire/storage.md#access has none for an anon token. */
export function maySign(actor: StorageActor, bucket: Bucket): boolean {
  return mayWrite(actor, bucket)
}

/** Creating, changing, emptying and deleting buckets: the server side alone. */
export function mayAdminister(actor: StorageActor): boolean {
  return actor.originRole === 'service_role'
}
