// Refusals of the emulator's own API (contract.md §8): body {"error":{"code","message","hint"?}}.
import { EmulatorError, type ErrorFacts } from '../core/errors.ts'
import type { RenderedError } from '../core/request-env.ts'
import { WaitingError } from '../messages/waiting-room.ts'
import { type GuardCode, GuardError } from './guard.ts'

type OwnCode = 'invalid_request' | 'invalid_json' | 'not_found' | 'method_not_allowed' | 'conflict'
export type InspectorCode = OwnCode | GuardCode | WaitingError['code']

const STATUS = {
  foreign_host: 403,
  foreign_origin: 403,
  admin_token_required: 401,
  invalid_request: 400,
  invalid_json: 400,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_many_waiting: 429,
} as const satisfies Record<InspectorCode, number>

export class InspectorError extends EmulatorError {
  override readonly code: OwnCode

  constructor(code: OwnCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts)
    this.code = code
  }
}

export function renderInspectorError(error: unknown): RenderedError | undefined {
  if (
    error instanceof InspectorError ||
    error instanceof GuardError ||
    error instanceof WaitingError
  )
    return rendered(STATUS[error.code], error.code, error.message, error.hint)
  return undefined
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
