// Shows the storage that projects and their buckets use (contract/storage.ts).
import type { Hono } from 'hono'
import { type ProjectUsage, STORAGE_OPERATIONS } from '../../contract/storage.ts'
import type { Project } from '../../platform/projects/project.ts'
import { FREE_PLAN_STORAGE_BYTES } from '../../platform/projects/quotas.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import type { BucketStore, StoredInBucket } from '../../services/storage/buckets/bucket-store.ts'
import { type Bindings, mount } from '../api-kit/mount.ts'

export interface StorageUsageDeps {
  readonly projects: Pick<ProjectRegistry, 'listInState'>
  readonly buckets: Pick<BucketStore, 'storedByBucket'>
}

export function mountStorageUsage(
  app: Hono<Bindings>,
  { projects, buckets }: StorageUsageDeps,
): void {
  mount(app, STORAGE_OPERATIONS, {
    'GET /storage': () => {
      const stored = Map.groupBy(buckets.storedByBucket(), ({ schemaName }) => schemaName)
      const usages = projects
        .listInState('active')
        .map((project) => usageOf(project, stored.get(project.schemaName) ?? []))
      return { projects: usages.toSorted((one, other) => other.bytes - one.bytes) }
    },
  })
}

function usageOf(
  { kind, planTier, slug }: Project,
  stored: readonly StoredInBucket[],
): ProjectUsage {
  return {
    slug,
    kind,
    bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0),
    limit_bytes: planTier === 'free' ? FREE_PLAN_STORAGE_BYTES : null,
    buckets: stored
      .map(({ bytes, fullName, objects }) => ({ bucket: fullName, bytes, objects }))
      .toSorted((one, other) => other.bytes - one.bytes),
  }
}
