// The errors of object storage, with one table row for each code. Statuses and names are upstream's
// (docs/wire/storage.md#errors), except for the rows with a comment.
import { DiskFailure, diskFailureOf } from '../../core/disk-failure.ts'
import { asSentence, EmulatorError, type ErrorFacts } from '../../core/errors.ts'
import type { RenderedError } from '../../core/request-env.ts'

/** Status of the HTTP response (upstream sends 400 for almost every error), and the body's `statusCode`, `error` and `code`. */
type Row = readonly [http: number, logical: number, error: string, code: string]

// The table has one row for each situation. Several situations share upstream's `code` and differ in the other columns.
const ROWS = {
  objectNotFound: [400, 404, 'not_found', 'NoSuchKey'],
  bytesMissing: [400, 404, 'Not found', 'NoSuchKey'],
  bucketNotFound: [400, 404, 'Bucket not found', 'NoSuchBucket'],
  objectExists: [400, 409, 'Duplicate', 'KeyAlreadyExists'],
  bucketExists: [400, 409, 'Duplicate', 'BucketAlreadyExists'],
  resourceExists: [400, 409, 'Duplicate', 'ResourceAlreadyExists'],
  invalidKey: [400, 400, 'InvalidKey', 'InvalidKey'],
  invalidBucketName: [400, 400, 'Invalid Input', 'InvalidBucketName'],
  bucketNotEmpty: [400, 409, 'ResourceNotEmpty', 'ResourceNotEmpty'],
  tooManyObjects: [400, 409, 'InvalidRequest', 'InvalidRequest'],
  invalidMimeType: [400, 415, 'invalid_mime_type', 'InvalidMimeType'],
  tooLarge: [400, 413, 'Payload too large', 'EntityTooLarge'],
  // The status is 403 when row-level security refuses a write.
  rowRefused: [403, 403, 'Unauthorized', 'AccessDenied'],
  accessDenied: [400, 403, 'Unauthorized', 'AccessDenied'],
  badBearer: [400, 403, 'Unauthorized', 'AccessDenied'],
  // The status is 401 when the project's keys were regenerated after the token was issued (docs/wire/storage.md#errors).
  revokedBearer: [401, 401, 'Unauthorized', 'AccessDenied'],
  // The status is 401 when a request has an API key instead of a storage token.
  directKey: [401, 401, 'Unauthorized', 'AccessDenied'],
  roleRefused: [403, 403, 'Unauthorized', 'AccessDenied'],
  invalidJwt: [400, 400, 'InvalidJWT', 'InvalidJWT'],
  invalidSignature: [400, 400, 'InvalidSignature', 'InvalidSignature'],
  invalidRequest: [400, 400, 'Error', 'InvalidRequest'],
  invalidParameter: [400, 400, 'InvalidParameter', 'InvalidParameter'],
  invalidSizeText: [400, 400, 'InvalidRequest', 'InvalidRequest'],
  invalidRobotsTag: [400, 400, 'invalid_x_robots_tag', 'InvalidRequest'],
  unreadableBody: [400, 400, 'FastifyError', 'InvalidRequest'],
  routeNotFound: [404, 404, 'Not Found', 'InvalidRequest'],
  featureOff: [403, 403, 'FeatureNotEnabled', 'FeatureNotEnabled'],
  invalidRange: [416, 416, 'invalid_range', 'InvalidRange'],
  invalidImage: [400, 400, 'InvalidRequest', 'InvalidRequest'],
  locked: [400, 423, 'ResourceLocked', 'ResourceLocked'],
  overloaded: [429, 429, 'too_many_connections', 'SlowDown'],
  unavailable: [503, 503, 'ServiceUnavailable', 'SlowDown'],
  clientGone: [499, 499, 'AbortedTerminate', 'AbortedTerminate'],
  diskFull: [500, 500, 'Internal', 'InternalError'],
  internal: [500, 500, 'Internal', 'InternalError'],
} as const

/** Key of a row in the table above. */
export type StorageErrorCode = keyof typeof ROWS

function wireRowOf(key: StorageErrorCode) {
  const [http, logical, error, code]: Row = ROWS[key]
  return { http, logical, error, code }
}

/** Returns all codes with this wire code and HTTP status. Ignores the status when no code has it. */
export function storageCodesOf(wireCode: string, httpStatus: number): readonly StorageErrorCode[] {
  const named = (Object.keys(ROWS) as StorageErrorCode[]).filter(
    (code) => wireRowOf(code).code === wireCode,
  )
  const exact = named.filter((code) => wireRowOf(code).http === httpStatus)
  return exact.length > 0 ? exact : named
}

