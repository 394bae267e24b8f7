// Records of buckets, and what the project keeps in them (seed: "Bucket and object").
import type { Clock } from '../core/clock.ts'
import { type SchemaName, trusted } from '../core/names.ts'
import { type EpochMillis, epochMillis } from '../core/time.ts'
import type { SystemDb } from '../database/system-db.ts'
import type { Erased } from '../projects/lifecycle.ts'
import type { StorageUsage } from './usage.ts'

export interface Bucket {
  /** `proj_<slug>_<name>`. */
  readonly fullName: string
  readonly schemaName: SchemaName
  readonly isPublic: boolean
  /** Bytes; `undefined` means no limit. */
  readonly fileSizeLimit: number | undefined
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
}

export interface BucketDraft {
  readonly fullName: string
  readonly schemaName: SchemaName
  readonly isPublic: boolean
  readonly fileSizeLimit: number | undefined
}

export interface BucketStore extends StorageUsage {
  /** Newest first. */
  listBuckets(schemaName: SchemaName): readonly Bucket[]
  /** Gives `undefined` when the name is taken. */
  addBucket(draft: BucketDraft): Bucket | undefined
  /** Forgets every bucket and object of the project, and says how many there were. */
  eraseProject(schemaName: SchemaName): Erased
}

interface BucketRow {
  readonly id: string
  readonly schema_name: string
  readonly is_public: number
  readonly file_size_limit: number | null
  readonly created_at: number
  readonly updated_at: number
}

export function createBucketStore(db: SystemDb, { clock }: { readonly clock: Clock }): BucketStore {
  const byId = db.prepare<[string], BucketRow>('select * from buckets where id = ?')
  const ofSchema = db.prepare<[string], BucketRow>(
    'select * from buckets where schema_name = ? order by created_at desc, rowid desc',
  )
  const insert = db.prepare<[string, string, number, number | null, number, number]>(
    `insert into buckets (id, schema_name, is_public, file_size_limit, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (id) do nothing`,
  )
  const stored = db.prepare<[string], { bytes: number; objects: number }>(
    `select coalesce(sum(o.size_bytes), 0) as bytes, count(*) as objects
     from objects o join buckets b on b.id = o.bucket_id
     where b.schema_name = ?`,
  )
  const erase = db.prepare<[string]>('delete from buckets where schema_name = ?')
  return {
    listBuckets: (schemaName) => ofSchema.all(schemaName).map(bucketOf),
    addBucket: ({ fullName, schemaName, isPublic, fileSizeLimit }) => {
      const now = clock.now()
      const added = insert.run(
        fullName,
        schemaName,
        isPublic ? 1 : 0,
        fileSizeLimit ?? null,
        now,
        now,
      )
      const row = added === 0 ? undefined : byId.get(fullName)
      return row && bucketOf(row)
    },
    storedBytes: (schemaName) => stored.get(schemaName)?.bytes ?? 0,
    eraseProject: (schemaName) =>
      db.transaction(() => {
        const objectsDeleted = stored.get(schemaName)?.objects ?? 0
        return { objectsDeleted, bucketsDeleted: erase.run(schemaName) }
      }),
  }
}

function bucketOf(row: BucketRow): Bucket {
  return {
    fullName: row.id,
    schemaName: trusted.schemaName(row.schema_name),
    isPublic: row.is_public === 1,
    fileSizeLimit: row.file_size_limit ?? undefined,
    createdAt: epochMillis(row.created_at),
    updatedAt: epochMillis(row.updated_at),
  }
}
