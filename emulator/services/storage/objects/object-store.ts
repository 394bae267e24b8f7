// Records of objects (docs/wire/storage.md#records). The version of a record is the id of the blob that holds its bytes. An
// upload becomes visible when its record is committed.
import type { Clock } from '../../../core/clock.ts'
import type { IdSource } from '../../../core/id-source.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../../core/time.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'
import type { Erased } from '../../../platform/projects/lifecycle.ts'
import { createCommitQueue } from './commit-queue.ts'

export interface StoredObject {
  /** UUID of the record. The id stays the same when the object is replaced. */
  readonly id: string
  /** Full name of the bucket. */
  readonly bucket: string
  readonly objectKey: string
  /** UUID of the current content, and the id of its blob. The version changes when the object is replaced. */
  readonly version: string
  /** Subject of the token or key that uploaded the object. */
  readonly ownerId: string | undefined
  readonly sizeBytes: number
  /** MD5 in hexadecimal, without quotes. S3 multipart uploads have their own format. */
  readonly etag: string
  readonly mimeType: string
  readonly cacheControl: string
  readonly userMetadata: JsonObject | undefined
  /** Value of the header X-Robots-Tag in downloads. `undefined` means `none`. */
  readonly robotsTag?: string | undefined
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
  readonly lastAccessedAt: EpochMillis
}

/** Data of a record to create. The blob of the record is already on disk. */
export type ObjectDraft = Omit<StoredObject, 'id' | 'createdAt' | 'updatedAt' | 'lastAccessedAt'>

export type Placement =
  | {
      readonly kind: 'placed'
      readonly stored: StoredObject
      /** Version of the replaced content. No record refers to its blob any more. */
      readonly replacedVersion: string | undefined
    }
  | { readonly kind: 'taken' }
  /** The bucket was deleted while the bytes arrived. */
  | { readonly kind: 'bucketGone' }

/** Result of renaming an object. */
export type Move =
  | { readonly kind: 'moved'; readonly stored: StoredObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'bucketGone' }

/**
 * A guard throws when the current object must not be replaced or removed. The store calls the guard in the transaction of the
 * change.
 */
export type CurrentGuard = (current: StoredObject | undefined) => void

export type ObjectPlace = Pick<StoredObject, 'bucket' | 'objectKey'>

export interface ObjectStore {
  findObject(bucket: string, objectKey: string): StoredObject | undefined
  /**
   * Creates the record, or replaces the one with the same key when `mayReplace` is true. Resolves when durable.
   * @throws what `guard` throws; then nothing is changed
   */
  placeObject(draft: ObjectDraft, mayReplace: boolean, guard?: CurrentGuard): Promise<Placement>
  /** Works as `placeObject`, but inside the caller's own transaction. */
  placeWithin(draft: ObjectDraft, mayReplace: boolean): Placement
  /**
   * Removes the record and returns it. Returns `undefined` when the object does not exist.
   * @throws what `guard` throws; then nothing is removed
   */
  removeObject(
    bucket: string,
    objectKey: string,
    guard?: CurrentGuard,
  ): Promise<StoredObject | undefined>
  /** Removes the records of objects and returns these records. Ignores keys that do not exist. */
  removeObjects(bucket: string, objectKeys: readonly string[]): Promise<readonly StoredObject[]>
  /** Renames an object and keeps its blob. Changes nothing when both places are equal. */
  moveObject(from: ObjectPlace, to: ObjectPlace): Promise<Move>
  holdsMoreThan(bucket: string, count: number): boolean
  /** Removes all records of a bucket and returns the versions of their blobs. */
  emptyBucket(bucket: string): readonly string[]
  /**
   * Removes the records of the project's buckets and objects. Returns the versions of the blobs, so that the caller can remove
   * the blobs.
   */
  eraseProject(schemaName: SchemaName): Erased & { readonly versions: readonly string[] }
  /** Versions of all objects. The sweep at the start keeps their blobs. */
  versions(): ReadonlySet<string>
}

export interface ObjectRow {
  readonly id: string
  readonly bucket_id: string
  readonly object_key: string
  readonly version: string
  readonly owner_id: string | null
  readonly size_bytes: number
  readonly etag: string
  readonly mime_type: string
  readonly cache_control: string
  readonly user_metadata: string | null
  readonly robots_tag: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly last_accessed_at: number
}

