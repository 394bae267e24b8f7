// How much a project keeps in storage: what the free plan's quota is measured against (docs/wire/limits.md#storage).
import type { SchemaName } from '../../core/names.ts'

/** 1 GB over all buckets of the project (docs/wire/limits.md#storage). */
export const FREE_PLAN_STORAGE_BYTES = 1024 ** 3

export interface StorageUsage {
  /** Bytes of all objects in all buckets of the project. */
  storedBytes(schemaName: SchemaName): number
}
