// Creates the refusals of end-user authentication (docs/wire/auth.md#errors).

import { AUTH_ADVICE } from '../../advice/auth.ts'
import {
  AuthError,
  type AuthErrorCode,
  renderAuthError,
  renderAuthInternal,
} from '../../auth/errors.ts'
import { type ErrorSource, factsOf, InjectedError, keyIn, thrown } from './error-source.ts'

export const AUTH_ERRORS: ErrorSource = {
  codes: factsOf(Object.keys(AUTH_ADVICE) as AuthErrorCode[], (code) => ({
    status: statusOf(code),
    sentence: AUTH_ADVICE[code].cause,
  })),
  make: (code, { faultId, method }) => {
    if (code === 'internal') return thrown(new InjectedError(faultId))
    const known = keyIn(AUTH_ADVICE, code)
    const { cause, todo } = AUTH_ADVICE[known]
    const fields =
      known === 'invalid_request' ? { details: { body: 'was refused by an injected fault' } } : {}
    return thrown(
      new AuthError(known, cause, { hint: todo, fields, headers: headersOf(known, method) }),
    )
  },
}

function headersOf(code: AuthErrorCode, method: string): Record<string, string> {
  if (code === 'unauthorized') return { 'www-authenticate': 'Bearer' }
  return code === 'method_not_allowed' ? { allow: method } : {}
}

function statusOf(code: AuthErrorCode): number {
  const rendered =
    code === 'internal' ? renderAuthInternal('') : renderAuthError(new AuthError(code, ''))
  return rendered?.status ?? 500
}