export function createObjectStore(
  db: SystemDb,
  { clock, ids }: { readonly clock: Clock; readonly ids: IdSource },
): ObjectStore {
  const queries = prepareQueries(db)
  const commit = createCommitQueue(db)
  const findObject = (bucket: string, objectKey: string): StoredObject | undefined => {
    const row = queries.byKey.get(bucket, objectKey)
    return row && objectOf(row)
  }
  function place(draft: ObjectDraft, mayReplace: boolean): Placement {
    if (queries.bucketExists.get(draft.bucket) === undefined) return { kind: 'bucketGone' }
    const former = findObject(draft.bucket, draft.objectKey)
    if (former !== undefined && !mayReplace) return { kind: 'taken' }
    const now = clock.now()
    const stored: StoredObject = {
      ...draft,
      id: former?.id ?? ids.uuid(),
      createdAt: former?.createdAt ?? now,
      updatedAt: now,
      lastAccessedAt: now,
    }
    queries.upsert.run(...valuesOf(stored))
    return { kind: 'placed', stored, replacedVersion: former?.version }
  }
  function remove(bucket: string, objectKey: string): StoredObject | undefined {
    const row = queries.remove.get(bucket, objectKey)
    return row && objectOf(row)
  }
  function move(from: ObjectPlace, to: ObjectPlace): Move {
    const stored = findObject(from.bucket, from.objectKey)
    if (stored === undefined) return { kind: 'absent' }
    if (from.bucket === to.bucket && from.objectKey === to.objectKey)
      return { kind: 'moved', stored }
    if (findObject(to.bucket, to.objectKey) !== undefined) return { kind: 'taken' }
    if (queries.bucketExists.get(to.bucket) === undefined) return { kind: 'bucketGone' }
    const moved = { ...stored, ...to, updatedAt: clock.now() }
    queries.move.run(moved.bucket, moved.objectKey, moved.updatedAt, moved.id)
    return { kind: 'moved', stored: moved }
  }
  return {
    findObject,
    placeObject: (draft, mayReplace, guard) =>
      commit(() => {
        guard?.(findObject(draft.bucket, draft.objectKey))
        return place(draft, mayReplace)
      }),
    placeWithin: place,
    removeObject: (bucket, objectKey, guard) =>
      commit(() => {
        guard?.(findObject(bucket, objectKey))
        return remove(bucket, objectKey)
      }),
    removeObjects: (bucket, objectKeys) =>
      commit(() =>
        objectKeys
          .map((objectKey) => remove(bucket, objectKey))
          .filter((removed) => removed !== undefined),
      ),
    moveObject: (from, to) => commit(() => move(from, to)),
    holdsMoreThan: (bucket, count) => queries.beyond.get(bucket, count) !== undefined,
    emptyBucket: (bucket) => queries.empty.all(bucket).map(({ version }) => version),
    eraseProject: (schemaName) =>
      db.transaction(() => {
        const versions = queries.versionsOf.all(schemaName).map(({ version }) => version)
        const bucketsDeleted = queries.eraseBuckets.run(schemaName)
        return { versions, objectsDeleted: versions.length, bucketsDeleted }
      }),
    versions: () => new Set(queries.versions.all().map(({ version }) => version)),
  }
}

/** Reads a row of `select * from objects`. */
export function objectOf(row: ObjectRow): StoredObject {
  return {
    id: row.id,
    bucket: row.bucket_id,
    objectKey: row.object_key,
    version: row.version,
    ownerId: row.owner_id ?? undefined,
    sizeBytes: row.size_bytes,
    etag: row.etag,
    mimeType: row.mime_type,
    cacheControl: row.cache_control,
    userMetadata: metadataOf(row.user_metadata),
    robotsTag: row.robots_tag ?? undefined,
    createdAt: epochMillis(row.created_at),
    updatedAt: epochMillis(row.updated_at),
    lastAccessedAt: epochMillis(row.last_accessed_at),
  }
}

/** Reads the column `user_metadata`. */
export function metadataOf(text: string | null): JsonObject | undefined {
  const value = text === null ? undefined : parseJson(text)
  return isJsonObject(value) ? value : undefined
}

/** Values of a row, in the order of the table's columns. */
type ObjectValues = readonly ObjectRow[keyof ObjectRow][]

function valuesOf(stored: StoredObject): ObjectValues {
  return [
    stored.id,
    stored.bucket,
    stored.objectKey,
    stored.version,
    stored.ownerId ?? null,
    stored.sizeBytes,
    stored.etag,
    stored.mimeType,
    stored.cacheControl,
    stored.userMetadata === undefined ? null : JSON.stringify(stored.userMetadata),
    stored.robotsTag ?? null,
    stored.createdAt,
    stored.updatedAt,
    stored.lastAccessedAt,
  ]
}

function prepareQueries(db: SystemDb) {
  return {
    byKey: db.prepare<[string, string], ObjectRow>(
      'select * from objects where bucket_id = ? and object_key = ?',
    ),
    versions: db.prepare<[], { version: string }>('select version from objects'),
    bucketExists: db.prepare<[string], { one: number }>(
      'select 1 as one from buckets where id = ?',
    ),
    upsert: db.prepare<ObjectValues>(
      `insert into objects
         (id, bucket_id, object_key, version, owner_id, size_bytes, etag, mime_type, cache_control,
          user_metadata, robots_tag, created_at, updated_at, last_accessed_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (bucket_id, object_key) do update set
         version = excluded.version, owner_id = excluded.owner_id, size_bytes = excluded.size_bytes,
         etag = excluded.etag, mime_type = excluded.mime_type, cache_control = excluded.cache_control,
         user_metadata = excluded.user_metadata, robots_tag = excluded.robots_tag, updated_at = excluded.updated_at,
         last_accessed_at = excluded.last_accessed_at`,
    ),
    remove: db.prepare<[string, string], ObjectRow>(
      'delete from objects where bucket_id = ? and object_key = ? returning *',
    ),
    move: db.prepare<[string, string, number, string]>(
      'update objects set bucket_id = ?, object_key = ?, updated_at = ? where id = ?',
    ),
    beyond: db.prepare<[string, number], { one: number }>(
      'select 1 as one from objects where bucket_id = ? limit 1 offset ?',
    ),
    empty: db.prepare<[string], { version: string }>(
      'delete from objects where bucket_id = ? returning version',
    ),
    versionsOf: db.prepare<[string], { version: string }>(
      `select o.version from objects o join buckets b on b.id = o.bucket_id where b.schema_name = ?`,
    ),
    eraseBuckets: db.prepare<[string]>('delete from buckets where schema_name = ?'),
  }
}
