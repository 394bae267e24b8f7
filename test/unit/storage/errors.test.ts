import { expect, it } from 'vitest'
import {
  renderStorageError,
  renderStorageInternal,
  StorageError,
  type StorageErrorCode,
} from '../../../emulator/services/storage/errors.ts'

// Every situation of docs/wire/storage.md#errors, also those that hardly come about: `<HTTP> <statusCode> <error> <code>`. The seed
// has the last word on three of them: rowRefused, directKey, roleRefused.
const ROWS: Readonly<Record<StorageErrorCode, string>> = {
  objectNotFound: '400 404 not_found NoSuchKey',
  bytesMissing: '400 404 Not found NoSuchKey',
  bucketNotFound: '400 404 Bucket not found NoSuchBucket',
  objectExists: '400 409 Duplicate KeyAlreadyExists',
  bucketExists: '400 409 Duplicate BucketAlreadyExists',
  resourceExists: '400 409 Duplicate ResourceAlreadyExists',
  invalidKey: '400 400 InvalidKey InvalidKey',
  invalidBucketName: '400 400 Invalid Input InvalidBucketName',
  bucketNotEmpty: '400 409 ResourceNotEmpty ResourceNotEmpty',
  tooManyObjects: '400 409 InvalidRequest InvalidRequest',
  invalidMimeType: '400 415 invalid_mime_type InvalidMimeType',
  tooLarge: '400 413 Payload too large EntityTooLarge',
  rowRefused: '403 403 Unauthorized AccessDenied',
  accessDenied: '400 403 Unauthorized AccessDenied',
  badBearer: '400 403 Unauthorized AccessDenied',
  revokedBearer: '401 401 Unauthorized AccessDenied',
  directKey: '401 401 Unauthorized AccessDenied',
  roleRefused: '403 403 Unauthorized AccessDenied',
  invalidJwt: '400 400 InvalidJWT InvalidJWT',
  invalidSignature: '400 400 InvalidSignature InvalidSignature',
  invalidRequest: '400 400 Error InvalidRequest',
  invalidParameter: '400 400 InvalidParameter InvalidParameter',
  invalidSizeText: '400 400 InvalidRequest InvalidRequest',
  invalidRobotsTag: '400 400 invalid_x_robots_tag InvalidRequest',
  unreadableBody: '400 400 FastifyError InvalidRequest',
  routeNotFound: '404 404 Not Found InvalidRequest',
  featureOff: '403 403 FeatureNotEnabled FeatureNotEnabled',
  invalidRange: '416 416 invalid_range InvalidRange',
  invalidImage: '400 400 InvalidRequest InvalidRequest',
  locked: '400 423 ResourceLocked ResourceLocked',
  overloaded: '429 429 too_many_connections SlowDown',
  unavailable: '503 503 ServiceUnavailable SlowDown',
  clientGone: '499 499 AbortedTerminate AbortedTerminate',
  diskFull: '500 500 Internal InternalError',
  internal: '500 500 Internal InternalError',
}

it.each(Object.entries(ROWS))('renders %s as %s', (code, row) => {
  const rendered = renderStorageError(new StorageError(code as StorageErrorCode, 'why'))
  const { statusCode, error, message, ...rest } = JSON.parse(rendered?.body ?? '')
  expect(`${rendered?.status} ${statusCode} ${error} ${rest.code}`).toBe(row)
  expect([message, Object.keys(rest)]).toEqual(['why', ['code']])
})

it('adds what to do about it, and the headers that belong to it', () => {
  const error = new StorageError('diskFull', 'Full.', { hint: 'Free space.', headers: { a: 'b' } })
  expect(renderStorageError(error)).toMatchObject({
    message: 'Full. Free space.',
    headers: { a: 'b', 'content-type': 'application/json; charset=utf-8' },
  })
})

it('leaves foreign errors to the edge, which names the trace', () => {
  expect(renderStorageError(new Error('other'))).toBeUndefined()
  expect(renderStorageInternal('trace-1')).toMatchObject({
    status: 500,
    message: expect.stringContaining('trace-1'),
  })
})
