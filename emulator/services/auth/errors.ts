// The errors of auth routes (docs/wire/auth.md#errors).
import {
  createJsonErrors,
  JsonError,
  type JsonErrors,
} from '../../platform/credentials/json-errors.ts'
import { AUTH_REFUSALS, type AuthErrorCode } from './refusals.ts'

/** An error that an auth route returns to the caller. */
export class AuthError extends JsonError<AuthErrorCode> {}

export const AUTH_ERRORS: JsonErrors<AuthError> = createJsonErrors(
  AuthError,
  AUTH_REFUSALS,
  'Authentication failed unexpectedly.',
)

/** Returns 400 `invalid_request`. `details` maps each invalid field to its problem. */
export const invalidRequest: JsonErrors<AuthError>['invalidRequest'] = AUTH_ERRORS.invalidRequest

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
