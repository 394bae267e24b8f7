// POST /rt/v1/token: exchanges a credential for a realtime token (docs/wire/realtime.md#tokens).

import type { Clock } from '../../../core/clock.ts'
import { realtimeRoleOf } from '../../../core/names.ts'
import type { ServiceApp } from '../../../core/request-env.ts'
import {
  mintRealtimeToken,
  SERVICE_TOKEN_SECONDS,
} from '../../../platform/credentials/service-tokens.ts'
import type { SigningKeys } from '../../../platform/credentials/signing-keys.ts'
import {
  createTokenExchangeApp,
  type ExchangeRoute,
} from '../../../platform/credentials/token-exchange.ts'
import type { Verifier } from '../../../platform/credentials/verify.ts'

const PATH = '/rt/v1/token'

export const REALTIME_TOKEN_ROUTE: ExchangeRoute = {
  [`POST ${PATH}`]: {
    operation: 'realtime.token',
    title: 'Exchanges a credential for a realtime token',
    codes: ['forbidden'],
  },
}

export interface RealtimeTokenDeps {
  readonly verifier: Verifier
  readonly signingKeys: SigningKeys
  readonly clock: Clock
}

export function createRealtimeTokenApp(deps: RealtimeTokenDeps): ServiceApp {
  return createTokenExchangeApp({
    path: PATH,
    verifier: deps.verifier,
    forbidden: {
      offline: 'project is not active',
      userGone: 'The user behind this token was deleted or banned.',
    },
    issue: async (principal, env) => ({
      token: await mintRealtimeToken(deps.signingKeys, principal, deps.clock.now()),
      url: env.addresses.realtimeUrl,
      role: realtimeRoleOf(principal.schemaName),
      papel_de_origem: principal.role,
      expires_in: SERVICE_TOKEN_SECONDS,
    }),
  })
}
