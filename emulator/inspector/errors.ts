// Refusals of the emulator's own API (contract.md §8): body {"error":{"code","message","hint"?}}.
import { EmulatorError, type ErrorFacts } from '../core/errors.ts'
import type { RenderedError } from '../core/request-env.ts'
import { type GuardCode, GuardError } from './guard.ts'

export type InspectorCode =
  | GuardCode
  | 'invalid_request'
  | 'invalid_json'
  | 'not_found'
  | 'method_not_allowed'

const STATUS = {
  foreign_host: 403,
  foreign_origin: 403,
  admin_token_required: 401,
  invalid_request: 400,
  invalid_json: 400,
  not_found: 404,
  method_not_allowed: 405,
} as const satisfies Record<InspectorCode, number>

export class InspectorError extends EmulatorError {
  override readonly code: Exclude<InspectorCode, GuardCode>

  constructor(code: Exclude<InspectorCode, GuardCode>, message: string, facts: ErrorFacts = {}) {
    super(message, facts)
    this.code = code
  }
}

export function renderInspectorError(error: unknown): RenderedError | undefined {
  if (!(error instanceof InspectorError || error instanceof GuardError)) return undefined
  return rendered(STATUS[error.code], error.code, error.message, error.hint)
}

export function renderInspectorInternal(trace: string): RenderedError {
  return rendered(500, 'internal', `Something went wrong inside the emulator; trace ${trace}.`)
}

function rendered(status: number, code: string, message: string, hint?: string): RenderedError {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { code, message, hint } }),
    code,
    message,
  }
}
