// The errors of auth routes: their codes, the HTTP status of each code, and their JSON or HTML form (docs/wire/auth.md#errors).
import { type DISK_STATUS, DiskFailure } from '../core/disk-failure.ts'
import { asSentence, EmulatorError, type ErrorFacts } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { RenderedError } from '../core/request-env.ts'
import { CredentialError } from '../credentials/credential-error.ts'

const STATUSES = {
  invalid_request: 400,
  invalid_json: 400,
  project_conflict: 400,
  weak_password: 400,
  invalid_otp: 400,
  invalid_code: 400,
  invalid_pkce: 400,
  pkce_mismatch: 400,
  invalid_redirect: 400,
  email_change_unsupported: 400,
  current_password_required: 400,
  whatsapp_not_configured: 400,
  sms_not_configured: 400,
  oauth_not_enabled: 400,
  oauth_state_invalid: 400,
  oauth_state_unbound: 400,
  factor_not_found: 400,
  invalid_credentials: 401,
  unauthorized: 401,
  signup_disabled: 403,
  user_banned: 403,
  email_not_confirmed: 403,
  insufficient_aal: 403,
  not_found: 404,
  method_not_allowed: 405,
  email_taken: 409,
  payload_too_large: 413,
  too_many_attempts: 429,
  internal: 500,
  unavailable: 503,
  disk_full: 507,
  disk_failed: 503,
  whatsapp_send_failed: 503,
} as const
// Compile-time check: a full disk has the same status in every service.
STATUSES satisfies typeof DISK_STATUS

export type AuthErrorCode = keyof typeof STATUSES

export interface AuthErrorFacts extends Omit<ErrorFacts, 'details'> {
  /** Members of the body besides `error`, such as `details` and `trace`. */
  readonly fields?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
  /** Browsers get this HTML page instead of the JSON body. `headers` contains the Content-Type of the page. */
  readonly page?: string
}

/** An error that an auth route returns to the caller. */
export class AuthError extends EmulatorError {
  override readonly code: AuthErrorCode
  readonly fields: JsonObject
  readonly headers: Readonly<Record<string, string>>
  readonly page: string | undefined

  constructor(code: AuthErrorCode, message: string, facts: AuthErrorFacts = {}) {
    super(message, facts)
    this.code = code
    this.fields = facts.fields ?? {}
    this.headers = facts.headers ?? {}
    this.page = facts.page
  }
}

/** 400 `invalid_request`. `details` maps each invalid field to its problem. */
export function invalidRequest(details: Readonly<Record<string, string>>): AuthError {
  const problems = Object.entries(details).map(([field, problem]) => `${field}: ${problem}`)
  return new AuthError('invalid_request', `The request is not valid. ${problems.join('; ')}.`, {
    fields: { details },
  })
}

/** Renders errors of auth routes and credential errors. Returns `undefined` for other errors. */
export function renderAuthError(error: unknown): RenderedError | undefined {
  const refusal = asAuthError(error)
  return refusal === undefined ? undefined : render(refusal)
}

/** Converts an error to an AuthError. A credential error becomes `unauthorized`. Returns `undefined` for other errors. */
export function asAuthError(error: unknown): AuthError | undefined {
  if (error instanceof AuthError) return error
  if (error instanceof DiskFailure) return new AuthError(error.code, error.message, hintOf(error))
  if (!(error instanceof CredentialError)) return undefined
  return new AuthError('unauthorized', error.message, {
    ...hintOf(error),
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** The response while the database is unavailable. */
export function renderAuthUnavailable({ message, hint }: EmulatorError): RenderedError {
  return render(
    new AuthError('unavailable', asSentence(message), hint === undefined ? {} : { hint }),
  )
}

function hintOf({ hint }: EmulatorError): { readonly hint?: string } {
  return hint === undefined ? {} : { hint }
}

/** The response to an internal error. The journal records the cause of the error under the id `trace`. */
export function renderAuthInternal(trace: string): RenderedError {
  return render(
    new AuthError('internal', 'Authentication failed unexpectedly.', {
      hint: 'Look up this trace in the journal to see the cause.',
      fields: { trace },
    }),
  )
}

function render(error: AuthError): RenderedError {
  const message = error.hint === undefined ? error.message : `${error.message} ${error.hint}`
  return {
    status: STATUSES[error.code],
    headers: { 'content-type': 'application/json', ...error.headers },
    body: error.page ?? JSON.stringify({ error: { code: error.code, message }, ...error.fields }),
    code: error.code,
    message,
  }
}
