// The interfaces that object storage needs; assembly/ provides their implementations.
import type { Clock } from '../../core/clock.ts'
import type { IdSource } from '../../core/id-source.ts'
import type { SigningKeys } from '../../platform/credentials/signing-keys.ts'
import type { UserStandings } from '../../platform/credentials/standing.ts'
import type { ProjectLookup } from '../../platform/projects/project.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import type { BucketStore } from './buckets/bucket-store.ts'
import type { Pictures } from './image/pictures.ts'
import type { ObjectListing } from './listing/object-listing.ts'
import type { ObjectStore } from './objects/object-store.ts'
import type { Resumables } from './resumable/resumables.ts'
import type { MultipartStore } from './s3/multipart/multipart-store.ts'
import type { S3KeyStore } from './s3/signing/s3-key-store.ts'

/** Stores that only the S3 routes use. */
export interface S3Stores {
  readonly keys: S3KeyStore
  readonly multipart: MultipartStore
}

/** Records and files of object storage. */
export interface StorageRecords {
  readonly buckets: BucketStore
  readonly objects: ObjectStore
  readonly listing: ObjectListing
  readonly blobs: BlobStore
  readonly pictures: Pictures
  readonly uploads: Resumables
  readonly s3: S3Stores
}

export interface StorageDeps extends StorageRecords {
  readonly projects: ProjectLookup
  readonly standings: UserStandings
  readonly signingKeys: SigningKeys
  /** Platform time, for expiry and timestamps. */
  readonly clock: Clock
  readonly ids: IdSource
  /** Version of the emulator, which GET /version returns. */
  readonly release: string
}
