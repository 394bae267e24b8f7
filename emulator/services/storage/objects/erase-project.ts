// Deletes the records of a purged project, then its files (docs/wire/platform.md#purge). The deletion is safe to repeat. The
// sweep at the next start removes files that remain after a crash.
import type { SchemaName } from '../../../core/names.ts'
import type { Erased } from '../../../platform/projects/lifecycle.ts'
import type { StorageDeps } from '../deps.ts'

export async function eraseProjectStorage(
  { objects, blobs }: Pick<StorageDeps, 'objects' | 'blobs'>,
  schemaName: SchemaName,
): Promise<Erased> {
  const { versions, bucketsDeleted, objectsDeleted } = objects.eraseProject(schemaName)
  for (const version of versions) await blobs.remove(version)
  return { bucketsDeleted, objectsDeleted }
}
