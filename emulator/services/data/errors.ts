// The errors of the data plane that Postgres does not raise, and the form of all errors of the data plane.
import type { DiskFailure } from '../../core/disk-failure.ts'
import { EmulatorError, type ErrorFacts } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import type { RenderedError } from '../../core/request-env.ts'
import { DATA_REFUSALS, type DataErrorCode } from './refusals.ts'

export interface DataErrorFacts extends Omit<ErrorFacts, 'details'> {
  /** A text, or for PGRST201 the list of candidates. */
  readonly details?: JsonValue
}

/** An error of the data plane. Uses PostgREST's message if PostgREST has this error. */
export class DataError extends EmulatorError {
  override readonly code: DataErrorCode
  readonly detailsValue: JsonValue

  constructor(code: DataErrorCode, message: string, facts: DataErrorFacts = {}) {
    const { details, ...rest } = facts
    super(message, typeof details === 'string' ? { ...rest, details } : rest)
    this.code = code
    this.detailsValue = details ?? null
  }
}

/** An error as the response shows it. */
export interface Refusal {
  readonly status: number
  /** Reason phrase of the status line, if a tenant's function set one. */
  readonly reason?: string
  readonly code: string
  readonly message: string
  readonly details: JsonValue
  readonly hint: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** Converts a DataError to the error that the response shows. */
export function refusalOf(error: DataError): Refusal {
  return {
    status: DATA_REFUSALS[error.code].status,
    code: error.code,
    message: error.message,
    details: error.detailsValue,
    hint: error.hint ?? null,
    headers: challengeOf(error),
  }
}

/** Converts a disk failure to the error that Postgres reports for it (SQLSTATE disk_full or io_error). */
export function refusalOfDisk(failure: DiskFailure): Refusal {
  return {
    status: 503,
    code: failure.code === 'disk_full' ? '53100' : '58030',
    message: failure.message,
    details: null,
    hint: failure.hint ?? null,
    headers: {},
  }
}

/**
 * Renders an error as compact JSON with all four keys in alphabetical order, as PostgREST does, and a `Proxy-Status` header
 * (PostgREST, "Errors").
 */
export function renderRefusal(refusal: Refusal): RenderedError {
  const { code, message, details, hint } = refusal
  return {
    status: refusal.status,
    code,
    message,
    ...(refusal.reason === undefined ? {} : { reason: refusal.reason }),
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Proxy-Status': `PostgREST; error=${code}`,
      ...refusal.headers,
    },
    ...(BODILESS.has(refusal.status)
      ? {}
      : { body: JSON.stringify({ code, details, hint, message }) }),
  }
}

// Responses with these statuses have no body. A tenant's function can raise an error with any status.
const BODILESS = new Set([204, 205, 304])

function challengeOf(error: DataError): Readonly<Record<string, string>> {
  switch (error.code) {
    case 'unauthorized':
    case 'PGRST302':
      return { 'WWW-Authenticate': 'Bearer' }
    case 'PGRST301':
    case 'PGRST303':
      return {
        'WWW-Authenticate': `Bearer error="invalid_token", error_description=${JSON.stringify(error.message)}`,
      }
    default:
      return {}
  }
}
