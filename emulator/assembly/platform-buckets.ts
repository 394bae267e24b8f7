// Fills the control plane's port for buckets with the storage service's records (docs/wire/platform.md#buckets): short names in,
// full names kept. Lives here because services never import each other.
import type {
  BucketCreation,
  PlatformBucket,
  PlatformBuckets,
} from '../control/projects/platform-buckets.ts'
import type { ProjectLookup } from '../projects/project.ts'
import {
  fullBucketName,
  isBucketName,
  problemOfOwner,
  problemOfShortName,
} from '../storage/buckets/bucket-name.ts'
import type { Bucket, BucketStore } from '../storage/buckets/bucket-store.ts'

export function createPlatformBuckets(
  store: BucketStore,
  projects: Pick<ProjectLookup, 'findProjectBySchema'>,
): PlatformBuckets {
  return {
    list: (project) => Promise.resolve(store.listBuckets(project.schemaName).map(asPlatformBucket)),
    create: (project, { shortName, isPublic, fileSizeLimit }): Promise<BucketCreation> => {
      const { schemaName } = project
      const fullName = fullBucketName(schemaName, shortName)
      const problem =
        problemOfShortName(shortName) ??
        problemOfFullName(fullName) ??
        problemOfOwner(projects, schemaName, fullName)
      if (problem !== undefined) return Promise.resolve({ kind: 'nameRefused', problem })
      const bucket = store.addBucket({
        fullName,
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

// Storage would refuse it under its full name.
function problemOfFullName(fullName: string): string | undefined {
  return isBucketName(fullName)
    ? undefined
    : `is too long: ${fullName} has more than 100 characters`
}

function asPlatformBucket({
  fullName,
  isPublic,
  fileSizeLimit,
  createdAt,
}: Bucket): PlatformBucket {
  return { fullName, isPublic, fileSizeLimit, createdAt }
}
