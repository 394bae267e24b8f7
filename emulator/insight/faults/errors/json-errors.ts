// Creates the refusals with the body {"error": {"code", "message"}}: of auth, of the management API
// (docs/wire/errors.md#management) and of the token exchanges. For a refusal with side effects, the fault sets a situation
// (core/situations.ts) for one request, for example a deleted template. The service itself then refuses the request.

import type { Situation } from '../../../core/situations.ts'
import { CredentialError } from '../../../platform/credentials/credential-error.ts'
import { EXCHANGE_REFUSALS } from '../../../platform/credentials/exchange-refusals.ts'
import type { JsonErrorFacts } from '../../../platform/credentials/json-errors.ts'
import { TokenExchangeError } from '../../../platform/credentials/token-exchange.ts'
import { AuthError } from '../../../services/auth/errors.ts'
import { AUTH_REFUSALS } from '../../../services/auth/refusals.ts'
import { ManagementError } from '../../../services/control/errors.ts'
import { CONTROL_REFUSALS } from '../../../services/control/refusals.ts'
import { type ErrorSource, errorSource } from './error-source.ts'

export const AUTH_ERRORS: ErrorSource = errorSource(
  AUTH_REFUSALS,
  (code, { cause, remedy }, { method }) =>
    new AuthError(code, cause, factsOf(code, remedy, method)),
)

/** The situation to simulate, by operation and code. */
const SITUATIONS: Readonly<Record<string, Situation>> = {
  'tenant.provision template_indisponivel': 'template_deleted',
  'tenant.provision internal': 'provision_fails',
  'template.publish fonte_indisponivel': 'source_out_of_sync',
  'template.publish_as_owner fonte_indisponivel': 'source_out_of_sync',
  'template.publish clone_incompleto': 'clone_incomplete',
  'template.publish_as_owner clone_incompleto': 'clone_incomplete',
  'tenant.purge pendente': 'purge_pending',
}

const MANAGEMENT = errorSource(
  CONTROL_REFUSALS,
  (code, { cause, remedy }, { method }) =>
    new ManagementError(code, cause, factsOf(code, remedy, method)),
)

export const CONTROL_ERRORS: ErrorSource = {
  codes: {
    ...MANAGEMENT.codes,
    pendente: {
      status: 202,
      cause:
        'The platform has begun to erase the tenant and will finish within a few minutes. The answer 202 is not an error.',
      remedy: 'Nothing has to be done. The tenant is offline at once.',
    },
  },
  make: (code, request) => {
    const situation = SITUATIONS[`${request.operation} ${code}`]
    return situation === undefined
      ? MANAGEMENT.make(code, request)
      : { kind: 'situation', situation }
  },
}

export const EXCHANGE_ERRORS: ErrorSource = errorSource(
  EXCHANGE_REFUSALS,
  (code, { cause, remedy }) =>
    code === 'unauthorized'
      ? new CredentialError('malformed', cause, { hint: remedy })
      : new TokenExchangeError(code, `${cause} ${remedy}`),
)

// Some refusals have members beside `error`, or headers.
function factsOf(code: string, hint: string, method: string): JsonErrorFacts {
  switch (code) {
    case 'invalid_request':
      return { hint, fields: { details: { body: 'was refused by an injected fault' } } }
    case 'unauthorized':
      return { hint, headers: { 'www-authenticate': 'Bearer' } }
    case 'method_not_allowed':
      return { hint, headers: { allow: method } }
    default:
      return { hint }
  }
}
