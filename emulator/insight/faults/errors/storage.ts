// Creates the refusals of object storage in three formats: JSON, the plain text of TUS, the XML of S3
// (docs/wire/storage.md#errors).

import {
  RenderedRefusal,
  renderStorageError,
  StorageError,
  type StorageErrorCode,
} from '../../../services/storage/errors.ts'
import {
  refusalInXml,
  S3_STATUS,
  S3Error,
  type S3ErrorCode,
} from '../../../services/storage/s3/s3-error.ts'
import { S3_ADVICE, STORAGE_ADVICE } from '../../advice/storage.ts'
import {
  type CodeFacts,
  type ErrorSource,
  type FaultedRequest,
  factsOf,
  InjectedError,
  keyIn,
  thrown,
} from './error-source.ts'

/** Upstream's messages, because clients compare them. Other codes use the cause from the advice. */
const TEXTS: Readonly<Partial<Record<StorageErrorCode, string>>> = {
  objectNotFound: 'Object not found',
  bytesMissing: 'The resource was not found',
  bucketNotFound: 'Bucket not found',
  objectExists: 'The resource already exists',
  bucketExists: 'The resource already exists',
  resourceExists: 'The resource already exists',
  invalidBucketName: 'Bucket name invalid',
  bucketNotEmpty: 'The bucket you tried to delete is not empty',
  tooManyObjects: 'Unable to empty the bucket because it contains too many objects',
  invalidMimeType: 'mime type text/plain is not supported',
  tooLarge: 'The object exceeded the maximum allowed size',
  rowRefused: 'new row violates row-level security policy',
  accessDenied: 'Access denied',
  badBearer: '"exp" claim timestamp check failed',
  revokedBearer: 'The project’s keys were regenerated.',
  directKey: 'This is a credential of the platform, and storage takes storage tokens only.',
  roleRefused: 'Access denied: Invalid role',
  invalidJwt: '"exp" claim timestamp check failed',
  invalidSignature: 'Invalid signature',
  invalidParameter: 'Invalid Parameter continuation token',
  invalidSizeText: 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B',
  invalidRobotsTag: 'Invalid X-Robots-Tag header: x',
  unreadableBody: "Body cannot be empty when content-type is set to 'application/json'",
  featureOff: 'feature not enabled for this tenant',
  invalidRange: 'invalid range provided',
  locked: 'The resource is locked',
  overloaded: 'Too many connections issued to the database',
  diskFull: 'The disk of the data directory is full.',
}

const JSON_CODES = factsOf(Object.keys(STORAGE_ADVICE) as StorageErrorCode[], (code) => ({
  status: renderStorageError(new StorageError(code, ''))?.status ?? 500,
  sentence: STORAGE_ADVICE[code].cause,
}))

export const STORAGE_ERRORS: ErrorSource = {
  codes: JSON_CODES,
  make: (code, request) => thrown(refusal(code, request)),
}

/** TUS responses have the logical status, and only the message as body (docs/wire/storage.md#errors). */
export const TUS_ERRORS: ErrorSource = {
  codes: JSON_CODES,
  make: (code, request) => {
    const error = refusal(code, request)
    if (!(error instanceof StorageError)) return thrown(error)
    const { logicalStatus: status, wireCode, message } = error
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'tus-resumable': '1.0.0' }
    return thrown(
      new RenderedRefusal({ status, headers, body: message, code: wireCode, message }, error),
    )
  },
}

const S3_CODES: Readonly<Record<string, CodeFacts>> = factsOf(
  Object.keys(S3_STATUS) as S3ErrorCode[],
  (code) => ({
    status: S3_STATUS[code],
    sentence: S3_ADVICE[code]?.cause ?? 'The request of an S3 client is malformed.',
  }),
)

export const S3_ERRORS: ErrorSource = {
  codes: { ...JSON_CODES, ...S3_CODES },
  make: (code, request) => {
    const error = Object.hasOwn(S3_STATUS, code)
      ? new S3Error(keyIn(S3_STATUS, code), S3_CODES[code]?.sentence ?? '')
      : refusal(code, request)
    const resource = request.target.replace(/^(\/storage\/v1)?\/s3/, '').split('?')[0] ?? ''
    return thrown(refusalInXml(error, resource))
  },
}

function refusal(code: string, { faultId, target }: FaultedRequest): Error {
  if (code === 'internal') return new InjectedError(faultId)
  const known = keyIn(STORAGE_ADVICE, code)
  if (known === 'invalidKey') return new StorageError(known, `Invalid key: ${keyOf(target)}`)
  const facts = known === 'bytesMissing' ? { headers: { 'cache-control': 'no-store' } } : {}
  return new StorageError(known, TEXTS[known] ?? STORAGE_ADVICE[known].cause, facts)
}

// Returns the object key: the last segment of the path.
function keyOf(target: string): string {
  const [path = ''] = target.split('?')
  return path.slice(path.lastIndexOf('/') + 1)
}
