// Creates the refusals of end-user authentication (docs/wire/auth.md#errors).

import { AUTH_REFUSALS, AuthError, type AuthErrorCode } from '../../../services/auth/errors.ts'
import { AUTH_ADVICE } from '../../advice/auth.ts'
import {
  type ErrorSource,
  extrasOf,
  factsOf,
  InjectedError,
  keyIn,
  thrown,
} from './error-source.ts'

export const AUTH_ERRORS: ErrorSource = {
  codes: factsOf(Object.keys(AUTH_ADVICE) as AuthErrorCode[], (code) => ({
    status: AUTH_REFUSALS.renderError(new AuthError(code, ''))?.status ?? 500,
    sentence: AUTH_ADVICE[code].cause,
  })),
  make: (code, { faultId, method }) => {
    if (code === 'internal') return thrown(new InjectedError(faultId))
    const known = keyIn(AUTH_ADVICE, code)
    const { cause, todo } = AUTH_ADVICE[known]
    return thrown(new AuthError(known, cause, { hint: todo, ...extrasOf(known, method) }))
  },
}
