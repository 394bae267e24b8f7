// The errors of object storage and their JSON bodies (docs/wire/storage.md#errors).
import { DiskFailure, diskFailureOf } from '../../core/disk-failure.ts'
import { asSentence, EmulatorError, type ErrorFacts } from '../../core/errors.ts'
import type { RenderedError } from '../../core/request-env.ts'
import { STORAGE_REFUSALS, type StorageErrorCode } from './refusals.ts'

export interface StorageErrorFacts extends ErrorFacts {
  readonly headers?: Readonly<Record<string, string>>
}

/** An error that storage returns to the client. */
export class StorageError extends EmulatorError {
  override readonly code: StorageErrorCode
  readonly headers: Readonly<Record<string, string>>

  /** @param message the default is the message of the table */
  constructor(code: StorageErrorCode, message?: string, facts: StorageErrorFacts = {}) {
    const { cause, example = cause } = STORAGE_REFUSALS[code]
    super(message ?? example, facts)
    this.code = code
    this.headers = facts.headers ?? {}
  }

  /** The status that TUS and S3 send as their HTTP status. */
  get logicalStatus(): number {
    return STORAGE_REFUSALS[this.code].body[0]
  }

  /** Upstream's code, as it appears in the JSON body and in S3's XML. */
  get wireCode(): string {
    return STORAGE_REFUSALS[this.code].body[2]
  }
}

/** Errors that several routes return. Clients and their tests compare the messages. */
export const refuse = {
  objectNotFound: (): StorageError => new StorageError('objectNotFound'),
  bytesMissing: (): StorageError =>
    new StorageError('bytesMissing', undefined, { headers: { 'cache-control': 'no-store' } }),
  bucketNotFound: (): StorageError => new StorageError('bucketNotFound'),
  objectExists: (): StorageError => new StorageError('objectExists'),
  bucketExists: (): StorageError => new StorageError('bucketExists'),
  invalidKey: (objectKey: string): StorageError =>
    new StorageError('invalidKey', `Invalid key: ${objectKey.toWellFormed()}`),
  mimeType: (mimeType: string): StorageError =>
    new StorageError('invalidMimeType', `mime type ${mimeType} is not supported`),
  contentType: (): StorageError =>
    new StorageError('invalidMimeType', 'Invalid Content-Type header'),
  tooLarge: (): StorageError => new StorageError('tooLarge'),
  row: (): StorageError => new StorageError('rowRefused'),
  access: (): StorageError => new StorageError('accessDenied'),
  role: (): StorageError => new StorageError('roleRefused'),
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
  const { status, body } = STORAGE_REFUSALS[error.code]
  const [statusCode, name, code] = body
  const message = error.hint === undefined ? error.message : `${error.message} ${error.hint}`
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...error.headers },
    body: JSON.stringify({ statusCode: String(statusCode), error: name, message, code }),
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
