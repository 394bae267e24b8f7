// Lists all errors of the data plane that Postgres does not raise: PostgREST's PGRST codes and this platform's codes.
// PostgREST no longer uses PGRST104, 109, 110, 113 and 119.
import type { DiskFailure } from '../../core/disk-failure.ts'
import { EmulatorError, type ErrorFacts } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json.ts'
import type { RenderedError } from '../../core/request-env.ts'

const STATUS = {
  unauthorized: 401,
  // PostgREST lacks these two codes, because PostgREST has no size limits.
  payload_too_large: 413,
  result_too_large: 413,
  PGRST002: 503,
  PGRST100: 400,
  PGRST101: 405,
  PGRST102: 400,
  PGRST103: 416,
  PGRST105: 405,
  PGRST106: 406,
  PGRST107: 406,
  PGRST108: 400,
  PGRST111: 500,
  PGRST112: 500,
  PGRST114: 400,
  PGRST115: 400,
  PGRST116: 406,
  PGRST117: 405,
  PGRST118: 400,
  PGRST120: 400,
  PGRST121: 500,
  PGRST122: 400,
  PGRST123: 400,
  PGRST124: 400,
  PGRST125: 404,
  PGRST126: 404,
  PGRST127: 400,
  PGRST128: 400,
  PGRST200: 400,
  PGRST201: 300,
  PGRST202: 404,
  PGRST203: 300,
  PGRST204: 400,
  PGRST205: 404,
  PGRST300: 500,
  PGRST301: 401,
  PGRST302: 401,
  PGRST303: 401,
} as const

export type DataErrorCode = keyof typeof STATUS

export interface DataErrorFacts extends Omit<ErrorFacts, 'details'> {
  /** Contains text; for PGRST201, contains a list of candidates. */
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
    status: STATUS[error.code],
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
