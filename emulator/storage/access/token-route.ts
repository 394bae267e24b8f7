// POST /st/v1/token: exchanges a project credential for a storage token (docs/wire/credentials.md#storage-token).
import type { Clock } from '../../core/clock.ts'
import type { ServiceApp } from '../../core/request-env.ts'
import { mintStorageToken, storageRoleOf } from '../../credentials/service-tokens.ts'
import type { SigningKeys } from '../../credentials/signing-keys.ts'
import {
  createTokenExchangeApp,
  type ExchangeRoute,
  TokenExchangeError,
} from '../../credentials/token-exchange.ts'
import type { Verifier } from '../../credentials/verified.ts'
import type { ProjectLookup } from '../../projects/project.ts'
import { FREE_PLAN_STORAGE, FREE_PLAN_STORAGE_BYTES } from '../../projects/quotas.ts'
import type { StorageUsage } from '../buckets/bucket-store.ts'

const PATH = '/st/v1/token'

export const STORAGE_TOKEN_ROUTE: ExchangeRoute = {
  [`POST ${PATH}`]: {
    operation: 'storage.token',
    title: 'Exchanges a key for a storage token',
    codes: ['storage_quota_exceeded'],
  },
}

export interface StorageTokenDeps {
  readonly verifier: Verifier
  readonly signingKeys: SigningKeys
  readonly projects: ProjectLookup
  readonly usage: StorageUsage
  readonly clock: Clock
}

export function createStorageTokenApp(deps: StorageTokenDeps): ServiceApp {
  return createTokenExchangeApp({
    path: PATH,
    verifier: deps.verifier,
    issue: async (principal, env) => {
      const planTier = deps.projects.findProject(principal.projectId)?.planTier
      if (
        planTier === 'free' &&
        deps.usage.storedBytes(principal.schemaName) > FREE_PLAN_STORAGE_BYTES
      )
        throw new TokenExchangeError(
          'storage_quota_exceeded',
          `The free plan’s ${FREE_PLAN_STORAGE} of storage is used up. Delete files or move the project to a larger plan.`,
        )
      const role = storageRoleOf(principal.role)
      return {
        token: await mintStorageToken(deps.signingKeys, principal, deps.clock.now()),
        url: env.addresses.storageUrl,
        role,
        pode_escrever: role === 'authenticated',
      }
    },
  })
}
