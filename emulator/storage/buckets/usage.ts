// How much a project keeps in storage: what the free plan's quota is measured against (docs/wire/limits.md#storage).
import type { SchemaName } from '../../core/names.ts'

export interface StorageUsage {
  /** Bytes of all objects in all buckets of the project. */
  storedBytes(schemaName: SchemaName): number
}
