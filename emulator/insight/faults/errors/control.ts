// Creates the refusals of the management API (docs/wire/errors.md#management) and of the token exchanges. For a refusal with
// side effects, the fault sets a situation (core/situations.ts) for one request, for example a deleted template. The service
// itself then refuses the request.

import type { Situation } from '../../../core/situations.ts'
import { CredentialError } from '../../../platform/credentials/credential-error.ts'
import {
  EXCHANGE_STATUS,
  TokenExchangeError,
} from '../../../platform/credentials/token-exchange.ts'
import {
  CONTROL_REFUSALS,
  ManagementError,
  type ManagementErrorCode,
} from '../../../services/control/errors.ts'
import { CONTROL_ADVICE, EXCHANGE_ADVICE } from '../../advice/control.ts'
import {
  type ErrorSource,
  extrasOf,
  factsOf,
  InjectedError,
  keyIn,
  thrown,
} from './error-source.ts'

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

export const CONTROL_ERRORS: ErrorSource = {
  codes: {
    ...factsOf(Object.keys(CONTROL_ADVICE) as ManagementErrorCode[], (code) => ({
      status: CONTROL_REFUSALS.renderError(new ManagementError(code, ''))?.status ?? 500,
      sentence: CONTROL_ADVICE[code].cause,
    })),
    pendente: {
      status: 202,
      sentence:
        'The platform has begun to erase the tenant and will finish within a few minutes. The answer 202 is not an error.',
    },
  },
  make: (code, request) => {
    const situation = SITUATIONS[`${request.operation} ${code}`]
    if (situation !== undefined) return { kind: 'situation', situation }
    if (code === 'internal') return thrown(new InjectedError(request.faultId))
    const known = keyIn(CONTROL_ADVICE, code)
    const { cause, todo } = CONTROL_ADVICE[known]
    const extras = extrasOf(known, request.method)
    return thrown(new ManagementError(known, cause, { hint: todo, ...extras }))
  },
}

/** The refusals of POST /st/v1/token and POST /rt/v1/token (docs/wire/credentials.md#storage-token). */
export const EXCHANGE_ERRORS: ErrorSource = {
  codes: {
    unauthorized: { status: 401, sentence: EXCHANGE_ADVICE.unauthorized.cause },
    ...factsOf(Object.keys(EXCHANGE_STATUS) as (keyof typeof EXCHANGE_STATUS)[], (code) => ({
      status: EXCHANGE_STATUS[code],
      sentence: EXCHANGE_ADVICE[code].cause,
    })),
    internal: { status: 500, sentence: 'The emulator failed unexpectedly during the exchange.' },
  },
  make: (code, { faultId }) => {
    if (code === 'internal') return thrown(new InjectedError(faultId))
    const { cause, todo } = EXCHANGE_ADVICE[keyIn(EXCHANGE_ADVICE, code)]
    return thrown(
      code === 'unauthorized'
        ? new CredentialError('malformed', cause, { hint: todo })
        : new TokenExchangeError(keyIn(EXCHANGE_STATUS, code), `${cause} ${todo}`),
    )
  },
}
