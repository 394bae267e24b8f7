// Tenants in stock: provisioned in advance, refilled while tests run, purged when they are handed back. So no test waits for
// one, and no test meets what another left behind.
import type { Platform } from './platform.ts'
import { createTenant, type TenantFacts } from './tenant.ts'
import type { Tenants } from './tenants.ts'

export interface PoolOptions {
  /** Group of the tenants; the first there is unless told. */
  readonly group: string | undefined
  /** Tenants kept in stock. */
  readonly warm: number
}

export interface TenantPool {
  /** Hands out a tenant that nobody had before. @throws {TestingError} when none can be provisioned */
  lease(): Promise<TenantFacts>
  /** Takes one back; it is purged in the background. */
  giveBack(slug: string): void
  /** Waits for what runs in the background. */
  settle(): Promise<void>
}

/** Starts filling at once. */
export function createTenantPool(
  platform: Platform,
  tenants: Pick<Tenants, 'tenant'>,
  { group, warm }: PoolOptions,
): TenantPool {
  const leased = new Map<string, TenantFacts>()
  const stock: Promise<TenantFacts>[] = []
  let purging = Promise.resolve()

  // The engine works on one at a time anyway: in a row, the first is there soonest.
  let last: Promise<unknown> = Promise.resolve()
  function refill(): void {
    while (stock.length < warm) {
      const next = last.then(() => tenants.tenant(undefined, group === undefined ? {} : { group }))
      last = next.catch(() => undefined)
      // The failure is reported when the tenant is taken.
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
      // What cannot be purged stays until the emulator ends; nobody is handed it again.
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
