// Defines the refusals of realtime's HTTP routes: their codes, statuses and bodies (docs/wire/realtime.md#broadcast).
import { DISK_STATUS, DiskFailure, type DiskFailureCode } from '../../core/disk-failure.ts'
import { asSentence, EmulatorError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { RenderedError } from '../../core/request-env.ts'

export type RealtimeErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'invalid_body'
  | 'invalid_messages'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | DiskFailureCode

const STATUS = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  invalid_body: 400,
  invalid_messages: 422,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  ...DISK_STATUS,
} as const satisfies Record<RealtimeErrorCode, number>

export class RealtimeError extends EmulatorError {
  override readonly code: RealtimeErrorCode
  /** The response body, when upstream's body is not `{message}`. */
  readonly body: JsonObject | undefined

  constructor(code: RealtimeErrorCode, message: string, body?: JsonObject) {
    super(message)
    this.code = code
    this.body = body
  }
}

/** Renders refusals of realtime. Returns `undefined` for other errors. */
export function renderRealtimeError(error: unknown): RenderedError | undefined {
  if (error instanceof DiskFailure) return render(new RealtimeError(error.code, error.message))
  return error instanceof RealtimeError ? render(error) : undefined
}

function render(error: RealtimeError): RenderedError {
  return {
    status: STATUS[error.code],
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(error.body ?? { message: error.message }),
    code: error.code,
    message: error.message,
  }
}

/** Renders the refusal of a request that the database could not serve. */
export function renderRealtimeUnavailable({ message }: EmulatorError): RenderedError {
  return render(new RealtimeError('unavailable', asSentence(message)))
}

/** Renders an unexpected failure. The journal lists the failure under `trace`. */
export function renderRealtimeInternal(trace: string): RenderedError {
  const message = `Realtime failed unexpectedly. The journal has the cause under ${trace}.`
  return render(new RealtimeError('internal', message))
}
