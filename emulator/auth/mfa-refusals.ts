// Refusals that enrolment, verification and removal of second factors share (docs/wire/auth.md#mfa).
import { AuthError } from './errors.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A factor's id as it came. @throws {AuthError} `factor_not_found` for what is no UUID */
export function requireFactorId(text: string): string {
  if (!UUID.test(text)) throw factorNotFound()
  return text.toLowerCase()
}

/** The refusal of what only a session of two factors may do. */
export function levelTooLow(deed: string): AuthError {
  return new AuthError('insufficient_aal', `It takes a session of two factors (aal2) to ${deed}.`, {
    hint: 'Verify a code of a verified factor first: POST /auth/v1/mfa/verify.',
  })
}

/** The refusal of an id that is none of the user's. */
export function factorNotFound(): AuthError {
  return new AuthError('factor_not_found', 'The user has no such factor.', {
    hint: 'GET /auth/v1/mfa lists them; the second step of a sign-in takes verified ones only.',
  })
}
