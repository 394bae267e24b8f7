// The interface of attacks. A scenario starts the product, attacks it, and throws when a tenant would notice the attack.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadyTenant } from '../../emulator/index.ts'
import { createGroup, provisionTenant, type TestGroup } from '../support/test-emulator.ts'
import { killProduct, type Product, type StartOptions, startProduct } from './product.ts'
import type { Random } from './random.ts'

export interface Scenario {
  readonly name: string
  /** The attack in one sentence. */
  readonly title: string
  /** @throws {Error} when a property does not hold */
  run(context: Context): Promise<Outcome>
}

export interface Context {
  readonly random: Random
  /** Wall-clock minutes and number of kills of the scenario with mixed traffic. */
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

/**
 * Makes a folder for `work` and removes it afterwards. Other accounts may enter the folder, because a server may run as another
 * account.
 */
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

/** Runs `work` with a product that has two tenants of one template. Ends the product afterwards. */
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

/** Reads the tenants' current addresses and keys from the product. */
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

/** Headers of a request with the tenant's service_role key. */
export function serverHeaders(tenant: ReadyTenant): Readonly<Record<string, string>> {
  return {
    apikey: tenant.anon_key,
    authorization: `Bearer ${tenant.service_role_key}`,
    'accept-profile': tenant.schema_name,
    'content-profile': tenant.schema_name,
  }
}

/** Returns the result of `work` and its duration in milliseconds. */
export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly millis: number; readonly result: Result }> {
  const started = performance.now()
  const result = await work()
  return { millis: performance.now() - started, result }
}
