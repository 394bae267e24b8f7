// Opens the stores of the control plane over one database, so that one transaction can span them.
import type { SystemDb } from '../../database/system-db/system-db.ts'
import {
  createProjectRegistry,
  type ProjectRegistry,
  type RegistrySource,
} from '../../platform/projects/registry.ts'
import { createOwnerStore, type OwnerStore } from './accounts/owners.ts'
import { createGroupStore, type GroupStore } from './groups/groups.ts'
import { type ApiKeyStore, createApiKeyStore } from './keys/api-keys.ts'
import { createTenantStore, type TenantStore } from './tenants/tenants.ts'

export interface ControlStores {
  readonly projects: ProjectRegistry
  readonly owners: OwnerStore
  readonly groups: GroupStore
  readonly tenants: TenantStore
  readonly apiKeys: ApiKeyStore
  /** Runs writes of several stores in one transaction. */
  readonly transaction: SystemDb['transaction']
}

export function createControlStores(db: SystemDb, source: RegistrySource): ControlStores {
  return {
    projects: createProjectRegistry(db, source),
    owners: createOwnerStore(db, source),
    groups: createGroupStore(db, source),
    tenants: createTenantStore(db, source),
    apiKeys: createApiKeyStore(db, source),
    transaction: (work) => db.transaction(work),
  }
}
