// Errors of the emulator's own API (docs/reference/emulator-api.md). The body of an error is
// {"error":{"code","message","hint"?}}.
import { DiskFailure, type DiskFailureCode } from '../../core/disk-failure.ts'
import { asSentence, EmulatorError, type ErrorFacts } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { RenderedError } from '../../core/request-env.ts'
import { WaitingError } from '../../platform/messages/waiting-room.ts'
import { type GuardCode, GuardError } from './guard.ts'
import { INSPECTOR_REFUSALS, type InspectorCode } from './refusals.ts'

/** The codes of `InspectorError`. Other errors of the API have their own classes. */
type OwnCode = Exclude<
  InspectorCode,
  GuardCode | WaitingError['code'] | DiskFailureCode | 'internal'
>

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
    return rendered(error.code, error.message, error.hint, error.fields)
  if (error instanceof GuardError || error instanceof WaitingError || error instanceof DiskFailure)
    return rendered(error.code, error.message, error.hint)
  return undefined
}

/** Renders the response when the database could not serve the request. @param error an error with a SQLSTATE as its code */
export function renderInspectorUnavailable({ code, message, hint }: EmulatorError): RenderedError {
  const own = UNAVAILABLE[code] ?? 'busy'
  return rendered(own, asSentence(message), hint, { sql_state: code })
}

const UNAVAILABLE: Readonly<Record<string, OwnCode>> = {
  '57P02': 'database_restarted',
  '57P03': 'database_down',
}

export function renderInspectorInternal(trace: string): RenderedError {
  return rendered('internal', `Something went wrong inside the emulator; trace ${trace}.`)
}

function rendered(
  code: InspectorCode,
  message: string,
  hint?: string,
  fields: JsonObject = {},
): RenderedError {
  return {
    status: INSPECTOR_REFUSALS[code].status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { code, message, hint, ...fields } }),
    code,
    message,
  }
}
