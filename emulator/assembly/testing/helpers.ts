// Creates helpers for tests: tenants, identities and the mailbox. The helpers use the platform's routes.
import type { MigrationReport } from '../../contract/migrations.ts'
import { type Actor, actInTenant, actWithKey, type Identity } from './actor.ts'
import { type MigrateOptions, migrate } from './migrate.ts'
import type { Platform } from './platform.ts'
import type { Tenant } from './tenant.ts'
import { createTenants, type TenantOptions } from './tenants.ts'
import { createTestMailbox, type TestMailbox } from './test-mailbox.ts'

/** Helpers that an emulator has for tests. */
export interface TestHelpers {
  /**
   * Sends requests with an identity: `as({ tenant: 'aurora', user: 'ana@patients.test' })`, or with a key, `as({ key })`.
   * @throws {TestingError} `unknown_tenant`, or `refused` for an unknown user
   */
  as(identity: Identity): Promise<Actor>
  /**
   * Returns the tenant of the slug. Provisions the tenant if it does not exist. Without a slug, provisions a new tenant of the
   * first group, or of a new group with an empty template. @throws {TestingError} `unknown_group`, `refused`
   */
  tenant(slug?: string, options?: TenantOptions): Promise<Tenant>
  /**
   * Applies the steps of `tenantry/migrations`, or of the options, to the template of a group and to its tenants.
   * @throws {TestingError} `migration_failed` with file, line and reason
   */
  migrate(options?: MigrateOptions): Promise<MigrationReport>
  /** The e-mail, WhatsApp and SMS messages of all tenants. */
  readonly mailbox: TestMailbox
}

export function createTestHelpers(platform: Platform): TestHelpers {
  const tenants = createTenants(platform)
  return {
    as: async (identity) => {
      if ('key' in identity) return actWithKey(platform, identity.key)
      const { tenant, ...inTenant } = identity
      return actInTenant(platform, await tenants.find(tenant), inTenant)
    },
    tenant: (slug, options) => tenants.tenant(slug, options),
    migrate: (options = {}) => migrate(platform, options),
    mailbox: createTestMailbox(platform),
  }
}
