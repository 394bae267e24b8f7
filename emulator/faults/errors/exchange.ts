// Creates the refusals of POST /st/v1/token and POST /rt/v1/token (docs/wire/credentials.md#storage-token).

import { EXCHANGE_ADVICE } from '../../advice/control.ts'
import { CredentialError } from '../../credentials/credential-error.ts'
import { EXCHANGE_STATUS, TokenExchangeError } from '../../credentials/token-exchange.ts'
import { type ErrorSource, factsOf, InjectedError, keyIn, thrown } from './error-source.ts'

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
