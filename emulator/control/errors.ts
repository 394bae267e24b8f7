// Errors of management routes: their codes, the HTTP status of each code, and their JSON form (docs/wire/errors.md#management).
import { type DISK_STATUS, DiskFailure } from '../core/disk-failure.ts'
import { asSentence, EmulatorError, type ErrorFacts } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { RenderedError } from '../core/request-env.ts'
import { CredentialError } from '../credentials/credential-error.ts'

const STATUSES = {
  invalid_slug: 400,
  slug_reservado: 400,
  confirmation_required: 400,
  invalid_request: 400,
  invalid_json: 400,
  transaction_control_blocked: 400,
  unauthorized: 401,
  admin_token_required: 401,
  tenant_quota_exceeded: 402,
  tenant_limit_reached: 402,
  forbidden: 403,
  role_change_blocked: 403,
  system_schema_protected: 403,
  not_found: 404,
  method_not_allowed: 405,
  slug_taken: 409,
  email_taken: 409,
  bucket_taken: 409,
  group_has_tenants: 409,
  postgres_unavailable: 409,
  template_protected: 409,
  template_indisponivel: 409,
  fonte_indisponivel: 409,
  payload_too_large: 413,
  clone_incompleto: 500,
  internal: 500,
  unavailable: 503,
  disk_full: 507,
  disk_failed: 503,
} as const
// Compile-time check: a full disk has the same status in every service.
STATUSES satisfies typeof DISK_STATUS

export type ManagementErrorCode = keyof typeof STATUSES

export interface ManagementErrorFacts extends Omit<ErrorFacts, 'details'> {
  /** Members of the body besides `error`, such as `details`, `project_id` and `trace`. */
  readonly fields?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

/** An error that a management route returns to the caller. */
export class ManagementError extends EmulatorError {
  override readonly code: ManagementErrorCode
  readonly fields: JsonObject
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ManagementErrorCode, message: string, facts: ManagementErrorFacts = {}) {
    super(message, facts)
    this.code = code
    this.fields = facts.fields ?? {}
    this.headers = facts.headers ?? {}
  }
}

/** 400 `invalid_request`. `details` maps each invalid field to its problem. */
export function invalidRequest(details: Readonly<Record<string, string>>): ManagementError {
  const problems = Object.entries(details).map(([field, problem]) => `${field}: ${problem}`)
  return new ManagementError(
    'invalid_request',
    `The request is not valid. ${problems.join('; ')}.`,
    {
      fields: { details },
    },
  )
}

/** Returns the error 404 `not_found`, also for resources of another account. */
export function notFound(what: string): ManagementError {
  return new ManagementError('not_found', `${what} does not exist.`)
}

/** Renders errors of management routes and credential errors. Returns `undefined` for other errors. */
export function renderManagementError(error: unknown): RenderedError | undefined {
  if (error instanceof ManagementError) return render(error)
  if (error instanceof DiskFailure)
    return render(new ManagementError(error.code, error.message, hintOf(error)))
  if (error instanceof CredentialError)
    return render(
      new ManagementError('unauthorized', error.message, {
        ...hintOf(error),
        headers: { 'www-authenticate': 'Bearer' },
      }),
    )
  return undefined
}

/** The response while the database is unavailable. */
export function renderManagementUnavailable({ message, hint }: EmulatorError): RenderedError {
  return render(
    new ManagementError('unavailable', asSentence(message), hint === undefined ? {} : { hint }),
  )
}

function hintOf({ hint }: EmulatorError): { readonly hint?: string } {
  return hint === undefined ? {} : { hint }
}

/** The response to an internal error. The journal records the cause of the error under the id `trace`. */
export function renderInternalError(trace: string): RenderedError {
  return render(
    new ManagementError('internal', 'The platform failed while answering this request.', {
      hint: 'Look up this trace in the journal to see the cause.',
      fields: { trace },
    }),
  )
}

function render(error: ManagementError): RenderedError {
  const message = error.hint === undefined ? error.message : `${error.message} ${error.hint}`
  return {
    status: STATUSES[error.code],
    headers: { 'content-type': 'application/json', ...error.headers },
    body: JSON.stringify({ error: { code: error.code, message }, ...error.fields }),
    code: error.code,
    message,
  }
}
