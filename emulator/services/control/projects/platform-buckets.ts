// The interface through which the platform's routes manage buckets. Object storage implements it
// (docs/wire/platform.md#buckets).
import type { EpochMillis } from '../../../core/time.ts'
import type { Project } from '../../../platform/projects/project.ts'

export interface PlatformBucket {
  /** `proj_<slug>_<name>`. */
  readonly fullName: string
  readonly isPublic: boolean
  /** Maximum bytes of a file; `undefined` when files may have any size. */
  readonly fileSizeLimit: number | undefined
  readonly createdAt: EpochMillis
}

interface PlatformBucketDraft {
  /** The short name, as the caller gave it. */
  readonly shortName: string
  readonly isPublic: boolean
  readonly fileSizeLimit: number
}

export type BucketCreation =
  | { readonly kind: 'created'; readonly bucket: PlatformBucket }
  | { readonly kind: 'nameTaken' }
  | { readonly kind: 'nameRefused'; readonly problem: string }

export interface PlatformBuckets {
  list(project: Project): Promise<readonly PlatformBucket[]>
  create(project: Project, draft: PlatformBucketDraft): Promise<BucketCreation>
}
