// Maps SQLSTATE to status and body (PostgREST, "Errors: HTTP Status Codes", "Raise errors with HTTP Status Codes", "Full
// control over the response").

import { EmulatorError } from '../../core/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../core/json.ts'
import type { SqlError } from '../../database/engine.ts'
import { DataError, type Refusal, refusalOf } from './errors.ts'

/** An error of Postgres with the status and body to respond with. */
export class RefusedByDatabase extends EmulatorError {
  override readonly code: string
  readonly refusal: Refusal

  constructor(refusal: Refusal, cause: SqlError) {
    super(refusal.message, { cause })
    this.code = refusal.code
    this.refusal = refusal
  }
}

/** @param isAnonymous whether a missing privilege gives status 401 instead of 403 */
export function refusalFromSql(error: SqlError, isAnonymous: boolean): Refusal {
  if (error.code === 'PGRST') return raised(error)
  const status = statusOf(error, isAnonymous)
  return {
    status,
    code: error.code,
    message: error.message,
    details: error.details ?? null,
    hint: error.hint ?? null,
    headers: status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {},
    ...(/^PT\d+$/.test(error.code) ? reasonOf(error.message) : {}),
  }
}

// In header values, each character represents one byte of UTF-8. Leaves out text of several lines, which a header cannot
// contain.
function reasonOf(text: JsonValue | undefined): { reason?: string } {
  if (!isText(text) || text === '' || !isSendable('reason', text)) return {}
  return { reason: Buffer.from(text).toString('latin1') }
}

const BY_CODE: Readonly<Record<string, number>> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  '57P01': 503,
  // The embedded engine restarted or cannot start, so the caller may repeat the request. PostgREST has no such error.
  '57P02': 503,
  '57P03': 503,
  P0001: 400,
}

const BY_CLASS: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
}

function statusOf({ code, message }: SqlError, isAnonymous: boolean): number {
  switch (code) {
    case '42501':
      return isAnonymous ? 401 : 403
    case '21000':
      return message.endsWith('requires a WHERE clause') ? 400 : 500
    case '22023':
      return /^role.*does not exist$/s.test(message) ? 401 : 400
    case '42883':
      return message.startsWith('function xmlagg(') ? 406 : 404
    default:
      if (code.startsWith('PT')) return sendableStatus(statusNumber(code.slice(2)))
      return BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)] ?? 400
  }
}

function statusNumber(digits: string): number {
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN
}

function sendableStatus(status: number): number {
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 500
}

const MESSAGE_HINT =
  "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'."
const DETAIL_HINT =
  "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."

// With `raise sqlstate 'PGRST'`, a function sets the response through the error's message and detail.
function raised(error: SqlError): Refusal {
  const body = objectOf(error.message)
  const { code, message, details, hint } = body ?? {}
  if (!isText(code) || !isText(message) || !isTextOrNothing(details) || !isTextOrNothing(hint))
    return misraised(`Invalid JSON value for MESSAGE: '${error.message}'`, MESSAGE_HINT)
  if (error.details === undefined)
    return misraised('DETAIL is missing in the RAISE statement', DETAIL_HINT)
  const head = objectOf(error.details)
  const headers = head && headersOf(head['headers'])
  const { status, status_text: reason } = head ?? {}
  if (headers === undefined || !Number.isInteger(status) || !isTextOrNothing(reason))
    return misraised(`Invalid JSON value for DETAIL: '${error.details}'`, DETAIL_HINT)
  return {
    status: sendableStatus(Number(status)),
    code,
    message,
    details: details ?? null,
    hint: hint ?? null,
    headers,
    ...reasonOf(reason),
  }
}

function misraised(details: string, hint: string): Refusal {
  const message = `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`
  return refusalOf(new DataError('PGRST121', message, { details, hint }))
}

function objectOf(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isJsonObject(value) ? value : undefined
}

function headersOf(value: unknown): Record<string, string> | undefined {
  if (!isJsonObject(value)) return undefined
  const headers: Record<string, string> = {}
  for (const [name, text] of Object.entries(value)) {
    if (!isText(text) || !isSendable(name, text)) return undefined
    headers[name] = Buffer.from(text).toString('latin1')
  }
  return headers
}

/** Whether a header can be sent: its name is a token and its value is a single line (RFC 9110 §5). */
export function isSendable(name: string, value: string): boolean {
  const isLine = Array.from(value).every(
    (each) => each === '\t' || (each >= ' ' && each !== '\x7f'),
  )
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && isLine
}

function isTextOrNothing(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || isText(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
