// Errors of management routes: their codes and the HTTP status of each code (docs/wire/errors.md#management).
import {
  createJsonErrors,
  JsonError,
  type JsonErrors,
} from '../../platform/credentials/json-errors.ts'

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

export type ManagementErrorCode = keyof typeof STATUSES

/** An error that a management route returns to the caller. */
export class ManagementError extends JsonError<ManagementErrorCode> {}

export const CONTROL_REFUSALS: JsonErrors<ManagementError> = createJsonErrors(
  ManagementError,
  STATUSES,
  'The platform failed while answering this request.',
)

/** Returns 400 `invalid_request`. `details` maps each invalid field to its problem. */
export const invalidRequest: JsonErrors<ManagementError>['invalidRequest'] =
  CONTROL_REFUSALS.invalidRequest

/** Returns the error 404 `not_found`, also for resources of another account. */
export function notFound(what: string): ManagementError {
  return new ManagementError('not_found', `${what} does not exist.`)
}
