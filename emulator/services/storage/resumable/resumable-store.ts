// Records of resumable uploads: the current offset, and the object that will be created (docs/wire/storage.md#tus). The records
// survive a restart. The bytes of the uploads are in part files.
import type { JsonObject } from '../../../core/json.ts'
import { isJsonObject, parseJson } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../../core/time.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'

export interface ResumableUpload {
  /** UUID that names the part file and becomes the version of the finished object. */
  readonly version: string
  /** Full name of the bucket. */
  readonly bucket: string
  readonly objectKey: string
  readonly ownerId: string | undefined
  readonly mayReplace: boolean
  /** Size of the whole upload; `undefined` until the client sends it. */
  readonly lengthBytes: number | undefined
  /** Number of bytes that are durably stored. */
  readonly offsetBytes: number
  /** The decoded header Upload-Metadata, in which a key without a value maps to null. */
  readonly metadata: JsonObject
  /**
   * True when the object was created. A finished upload's record stays until it expires, so that the server can answer repeated
   * requests.
   */
  readonly isFinished: boolean
  readonly expiresAt: EpochMillis
}

export interface ResumableStore {
  findUpload(version: string): ResumableUpload | undefined
  addUpload(upload: Omit<ResumableUpload, 'offsetBytes' | 'isFinished'>): void
  /** Returns false when the upload was removed in the meantime. */
  setOffset(version: string, offsetBytes: number): boolean
  setLength(version: string, lengthBytes: number): void
  markFinished(version: string): void
  removeUpload(version: string): void
  /** Removes expired records and returns their versions. */
  takeExpired(now: EpochMillis): readonly string[]
  /** Returns when the next upload expires, or `undefined` when no upload exists. */
  nextExpiry(): EpochMillis | undefined
  /** Versions of all unfinished uploads. */
  unfinished(): readonly string[]
  /** Versions of the uploads in a project's buckets. */
  versionsOf(schemaName: SchemaName): readonly string[]
}

/** An upload that is under way, with its project. */
export interface UnfinishedUpload
  extends Pick<ResumableUpload, 'bucket' | 'objectKey' | 'expiresAt'> {
  readonly schemaName: string
}

/** Returns a function that lists unfinished uploads of all projects, soonest expiry first. */
export function unfinishedUploads(
  db: Pick<SystemDb, 'prepare'>,
): (limit: number) => readonly UnfinishedUpload[] {
  const query = db.prepare<
    [number],
    Pick<UploadRow, 'bucket_id' | 'object_key' | 'expires_at'> & { readonly schema_name: string }
  >(
    `select b.schema_name, u.bucket_id, u.object_key, u.expires_at
     from resumable_uploads u join buckets b on b.id = u.bucket_id
     where u.is_finished = 0 order by u.expires_at limit ?`,
  )
  return (limit) =>
    query.all(limit).map(({ bucket_id, expires_at, object_key, schema_name }) => ({
      schemaName: schema_name,
      bucket: bucket_id,
      objectKey: object_key,
      expiresAt: epochMillis(expires_at),
    }))
}

interface UploadRow {
  readonly version: string
  readonly bucket_id: string
  readonly object_key: string
  readonly owner_id: string | null
  readonly may_replace: number
  readonly length_bytes: number | null
  readonly offset_bytes: number
  readonly metadata: string
  readonly is_finished: number
  readonly expires_at: number
}

export function createResumableStore(db: SystemDb): ResumableStore {
  const queries = prepareQueries(db)
  return {
    findUpload: (version) => {
      const row = queries.byVersion.get(version)
      return row && uploadOf(row)
    },
    addUpload: (upload) => {
      queries.insert.run(
        upload.version,
        upload.bucket,
        upload.objectKey,
        upload.ownerId ?? null,
        upload.mayReplace ? 1 : 0,
        upload.lengthBytes ?? null,
        JSON.stringify(upload.metadata),
        upload.expiresAt,
      )
    },
    setOffset: (version, offsetBytes) => queries.setOffset.run(offsetBytes, version) > 0,
    setLength: (version, lengthBytes) => queries.setLength.run(lengthBytes, version),
    markFinished: (version) => queries.markFinished.run(version),
    removeUpload: (version) => queries.remove.run(version),
    takeExpired: (now) => queries.takeExpired.all(now).map(({ version }) => version),
    nextExpiry: () => {
      const instant = queries.nextExpiry.get()?.instant ?? undefined
      return instant === undefined ? undefined : epochMillis(instant)
    },
    unfinished: () => queries.unfinished.all().map(({ version }) => version),
    versionsOf: (schemaName) => queries.versionsOf.all(schemaName).map(({ version }) => version),
  }
}

function prepareQueries(db: SystemDb) {
  return {
    byVersion: db.prepare<[string], UploadRow>('select * from resumable_uploads where version = ?'),
    insert: db.prepare<
      [string, string, string, string | null, number, number | null, string, number]
    >(
      `insert into resumable_uploads
         (version, bucket_id, object_key, owner_id, may_replace, length_bytes, metadata, expires_at,
          offset_bytes, is_finished)
       values (?, ?, ?, ?, ?, ?, ?, ?, 0, 0)`,
    ),
    setOffset: db.prepare<[number, string]>(
      'update resumable_uploads set offset_bytes = ? where version = ?',
    ),
    setLength: db.prepare<[number, string]>(
      'update resumable_uploads set length_bytes = ? where version = ?',
    ),
    markFinished: db.prepare<[string]>(
      'update resumable_uploads set is_finished = 1 where version = ?',
    ),
    remove: db.prepare<[string]>('delete from resumable_uploads where version = ?'),
    takeExpired: db.prepare<[number], { version: string }>(
      'delete from resumable_uploads where expires_at <= ? returning version',
    ),
    nextExpiry: db.prepare<[], { instant: number | null }>(
      'select min(expires_at) as instant from resumable_uploads',
    ),
    unfinished: db.prepare<[], { version: string }>(
      'select version from resumable_uploads where is_finished = 0',
    ),
    versionsOf: db.prepare<[string], { version: string }>(
      `select u.version from resumable_uploads u join buckets b on b.id = u.bucket_id
       where b.schema_name = ?`,
    ),
  }
}

function uploadOf(row: UploadRow): ResumableUpload {
  const metadata = parseJson(row.metadata)
  return {
    version: row.version,
    bucket: row.bucket_id,
    objectKey: row.object_key,
    ownerId: row.owner_id ?? undefined,
    mayReplace: row.may_replace === 1,
    lengthBytes: row.length_bytes ?? undefined,
    offsetBytes: row.offset_bytes,
    metadata: isJsonObject(metadata) ? metadata : {},
    isFinished: row.is_finished === 1,
    expiresAt: epochMillis(row.expires_at),
  }
}
