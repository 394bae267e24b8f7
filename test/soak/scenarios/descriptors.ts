// Uses sixty tenants with a limit of 1,024 open files, and restarts the engine in between.
import { join } from 'node:path'
import type { ReadyTenant } from '../../../emulator/index.ts'
import { provisionTenant } from '../../support/test-emulator.ts'
import { descriptorsOf, type Product, requireRunning } from '../product.ts'
import {
  requireThat,
  type Scenario,
  type Site,
  serverHeaders,
  tenantsOf,
  withFolder,
  withSite,
} from '../scenario.ts'
import { killEngine, RUNAWAY_SQL } from './runaway.ts'

const LIMIT = 1_024
const TENANTS = 60
const TABLES = Array.from({ length: 10 }, (_, place) => `t${place}`)
const SQL = `create table notes (id integer primary key, body text);
${TABLES.map((name) => `create table ${name} (id integer primary key, a text unique, b text); create index on ${name} (b);`).join('\n')}
${RUNAWAY_SQL}`

export const descriptors: Scenario = {
  name: 'descriptors',
  title: `${TENANTS} tenants work at a limit of ${LIMIT} open files, before and after a restart of the engine`,
  run: () =>
    withFolder((folder) =>
      withSite(SQL, { dataDir: join(folder, 'data'), descriptors: LIMIT }, async (site) => {
        const { product, group } = site
        for (let place = 2; place < TENANTS; place += 1)
          await provisionTenant(product, group, `tenant${place}`)
        let most = await useAll(site, 1)
        await killEngine(site)
        most = Math.max(most, await useAll(site, 2))
        requireRunning(product)
        return { figures: `${TENANTS} tenants, at most ${most} descriptors` }
      }),
    ),
}

/** Uses every table and a bucket of every tenant. Returns the largest number of open descriptors. */
async function useAll({ product }: Site, id: number): Promise<number> {
  let most = 0
  for (const tenant of await tenantsOf(product)) {
    const headers = serverHeaders(tenant)
    for (const table of ['notes', ...TABLES]) {
      const { status, text } = await product.call('POST', `/${table}`, { headers, body: { id } })
      requireThat(status === 201, `a row of ${tenant.slug} was answered ${status} ${text}`)
    }
    await storeObjects(product, tenant)
    most = Math.max(most, descriptorsOf(product) ?? 0)
  }
  return most
}

async function storeObjects({ call }: Product, tenant: ReadyTenant): Promise<void> {
  const { body } = await call('POST', '/st/v1/token', { credential: tenant.service_role_key })
  const bucket = `${tenant.schema_name}_files`
  const credential = body.token
  await call('POST', '/storage/v1/bucket', { credential, body: { name: bucket } })
  for (let file = 0; file < 5; file += 1) {
    const headers = { 'content-type': 'text/plain', 'x-upsert': 'true' }
    const path = `/storage/v1/object/${bucket}/${file}`
    const stored = await call('POST', path, { credential, headers, body: 'x' })
    requireThat(stored.status === 200, `an object of ${tenant.slug} was answered ${stored.status}`)
  }
}
