// All routes of storage, and the error codes that any of them can return (docs/wire/storage.md#errors). Each protocol has its
// own table: storage's JSON, TUS and S3. app.ts mounts the tables, and fault injection reads them.
import type { StorageErrorCode } from './refusals.ts'
import { BUCKET_ROUTES } from './routes/buckets.ts'
import { CACHE_ROUTES } from './routes/cache.ts'
import { LIST_ROUTES } from './routes/lists.ts'
import { MOVING_ROUTES } from './routes/moving.ts'
import { OBJECT_ROUTES } from './routes/objects.ts'
import { PICTURE_ROUTES } from './routes/pictures.ts'
import { READING_ROUTES } from './routes/reading.ts'
import type { StorageRoutes } from './routes/route-table.ts'
import { SIGNED_UPLOAD_ROUTES } from './routes/signed-upload.ts'
import { SIGNING_ROUTES } from './routes/signing.ts'
import type { S3ErrorCode } from './s3/s3-refusals.ts'
import { S3_REFUSALS } from './s3/s3-refusals.ts'

export { RESUMABLE_ROUTES } from './routes/resumable.ts'
export { S3_ROUTES } from './routes/s3.ts'

export const STORAGE_ROUTES: StorageRoutes = {
  ...BUCKET_ROUTES,
  ...OBJECT_ROUTES,
  ...READING_ROUTES,
  ...LIST_ROUTES,
  ...MOVING_ROUTES,
  ...SIGNING_ROUTES,
  ...SIGNED_UPLOAD_ROUTES,
  ...PICTURE_ROUTES,
  ...CACHE_ROUTES,
}

const BEARER_CODES: readonly StorageErrorCode[] = ['badBearer', 'revokedBearer', 'directKey']

/** Codes that every route can return, in addition to its own list. */
export const STORAGE_ROUTE_CODES: readonly StorageErrorCode[] = [
  ...BEARER_CODES,
  'invalidRequest',
  'routeNotFound',
  'overloaded',
  'internal',
  'unavailable',
]
export const RESUMABLE_ROUTE_CODES: readonly StorageErrorCode[] = [
  ...BEARER_CODES,
  'invalidRequest',
  'overloaded',
  'internal',
]
export const S3_ROUTE_CODES: readonly (S3ErrorCode | StorageErrorCode)[] = [
  ...(Object.keys(S3_REFUSALS) as S3ErrorCode[]),
  'objectNotFound',
  'bucketNotFound',
  'invalidRange',
  'overloaded',
  'internal',
]
