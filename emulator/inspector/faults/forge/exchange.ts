// Refusals of POST /st/v1/token and POST /rt/v1/token (seed: "Token endpoints"; contract.md §3, §7).
import { CredentialError } from '../../../credentials/credential-error.ts'
import { EXCHANGE_STATUS, TokenExchangeError } from '../../../credentials/token-exchange.ts'
import { EXCHANGE_ADVICE } from '../../why/what-to-do/control.ts'
import { type Forge, factsOf, keyIn, OrderedFailure, thrown } from './forged.ts'

export const EXCHANGE_FORGE: Forge = {
  codes: {
    unauthorized: { status: 401, sentence: EXCHANGE_ADVICE.unauthorized.cause },
    ...factsOf(Object.keys(EXCHANGE_STATUS) as (keyof typeof EXCHANGE_STATUS)[], (code) => ({
      status: EXCHANGE_STATUS[code],
      sentence: EXCHANGE_ADVICE[code].cause,
    })),
    internal: { status: 500, sentence: 'Something went wrong inside the emulator.' },
  },
  make: (code, { faultId }) => {
    if (code === 'internal') return thrown(new OrderedFailure(faultId))
    const { cause, todo } = EXCHANGE_ADVICE[keyIn(EXCHANGE_ADVICE, code)]
    return thrown(
      code === 'unauthorized'
        ? new CredentialError('malformed', cause, { hint: todo })
        : new TokenExchangeError(keyIn(EXCHANGE_STATUS, code), `${cause} ${todo}`),
    )
  },
}
