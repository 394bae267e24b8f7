// Lists the objects that one user uploaded, for the emulator's own tools.
import type { SchemaName } from '../../../core/names.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'
import { type ObjectRow, objectOf, type StoredObject } from './object-store.ts'

export interface OwnedObjects {
  /** The newest `limit` objects, newest first. */
  readonly objects: readonly StoredObject[]
  /** Number of all objects of the owner. */
  readonly total: number
}

/** Returns a function that lists objects of a project by the subject that uploaded them. */
export function objectsOfOwner(
  db: Pick<SystemDb, 'prepare'>,
): (schemaName: SchemaName, ownerId: string, limit: number) => OwnedObjects {
  const owned = `from objects o join buckets b on b.id = o.bucket_id
    where b.schema_name = ? and o.owner_id = ?`
  const newest = db.prepare<[string, string, number], ObjectRow>(
    `select o.* ${owned} order by o.updated_at desc limit ?`,
  )
  const count = db.prepare<[string, string], { total: number }>(`select count(*) as total ${owned}`)
  return (schemaName, ownerId, limit) => ({
    objects: newest.all(schemaName, ownerId, limit).map(objectOf),
    total: count.get(schemaName, ownerId)?.total ?? 0,
  })
}
