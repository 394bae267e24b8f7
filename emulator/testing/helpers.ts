// What a test asks of an emulator beside plain requests, put together over its routes.
import { type Actor, actInTenant, actWithKey, type Identity } from './actor.ts'
import type { Platform } from './platform.ts'
import type { Tenant } from './tenant.ts'
import { createTenants, type TenantOptions } from './tenants.ts'
import { createTestMailbox, type TestMailbox } from './test-mailbox.ts'

export interface TestHelpers {
  /**
   * Requests in somebody's name: `as({ tenant: 'aurora', user: 'ana@patients.test' })`, or with a key, `as({ key })`.
   * @throws {TestingError} `unknown_tenant`, or `refused` for an unknown user
   */
  as(identity: Identity): Promise<Actor>
  /**
   * The tenant of that slug, provisioned if there is none; without a slug a new one of the first group, or of a new group
   * with an empty template. @throws {TestingError} `unknown_group`, `refused`
   */
  tenant(slug?: string, options?: TenantOptions): Promise<Tenant>
  /** What would have been sent to people, of all tenants. */
  readonly mailbox: TestMailbox
}

export function createTestHelpers(platform: Platform): TestHelpers {
  const tenants = createTenants(platform)
  return {
    as: async (identity) => {
      if ('key' in identity) return actWithKey(platform, identity.key)
      const { tenant, ...somebody } = identity
      return actInTenant(platform, await tenants.find(tenant), somebody)
    },
    tenant: (slug, options) => tenants.tenant(slug, options),
    mailbox: createTestMailbox(platform),
  }
}
