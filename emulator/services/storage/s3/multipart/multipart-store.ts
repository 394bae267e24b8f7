// Records of S3 multipart uploads. The bytes of each part are a separate blob with the id `fileId` until the upload is completed.
import type { Clock } from '../../../../core/clock.ts'
import type { SchemaName } from '../../../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../../../core/time.ts'
import type { SystemDb } from '../../../../database/system-db/system-db.ts'
import { metadataOf, type ObjectRow, type StoredObject } from '../../objects/object-store.ts'

type Described = 'bucket' | 'objectKey' | 'mimeType' | 'cacheControl' | 'userMetadata' | 'createdAt'

export interface MultipartUpload extends Pick<StoredObject, Described> {
  readonly id: string
  readonly ownerId: string
}

export interface UploadedPart {
  readonly partNumber: number
  readonly fileId: string
  readonly sizeBytes: number
  readonly md5: string
  readonly createdAt: EpochMillis
}

export interface MultipartStore {
  begin(upload: Omit<MultipartUpload, 'createdAt'>): void
  find(id: string): MultipartUpload | undefined
  /** Lists the unfinished uploads of a bucket, sorted by key. */
  list(bucket: string): readonly MultipartUpload[]
  /**
   * Adds or replaces a part. Returns the `fileId` of the replaced part, or `gone` when the upload has ended in the meantime.
   */
  putPart(
    id: string,
    part: Omit<UploadedPart, 'createdAt'>,
  ): { readonly replacedFileId: string | undefined } | 'gone'
  /** Lists the parts of an upload, sorted by part number. */
  parts(id: string): readonly UploadedPart[]
  /**
   * Deletes the records of an upload and its parts. Returns the blob ids of the parts, so that the caller can remove the blobs.
   */
  end(id: string): readonly string[]
  /** Blob ids of all parts. The sweep at the start keeps these blobs. */
  fileIds(): ReadonlySet<string>
  fileIdsOf(schemaName: SchemaName): readonly string[]
}

interface UploadRow
  extends Omit<
    ObjectRow,
    'version' | 'size_bytes' | 'etag' | 'robots_tag' | 'updated_at' | 'last_accessed_at'
  > {
  readonly owner_id: string
}

interface PartRow {
  readonly part_number: number
  readonly file_id: string
  readonly size_bytes: number
  readonly md5: string
  readonly created_at: number
}

export function createMultipartStore(
  db: SystemDb,
  { clock }: { readonly clock: Clock },
): MultipartStore {
  const queries = prepareQueries(db)
  const find = (id: string): MultipartUpload | undefined => {
    const row = queries.byId.get(id)
    return row && uploadOf(row)
  }
  const parts = (id: string) => queries.parts.all(id).map(partOf)
  return {
    begin: (upload) => {
      queries.insert.run(
        upload.id,
        upload.bucket,
        upload.objectKey,
        upload.ownerId,
        upload.mimeType,
        upload.cacheControl,
        upload.userMetadata === undefined ? null : JSON.stringify(upload.userMetadata),
        clock.now(),
      )
    },
    find,
    list: (bucket) => queries.ofBucket.all(bucket).map(uploadOf),
    putPart: (id, { partNumber, fileId, sizeBytes, md5 }) =>
      db.transaction(() => {
        if (find(id) === undefined) return 'gone'
        const replacedFileId = queries.part.get(id, partNumber)?.file_id
        queries.putPart.run(id, partNumber, fileId, sizeBytes, md5, clock.now())
        return { replacedFileId }
      }),
    parts,
    end: (id) =>
      db.transaction(() => {
        const files = parts(id).map(({ fileId }) => fileId)
        queries.remove.run(id)
        return files
      }),
    fileIds: () => new Set(queries.files.all().map((row) => row.file_id)),
    fileIdsOf: (schemaName) => queries.filesOf.all(schemaName).map((row) => row.file_id),
  }
}

function prepareQueries(db: SystemDb) {
  return {
    byId: db.prepare<[string], UploadRow>('select * from s3_uploads where id = ?'),
    ofBucket: db.prepare<[string], UploadRow>(
      'select * from s3_uploads where bucket_id = ? order by object_key, created_at, id',
    ),
    insert: db.prepare<[string, string, string, string, string, string, string | null, number]>(
      `insert into s3_uploads
         (id, bucket_id, object_key, owner_id, mime_type, cache_control, user_metadata, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    remove: db.prepare<[string]>('delete from s3_uploads where id = ?'),
    part: db.prepare<[string, number], PartRow>(
      'select * from s3_parts where upload_id = ? and part_number = ?',
    ),
    parts: db.prepare<[string], PartRow>(
      'select * from s3_parts where upload_id = ? order by part_number',
    ),
    putPart: db.prepare<[string, number, string, number, string, number]>(
      `insert or replace into s3_parts
         (upload_id, part_number, file_id, size_bytes, md5, created_at) values (?, ?, ?, ?, ?, ?)`,
    ),
    files: db.prepare<[], { file_id: string }>('select file_id from s3_parts'),
    filesOf: db.prepare<[string], { file_id: string }>(
      `select p.file_id from s3_parts p join s3_uploads u on u.id = p.upload_id
       join buckets b on b.id = u.bucket_id where b.schema_name = ?`,
    ),
  }
}

function uploadOf(row: UploadRow): MultipartUpload {
  return {
    id: row.id,
    bucket: row.bucket_id,
    objectKey: row.object_key,
    ownerId: row.owner_id,
    mimeType: row.mime_type,
    cacheControl: row.cache_control,
    userMetadata: metadataOf(row.user_metadata),
    createdAt: epochMillis(row.created_at),
  }
}

function partOf(row: PartRow): UploadedPart {
  return {
    partNumber: row.part_number,
    fileId: row.file_id,
    sizeBytes: row.size_bytes,
    md5: row.md5,
    createdAt: epochMillis(row.created_at),
  }
}
