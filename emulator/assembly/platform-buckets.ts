// Fills the control plane's port for buckets with the storage service's records (contract.md §4, §7): short names in,
// full names kept. Lives here because services never import each other.
import type {
  BucketCreation,
  PlatformBucket,
  PlatformBuckets,
} from '../control/platform-buckets.ts'
import { fullBucketName, problemOfShortName } from '../storage/bucket-name.ts'
import type { Bucket, BucketStore } from '../storage/bucket-store.ts'

export function createPlatformBuckets(store: BucketStore): PlatformBuckets {
  return {
    list: (project) => Promise.resolve(store.listBuckets(project.schemaName).map(asPlatformBucket)),
    create: (project, { shortName, isPublic, fileSizeLimit }): Promise<BucketCreation> => {
      const problem = problemOfShortName(shortName)
      if (problem !== undefined) return Promise.resolve({ kind: 'nameRefused', problem })
      const { schemaName } = project
      const bucket = store.addBucket({
        fullName: fullBucketName(schemaName, shortName),
        schemaName,
        isPublic,
        fileSizeLimit,
      })
      return Promise.resolve(
        bucket === undefined
          ? { kind: 'nameTaken' }
          : { kind: 'created', bucket: asPlatformBucket(bucket) },
      )
    },
  }
}

function asPlatformBucket({
  fullName,
  isPublic,
  fileSizeLimit,
  createdAt,
}: Bucket): PlatformBucket {
  return { fullName, isPublic, fileSizeLimit, createdAt }
}
