// The errors of object storage, with one table row for each code. Statuses and names are upstream's
// (docs/wire/storage.md#errors), unless "Storage errors" in the specification gives another status.
import { DiskFailure, diskFailureOf } from '../core/disk-failure.ts'
import { asSentence, EmulatorError, type ErrorFacts } from '../core/errors.ts'
import type { RenderedError } from '../core/request-env.ts'

interface Row {
  /** Status of the HTTP response. Upstream sends 400 for almost every error. */
  readonly http: number
  /** The member `statusCode` of the body. */
  readonly logical: number
  /** The member `error` of the body. */
  readonly error: string
  /** The member `code` of the body. */
  readonly code: string
}

// The table has one row for each situation. Several situations share upstream's `code` and differ in the other columns.
const ROWS = {
  objectNotFound: { http: 400, logical: 404, error: 'not_found', code: 'NoSuchKey' },
  bytesMissing: { http: 400, logical: 404, error: 'Not found', code: 'NoSuchKey' },
  bucketNotFound: { http: 400, logical: 404, error: 'Bucket not found', code: 'NoSuchBucket' },
  objectExists: { http: 400, logical: 409, error: 'Duplicate', code: 'KeyAlreadyExists' },
  bucketExists: { http: 400, logical: 409, error: 'Duplicate', code: 'BucketAlreadyExists' },
  resourceExists: { http: 400, logical: 409, error: 'Duplicate', code: 'ResourceAlreadyExists' },
  invalidKey: { http: 400, logical: 400, error: 'InvalidKey', code: 'InvalidKey' },
  invalidBucketName: { http: 400, logical: 400, error: 'Invalid Input', code: 'InvalidBucketName' },
  bucketNotEmpty: { http: 400, logical: 409, error: 'ResourceNotEmpty', code: 'ResourceNotEmpty' },
  tooManyObjects: { http: 400, logical: 409, error: 'InvalidRequest', code: 'InvalidRequest' },
  invalidMimeType: {
    http: 400,
    logical: 415,
    error: 'invalid_mime_type',
    code: 'InvalidMimeType',
  },
  tooLarge: { http: 400, logical: 413, error: 'Payload too large', code: 'EntityTooLarge' },
  // The status is 403 when row-level security refuses a write.
  rowRefused: { http: 403, logical: 403, error: 'Unauthorized', code: 'AccessDenied' },
  accessDenied: { http: 400, logical: 403, error: 'Unauthorized', code: 'AccessDenied' },
  badBearer: { http: 400, logical: 403, error: 'Unauthorized', code: 'AccessDenied' },
  // The status is 401 when the project's keys were regenerated after the token was issued (docs/wire/storage.md#errors).
  revokedBearer: { http: 401, logical: 401, error: 'Unauthorized', code: 'AccessDenied' },
  // The status is 401 when a request has an API key instead of a storage token.
  directKey: { http: 401, logical: 401, error: 'Unauthorized', code: 'AccessDenied' },
  roleRefused: { http: 403, logical: 403, error: 'Unauthorized', code: 'AccessDenied' },
  invalidJwt: { http: 400, logical: 400, error: 'InvalidJWT', code: 'InvalidJWT' },
  invalidSignature: {
    http: 400,
    logical: 400,
    error: 'InvalidSignature',
    code: 'InvalidSignature',
  },
  invalidRequest: { http: 400, logical: 400, error: 'Error', code: 'InvalidRequest' },
  invalidParameter: {
    http: 400,
    logical: 400,
    error: 'InvalidParameter',
    code: 'InvalidParameter',
  },
  invalidSizeText: { http: 400, logical: 400, error: 'InvalidRequest', code: 'InvalidRequest' },
  invalidRobotsTag: {
    http: 400,
    logical: 400,
    error: 'invalid_x_robots_tag',
    code: 'InvalidRequest',
  },
  unreadableBody: { http: 400, logical: 400, error: 'FastifyError', code: 'InvalidRequest' },
  routeNotFound: { http: 404, logical: 404, error: 'Not Found', code: 'InvalidRequest' },
  featureOff: { http: 403, logical: 403, error: 'FeatureNotEnabled', code: 'FeatureNotEnabled' },
  invalidRange: { http: 416, logical: 416, error: 'invalid_range', code: 'InvalidRange' },
  invalidImage: { http: 400, logical: 400, error: 'InvalidRequest', code: 'InvalidRequest' },
  locked: { http: 400, logical: 423, error: 'ResourceLocked', code: 'ResourceLocked' },
  overloaded: { http: 429, logical: 429, error: 'too_many_connections', code: 'SlowDown' },
  unavailable: { http: 503, logical: 503, error: 'ServiceUnavailable', code: 'SlowDown' },
  clientGone: { http: 499, logical: 499, error: 'AbortedTerminate', code: 'AbortedTerminate' },
  diskFull: { http: 500, logical: 500, error: 'Internal', code: 'InternalError' },
  internal: { http: 500, logical: 500, error: 'Internal', code: 'InternalError' },
} as const

/** Key of a row in the table above. */
export type StorageErrorCode = keyof typeof ROWS

/** Returns all codes with this wire code and HTTP status. Ignores the status when no code has it. */
export function storageCodesOf(wireCode: string, httpStatus: number): readonly StorageErrorCode[] {
  const named = (Object.keys(ROWS) as StorageErrorCode[]).filter(
    (code) => ROWS[code].code === wireCode,
  )
  const exact = named.filter((code) => ROWS[code].http === httpStatus)
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
    return ROWS[this.code].logical
  }

  /** Upstream's code, as it appears in the JSON body and in S3's XML. */
  get wireCode(): string {
    return ROWS[this.code].code
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
  const { http, logical, error: name, code }: Row = ROWS[error.code]
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
