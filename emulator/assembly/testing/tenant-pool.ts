// The pool provisions tenants for tests in advance, refills itself while tests run, and purges returned tenants. Tests don't
// wait for a tenant and don't see another test's data.
import type { Platform } from './platform.ts'
import { createTenant, type TenantFacts } from './tenant.ts'
import type { Tenants } from './tenants.ts'

export interface PoolOptions {
  /** The group of the tenants (default: the first group). */
  readonly group: string | undefined
  /** Number of tenants to keep in stock. */
  readonly warm: number
}

export interface TenantPool {
  /** Returns an unused tenant. @throws {TestingError} when the platform cannot provision one */
  lease(): Promise<TenantFacts>
  /** Purges the tenant in the background. */
  giveBack(slug: string): void
  /** Waits for background provisioning and purges. */
  settle(): Promise<void>
}

/** Creates a pool, which starts to provision tenants immediately. */
export function createTenantPool(
  platform: Platform,
  tenants: Pick<Tenants, 'tenant'>,
  { group, warm }: PoolOptions,
): TenantPool {
  const leased = new Map<string, TenantFacts>()
  const stock: Promise<TenantFacts>[] = []
  let purging = Promise.resolve()

  // Provisions one tenant after the other, so that the first tenant is ready soonest. The engine works on one at a time anyway.
  let last: Promise<unknown> = Promise.resolve()
  function refill(): void {
    while (stock.length < warm) {
      const next = last.then(() => tenants.tenant(undefined, group === undefined ? {} : { group }))
      last = next.catch(() => undefined)
      // `lease` reports the failure.
      next.catch(() => undefined)
      stock.push(next)
    }
  }
  refill()
  return {
    lease: async () => {
      const next = stock.shift()
      refill()
      const facts = await (next ?? tenants.tenant(undefined, group === undefined ? {} : { group }))
      leased.set(facts.slug, facts)
      return factsOf(facts)
    },
    giveBack: (slug) => {
      const facts = leased.get(slug)
      if (facts === undefined) return
      leased.delete(slug)
      // A tenant that cannot be purged stays until the emulator ends and is never leased again.
      const purge = () => createTenant(platform, facts).remove()
      purging = purging.then(purge).catch(() => undefined)
    },
    settle: async () => {
      await Promise.allSettled(stock)
      await purging
    },
  }
}

function factsOf(facts: TenantFacts): TenantFacts {
  const { slug, schemaName, projectId, anonKey, serviceRoleKey, groupId, groupApiKey } = facts
  return { slug, schemaName, projectId, anonKey, serviceRoleKey, groupId, groupApiKey }
}