export interface StorageErrorFacts extends ErrorFacts {
  readonly headers?: Readonly<Record<string, string>>
}

/** An error that storage returns to the client. */
export class StorageError extends EmulatorError {
  override readonly code: StorageErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(code: StorageErrorCode, message: string, facts: StorageErrorFacts = {}) {
    super(message, facts)
    this.code = code
    this.headers = facts.headers ?? {}
  }

  /** The status that TUS and S3 send as their HTTP status. */
  get logicalStatus(): number {
    return wireRowOf(this.code).logical
  }

  /** Upstream's code, as it appears in the JSON body and in S3's XML. */
  get wireCode(): string {
    return wireRowOf(this.code).code
  }
}

/** Errors whose exact texts are compared by clients and their tests. */
export const refuse = {
  objectNotFound: (): StorageError => new StorageError('objectNotFound', 'Object not found'),
  bytesMissing: (): StorageError =>
    new StorageError('bytesMissing', 'The resource was not found', {
      headers: { 'cache-control': 'no-store' },
    }),
  bucketNotFound: (): StorageError => new StorageError('bucketNotFound', 'Bucket not found'),
  objectExists: (): StorageError => new StorageError('objectExists', 'The resource already exists'),
  bucketExists: (): StorageError => new StorageError('bucketExists', 'The resource already exists'),
  invalidKey: (objectKey: string): StorageError =>
    new StorageError('invalidKey', `Invalid key: ${objectKey.toWellFormed()}`),
  mimeType: (mimeType: string): StorageError =>
    new StorageError('invalidMimeType', `mime type ${mimeType} is not supported`),
  contentType: (): StorageError =>
    new StorageError('invalidMimeType', 'Invalid Content-Type header'),
  tooLarge: (): StorageError =>
    new StorageError('tooLarge', 'The object exceeded the maximum allowed size'),
  row: (): StorageError =>
    new StorageError('rowRefused', 'new row violates row-level security policy'),
  access: (): StorageError => new StorageError('accessDenied', 'Access denied'),
  role: (): StorageError => new StorageError('roleRefused', 'Access denied: Invalid role'),
  request: (message: string): StorageError => new StorageError('invalidRequest', message),
} as const

/** Converts the error of a full or failing disk to a `StorageError`. Returns any other error unchanged. */
export function namedFailure(error: unknown): unknown {
  if (error instanceof StorageError) return error
  const failure = diskFailureOf(error)
  return failure === undefined ? error : fullDisk(failure)
}

function fullDisk(failure: DiskFailure): StorageError {
  return new StorageError('diskFull', failure.message, {
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
    cause: failure,
  })
}

/** Renders an error of storage. Returns `undefined` for any other error. */
export function renderStorageError(error: unknown): RenderedError | undefined {
  if (error instanceof RenderedRefusal) return error.rendered
  if (error instanceof DiskFailure) return render(fullDisk(error))
  return error instanceof StorageError ? render(error) : undefined
}

/** Renders the response when the database could not serve the request. */
export function renderStorageUnavailable({ message, hint }: EmulatorError): RenderedError {
  return render(
    new StorageError('unavailable', asSentence(message), hint === undefined ? {} : { hint }),
  )
}

/** Renders the response to an unexpected error. The journal keeps the details under `trace`. */
export function renderStorageInternal(trace: string): RenderedError {
  return render(
    new StorageError(
      'internal',
      `Storage failed unexpectedly. Find the cause in the journal under ${trace}.`,
    ),
  )
}

function render(error: StorageError): RenderedError {
  const { http, logical, error: name, code } = wireRowOf(error.code)
  const message = error.hint === undefined ? error.message : `${error.message} ${error.hint}`
  return {
    status: http,
    headers: { 'content-type': 'application/json; charset=utf-8', ...error.headers },
    body: JSON.stringify({ statusCode: String(logical), error: name, message, code }),
    code,
    message,
  }
}

/** An error that TUS or S3 has already rendered. `renderStorageError` returns it unchanged. */
export class RenderedRefusal extends EmulatorError {
  override readonly code: string
  readonly rendered: RenderedError

  constructor(rendered: RenderedError, cause?: unknown) {
    super(rendered.message, { cause })
    this.code = rendered.code
    this.rendered = rendered
  }
}
