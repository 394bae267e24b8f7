// One attack as something that runs: it starts the product, does harm, and throws when a tenant would have noticed.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadyTenant } from '../../emulator/index.ts'
import { createGroup, provisionTenant, type TestGroup } from '../support/test-emulator.ts'
import { killProduct, type Product, type StartOptions, startProduct } from './product.ts'
import type { Random } from './random.ts'

export interface Scenario {
  readonly name: string
  /** What happens, in one sentence. */
  readonly title: string
  /** @throws {Error} when a property does not hold */
  run(context: Context): Promise<Outcome>
}

export interface Context {
  readonly random: Random
  /** Wall minutes and kills of the scenario with mixed traffic. */
  readonly minutes: number
  readonly kills: number
  log(line: string): void
}

export type Outcome = { readonly figures: string } | { readonly skipped: string }

export interface Site {
  readonly product: Product
  readonly group: TestGroup
  readonly tenants: readonly ReadyTenant[]
}

/** Whether this run tests the engine of a PostgreSQL server. */
export function onServer(): boolean {
  return process.env['TENANTRY_ENGINE'] === 'postgres'
}

/** A folder of its own for `work`, removed after it. A server may run as another account, which must be able to pass it. */
export async function withFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-soak-'))
  chmodSync(folder, 0o711)
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A product with two tenants of one template for `work`, ended after it. */
export async function withSite<Result>(
  sql: string,
  options: StartOptions,
  work: (site: Site) => Promise<Result>,
): Promise<Result> {
  const product = await startProduct(options)
  try {
    const group = await createGroup(product, 'soak', {
      plan: 'scale',
      ...(sql === '' ? {} : { sql }),
    })
    for (const slug of ['first', 'second']) await provisionTenant(product, group, slug)
    return await work({ product, group, tenants: await tenantsOf(product) })
  } finally {
    await killProduct(product)
  }
}

/** Addresses and keys as the product says them now. */
export async function tenantsOf({ call }: Product): Promise<readonly ReadyTenant[]> {
  const { body } = await call('GET', '/_emulator/v1/info')
  return body.groups.flatMap(({ tenants }: { tenants: ReadyTenant[] }) => tenants)
}

export function tenantAt({ tenants }: Pick<Site, 'tenants'>, place: number): ReadyTenant {
  const tenant = tenants[place]
  if (tenant === undefined) throw new Error(`there is no tenant ${place}`)
  return tenant
}

export function requireThat(holds: boolean, reason: string): void {
  if (!holds) throw new Error(reason)
}

/** Headers of a tenant's server side. */
export function serverHeaders(tenant: ReadyTenant): Readonly<Record<string, string>> {
  return {
    apikey: tenant.anon_key,
    authorization: `Bearer ${tenant.service_role_key}`,
    'accept-profile': tenant.schema_name,
    'content-profile': tenant.schema_name,
  }
}

/** Milliseconds that `work` takes, and what it gives. */
export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly millis: number; readonly result: Result }> {
  const started = performance.now()
  const result = await work()
  return { millis: performance.now() - started, result }
}
