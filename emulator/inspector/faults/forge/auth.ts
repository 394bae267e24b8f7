// Refusals of end-user authentication (contract.md §6).
import {
  AuthError,
  type AuthErrorCode,
  renderAuthError,
  renderAuthInternal,
} from '../../../auth/errors.ts'
import { AUTH_ADVICE } from '../../why/what-to-do/auth.ts'
import { type Forge, factsOf, keyIn, OrderedFailure, thrown } from './forged.ts'

export const AUTH_FORGE: Forge = {
  codes: factsOf(Object.keys(AUTH_ADVICE) as AuthErrorCode[], (code) => ({
    status: statusOf(code),
    sentence: AUTH_ADVICE[code].cause,
  })),
  make: (code, { faultId, method }) => {
    if (code === 'internal') return thrown(new OrderedFailure(faultId))
    const known = keyIn(AUTH_ADVICE, code)
    const { cause, todo } = AUTH_ADVICE[known]
    const fields =
      known === 'invalid_request' ? { details: { body: 'is refused on order of a fault' } } : {}
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
