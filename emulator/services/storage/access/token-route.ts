// POST /st/v1/token: exchanges a project credential for a storage token (docs/wire/credentials.md#storage-token).
import type { ProjectId } from '../../../core/names.ts'
import type { ServiceApp } from '../../../core/request-env.ts'
import { mintStorageToken, storageRoleOf } from '../../../platform/credentials/service-tokens.ts'
import {
  createTokenExchangeApp,
  type ExchangeRoute,
  TokenExchangeError,
} from '../../../platform/credentials/token-exchange.ts'
import type { Verifier } from '../../../platform/credentials/verify.ts'
import { FREE_PLAN_STORAGE, FREE_PLAN_STORAGE_BYTES } from '../../../platform/projects/quotas.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import type { StorageUsage } from '../buckets/bucket-store.ts'
import type { StorageDeps } from '../deps.ts'

const PATH = '/st/v1/token'

export const STORAGE_TOKEN_ROUTE: ExchangeRoute = {
  [`POST ${PATH}`]: {
    operation: 'storage.token',
    title: 'Exchanges a key for a storage token',
    codes: ['storage_quota_exceeded'],
  },
}

export interface StorageTokenDeps extends Pick<StorageDeps, 'signingKeys' | 'clock'> {
  readonly projects: Pick<ProjectRegistry, 'findProject' | 'switches'>
  readonly verifier: Verifier
  readonly usage: StorageUsage
}

export function createStorageTokenApp(deps: StorageTokenDeps): ServiceApp {
  return createTokenExchangeApp({
    path: PATH,
    verifier: deps.verifier,
    issue: async (principal, env) => {
      if (isOverQuota(deps, principal.projectId))
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

function isOverQuota({ projects, usage }: StorageTokenDeps, id: ProjectId): boolean {
  const project = projects.findProject(id)
  return (
    project?.planTier === 'free' &&
    (projects.switches.isArmed(id, 'storage_over_quota') ||
      usage.storedBytes(project.schemaName) > FREE_PLAN_STORAGE_BYTES)
  )
}
