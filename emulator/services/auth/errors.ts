// The errors of auth routes: their codes and the HTTP status of each code (docs/wire/auth.md#errors).
import {
  createJsonErrors,
  JsonError,
  type JsonErrors,
} from '../../platform/credentials/json-errors.ts'

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

export type AuthErrorCode = keyof typeof STATUSES

/** An error that an auth route returns to the caller. */
export class AuthError extends JsonError<AuthErrorCode> {}

export const AUTH_REFUSALS: JsonErrors<AuthError> = createJsonErrors(
  AuthError,
  STATUSES,
  'Authentication failed unexpectedly.',
)

/** Returns 400 `invalid_request`. `details` maps each invalid field to its problem. */
export const invalidRequest: JsonErrors<AuthError>['invalidRequest'] = AUTH_REFUSALS.invalidRequest

/** The error for a new user while the project accepts none. */
export function signupDisabled(): AuthError {
  return new AuthError('signup_disabled', 'This project accepts no new users.', {
    hint: 'Set the auth setting "signup_closed" to false to allow new users.',
  })
}

/** The error for a session that was ended after the request was authenticated. */
export function sessionEnded(): AuthError {
  return new AuthError('unauthorized', 'The session was ended.', { hint: 'Sign in again.' })
}

/** The error for a sign-in whose password or token another request invalidated before the session was opened. */
export function proofLapsed(): AuthError {
  return new AuthError(
    'unauthorized',
    'The sign-in ended, because another request changed the user’s password at the same time.',
    { hint: 'Sign in again.' },
  )
}

/** The error for a user who was deleted after the request was authenticated. */
export function userGone(): AuthError {
  return new AuthError('unauthorized', 'The user no longer exists.')
}
