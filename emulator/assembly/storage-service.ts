// Fills the ports of object storage with what the foundation has.
import type { StorageDeps } from '../storage/deps.ts'
import { version } from '../version.ts'
import type { Foundation } from './open-foundation.ts'

export function storageDeps(foundation: Foundation): StorageDeps {
  const { storage, stores, revokedUsers, signingKeys, clock, ids } = foundation
  return {
    buckets: storage.buckets,
    objects: storage.objects,
    listing: storage.listing,
    blobs: storage.blobs,
    pictures: storage.pictures,
    uploads: storage.uploads,
    s3: storage.s3,
    projects: stores.projects,
    standings: revokedUsers,
    signingKeys,
    clock,
    ids,
    release: version,
  }
}
