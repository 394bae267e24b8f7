// Errors of the emulator's own API (docs/reference/emulator-api.md). The body of an error is
// {"error":{"code","message","hint"?}}.
import { DISK_STATUS, DiskFailure, type DiskFailureCode } from '../../core/disk-failure.ts'
import { asSentence, EmulatorError, type ErrorFacts } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { RenderedError } from '../../core/request-env.ts'
import { WaitingError } from '../../platform/messages/waiting-room.ts'
import { type GuardCode, GuardError } from './guard.ts'

type OwnCode =
  | 'invalid_request'
  | 'invalid_json'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'body_too_large'
  /** The request names one of the platform's own `auth_*` tables. */
  | 'closed_table'
  /** Postgres refused the statement. The member `sql_state` contains Postgres's code. */
  | 'sql_refused'
  /** A grant or a policy forbids the statement. */
  | 'not_allowed'
  /** More than one row has these values, and the table has no primary key. */
  | 'ambiguous_row'
  /** The imported file has invalid rows. `problems` lists them. */
  | 'import_refused'
  /** The state cannot be changed, because earlier requests are still running. */
  | 'busy'
  /** The statement was cancelled because it took too long. */
  | 'cancelled'
  | 'database_restarted'
  /** The database engine does not start. The emulator keeps trying to start the engine. */
  | 'database_down'
export type InspectorCode = OwnCode | GuardCode | WaitingError['code'] | DiskFailureCode

const STATUS = {
  foreign_host: 403,
  foreign_origin: 403,
  foreign_peer: 403,
  admin_token_required: 401,
  invalid_request: 400,
  invalid_json: 400,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  body_too_large: 413,
  closed_table: 403,
  sql_refused: 400,
  not_allowed: 403,
  ambiguous_row: 409,
  import_refused: 400,
  busy: 503,
  cancelled: 504,
  database_restarted: 503,
  database_down: 503,
  too_many_waiting: 429,
  ...DISK_STATUS,
} as const satisfies Record<InspectorCode, number>

export interface InspectorErrorFacts extends ErrorFacts {
  /** Members of the body that are added to `code`, e.g. `sql_state`, `problems`. */
  readonly fields?: JsonObject
}

export class InspectorError extends EmulatorError {
  override readonly code: OwnCode
  readonly fields: JsonObject

  constructor(code: OwnCode, message: string, facts: InspectorErrorFacts = {}) {
    super(message, facts)
    this.code = code
    this.fields = facts.fields ?? {}
  }
}

export function renderInspectorError(error: unknown): RenderedError | undefined {
  if (error instanceof InspectorError)
    return rendered(STATUS[error.code], error.code, error.message, error.hint, error.fields)
  if (error instanceof GuardError || error instanceof WaitingError || error instanceof DiskFailure)
    return rendered(STATUS[error.code], error.code, error.message, error.hint)
  return undefined
}

/** Renders the response when the database could not serve the request. @param error an error with a SQLSTATE as its code */
export function renderInspectorUnavailable({ code, message, hint }: EmulatorError): RenderedError {
  const own = UNAVAILABLE[code] ?? 'busy'
  return rendered(STATUS[own], own, asSentence(message), hint, { sql_state: code })
}

const UNAVAILABLE: Readonly<Record<string, OwnCode>> = {
  '57P02': 'database_restarted',
  '57P03': 'database_down',
}

export function renderInspectorInternal(trace: string): RenderedError {
  return rendered(500, 'internal', `Something went wrong inside the emulator; trace ${trace}.`)
}

function rendered(
  status: number,
  code: string,
  message: string,
  hint?: string,
  fields: JsonObject = {},
): RenderedError {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { code, message, hint, ...fields } }),
    code,
    message,
  }
}
