// What each identity of an audit may do with the files of each bucket, by the platform's rules (docs/wire/storage.md#access).
import type { AuditBucket } from '../../../contract/audit.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { StorageActor } from '../../../services/storage/access/actor.ts'
import { mayAdminister, mayRead, mayWrite } from '../../../services/storage/access/permissions.ts'
import type { Bucket, BucketStore } from '../../../services/storage/buckets/bucket-store.ts'
import type { AskedIdentity } from './audit-identities.ts'

export type BucketDeps = Pick<BucketStore, 'listBuckets' | 'storedByBucket'>

type Access = AuditBucket['access'][number]

export function bucketAccess(
  store: BucketDeps,
  schemaName: SchemaName,
  asked: readonly AskedIdentity[],
): AuditBucket[] {
  const stored = new Map(store.storedByBucket().map(({ fullName, bytes }) => [fullName, bytes]))
  return store
    .listBuckets(schemaName)
    .map((bucket) => ({
      name: bucket.fullName,
      is_public: bucket.isPublic,
      bytes: stored.get(bucket.fullName) ?? 0,
      access: asked.map((identity) => accessOf(actorOf(identity, schemaName), bucket)),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

// A storage token of a service role key has the role authenticated (docs/wire/credentials.md#storage-token).
function actorOf(
  { resolved: { principal }, shown }: AskedIdentity,
  schemaName: SchemaName,
): StorageActor {
  return {
    schemaName,
    role: shown.role === 'anon' ? 'anon' : 'authenticated',
    originRole: shown.role,
    subject: String(principal.claims['sub'] ?? ''),
  }
}

function accessOf(actor: StorageActor, bucket: Bucket): Access {
  if (mayAdminister(actor)) return 'administer'
  if (mayWrite(actor, bucket)) return 'write'
  return mayRead(actor, bucket) ? 'read' : 'none'
}
