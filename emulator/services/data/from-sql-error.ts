// Maps SQLSTATE to status and body (PostgREST, "Errors: HTTP Status Codes", "Raise errors with HTTP Status Codes", "Full
// control over the response").

import { EmulatorError } from '../../core/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../core/json.ts'
import type { SqlError } from '../../database/engine.ts'
import { DataError, type Refusal, refusalOf } from './errors.ts'
import { REFUSED_ANON, sqlRefusal } from './sql-states.ts'

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

// Returns the status, which for some codes also depends on the message or the role.
function statusOf({ code, message }: SqlError, isAnonymous: boolean): number {
  if (code === '42501' && isAnonymous) return REFUSED_ANON.status
  if (code === '21000' && message.endsWith('requires a WHERE clause')) return 400
  if (code === '22023' && /^role.*does not exist$/s.test(message)) return 401
  if (code === '42883' && message.startsWith('function xmlagg(')) return 406
  if (code.startsWith('PT')) return sendableStatus(statusNumber(code.slice(2)))
  return sqlRefusal(code).status
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
