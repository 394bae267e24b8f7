// Records of buckets (docs/wire/storage.md#buckets).
import type { Clock } from '../../../core/clock.ts'
import { type SchemaName, trusted } from '../../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../../core/time.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'

export interface Bucket {
  /** Full name: `proj_<slug>_<name>`. */
  readonly fullName: string
  readonly schemaName: SchemaName
  readonly isPublic: boolean
  /** Maximum size of an object in bytes; `undefined` means no limit. */
  readonly fileSizeLimit: number | undefined
  /** Allowed media types in the caller's spelling; `undefined` allows every type. */
  readonly allowedMimeTypes: readonly string[] | undefined
  /** Subject that created the bucket. `undefined` for buckets that the platform's own routes created. */
  readonly ownerId: string | undefined
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
}

export type BucketDraft = Pick<Bucket, 'fullName' | 'schemaName' | 'isPublic' | 'fileSizeLimit'> &
  Partial<Pick<Bucket, 'allowedMimeTypes' | 'ownerId'>>

/** Changes to a bucket. An absent member stays unchanged. `null` removes a limit. */
export interface BucketChanges {
  readonly isPublic?: boolean | undefined
  readonly fileSizeLimit?: number | null | undefined
  readonly allowedMimeTypes?: readonly string[] | null | undefined
}

export interface BucketStore extends StorageUsage {
  /** Lists the records from newest to oldest. */
  listBuckets(schemaName: SchemaName): readonly Bucket[]
  /** Finds a bucket of any project. Callers must check the bucket's `schemaName`. */
  findBucket(fullName: string): Bucket | undefined
  /** Adds a bucket. Returns `undefined` when the name is taken. */
  addBucket(draft: BucketDraft): Bucket | undefined
  changeBucket(bucket: Bucket, changes: BucketChanges): void
  /** Removes an empty bucket. Returns false, and removes nothing, when the bucket has objects. */
  removeBucket(bucket: Bucket): boolean
  /** Lists what the buckets of all projects store. */
  storedByBucket(): readonly StoredInBucket[]
}

interface BucketRow {
  readonly id: string
  readonly schema_name: string
  readonly is_public: number
  readonly file_size_limit: number | null
  readonly allowed_mime_types: string | null
  readonly owner_id: string | null
  readonly created_at: number
  readonly updated_at: number
}

export function createBucketStore(db: SystemDb, { clock }: { readonly clock: Clock }): BucketStore {
  const queries = prepareQueries(db)
  const findBucket = (fullName: string): Bucket | undefined => {
    const row = queries.byId.get(fullName)
    return row && bucketOf(row)
  }
  return {
    findBucket,
    listBuckets: (schemaName) => queries.ofSchema.all(schemaName).map(bucketOf),
    addBucket: (draft) => {
      const now = clock.now()
      const added = queries.insert.run(
        draft.fullName,
        draft.schemaName,
        draft.isPublic ? 1 : 0,
        draft.fileSizeLimit ?? null,
        encodeTypes(draft.allowedMimeTypes),
        draft.ownerId ?? null,
        now,
        now,
      )
      return added === 0 ? undefined : findBucket(draft.fullName)
    },
    changeBucket: (bucket, changes) => {
      const { isPublic = bucket.isPublic } = changes
      const { fileSizeLimit = bucket.fileSizeLimit } = changes
      const { allowedMimeTypes = bucket.allowedMimeTypes } = changes
      queries.change.run(
        isPublic ? 1 : 0,
        fileSizeLimit ?? null,
        encodeTypes(allowedMimeTypes),
        clock.now(),
        bucket.fullName,
      )
    },
    removeBucket: ({ fullName }) => queries.remove.run(fullName, fullName) > 0,
    storedBytes: (schemaName) => queries.stored.get(schemaName)?.bytes ?? 0,
    storedByBucket: () =>
      queries.storedByBucket.all().map(({ id, schema_name, bytes, objects }) => ({
        fullName: id,
        schemaName: trusted.schemaName(schema_name),
        bytes,
        objects,
      })),
  }
}

function prepareQueries(db: SystemDb) {
  return {
    byId: db.prepare<[string], BucketRow>('select * from buckets where id = ?'),
    ofSchema: db.prepare<[string], BucketRow>(
      'select * from buckets where schema_name = ? order by created_at desc, rowid desc',
    ),
    insert: db.prepare<
      [string, string, number, number | null, string | null, string | null, number, number]
    >(
      `insert into buckets
         (id, schema_name, is_public, file_size_limit, allowed_mime_types, owner_id, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (id) do nothing`,
    ),
    change: db.prepare<[number, number | null, string | null, number, string]>(
      `update buckets
       set is_public = ?, file_size_limit = ?, allowed_mime_types = ?, updated_at = ?
       where id = ?`,
    ),
    remove: db.prepare<[string, string]>(
      'delete from buckets where id = ? and not exists (select 1 from objects where bucket_id = ?)',
    ),
    stored: db.prepare<[string], { bytes: number }>(
      `select coalesce(sum(o.size_bytes), 0) as bytes
       from objects o join buckets b on b.id = o.bucket_id
       where b.schema_name = ?`,
    ),
    storedByBucket: db.prepare<
      [],
      { id: string; schema_name: string; bytes: number; objects: number }
    >(
      `select b.id, b.schema_name, coalesce(sum(o.size_bytes), 0) as bytes, count(o.id) as objects
       from buckets b left join objects o on o.bucket_id = b.id
       group by b.id`,
    ),
  }
}

function encodeTypes(types: readonly string[] | null | undefined): string | null {
  return types === null || types === undefined ? null : JSON.stringify(types)
}

function bucketOf(row: BucketRow): Bucket {
  return {
    fullName: row.id,
    schemaName: trusted.schemaName(row.schema_name),
    isPublic: row.is_public === 1,
    fileSizeLimit: row.file_size_limit ?? undefined,
    allowedMimeTypes:
      row.allowed_mime_types === null
        ? undefined
        : (JSON.parse(row.allowed_mime_types) as readonly string[]),
    ownerId: row.owner_id ?? undefined,
    createdAt: epochMillis(row.created_at),
    updatedAt: epochMillis(row.updated_at),
  }
}

/** What one bucket stores. */
export interface StoredInBucket {
  readonly fullName: string
  readonly schemaName: SchemaName
  readonly bytes: number
  readonly objects: number
}

/** Usage that counts toward the free plan's quota (docs/wire/limits.md#storage). */
export interface StorageUsage {
  /** Total bytes of all objects in the project's buckets. */
  storedBytes(schemaName: SchemaName): number
}
