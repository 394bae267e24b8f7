// The errors of realtime's HTTP routes and their bodies (docs/wire/realtime.md#broadcast).
import { DiskFailure } from '../../core/disk-failure.ts'
import { asSentence, EmulatorError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { RenderedError } from '../../core/request-env.ts'
import { REALTIME_REFUSALS, type RealtimeErrorCode } from './refusals.ts'

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
    status: REALTIME_REFUSALS[error.code].status,
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
