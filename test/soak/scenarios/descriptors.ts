// Sixty tenants at a limit of 1,024 open files, all of them used, with restarts of the engine in between.
import { join } from 'node:path'
import { provisionTenant } from '../../support/test-emulator.ts'
import { descriptorsOf, requireRunning } from '../product.ts'
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
const RESTART_EVERY = 20
const SQL = `create table notes (id integer primary key, body text); ${RUNAWAY_SQL}`

export const descriptors: Scenario = {
  name: 'descriptors',
  title: `${TENANTS} tenants work at a limit of ${LIMIT} open files`,
  run: () =>
    withFolder((folder) =>
      withSite(SQL, { dataDir: join(folder, 'data'), descriptors: LIMIT }, async (site) => {
        const { product, group } = site
        let most = 0
        for (let place = 2; place < TENANTS; place += 1) {
          await provisionTenant(product, group, `tenant${place}`)
          if (place % RESTART_EVERY === 0) await killEngine(site)
          most = Math.max(most, descriptorsOf(product) ?? 0)
        }
        await useAll(site)
        most = Math.max(most, descriptorsOf(product) ?? 0)
        requireRunning(product)
        return { figures: `${TENANTS} tenants, at most ${most} descriptors` }
      }),
    ),
}

async function useAll({ product }: Site): Promise<void> {
  for (const tenant of await tenantsOf(product)) {
    const headers = serverHeaders(tenant)
    const { status } = await product.call('POST', '/notes', { headers, body: { id: 1 } })
    requireThat(status === 201, `a row of ${tenant.slug} was answered ${status}`)
    const { body } = await product.call('POST', '/st/v1/token', {
      credential: tenant.service_role_key,
    })
    const bucket = `${tenant.schema_name}_files`
    await product.call('POST', '/storage/v1/bucket', {
      credential: body.token,
      body: { name: bucket },
    })
    for (let file = 0; file < 5; file += 1) {
      const path = `/storage/v1/object/${bucket}/${file}`
      const stored = await product.call('POST', path, {
        credential: body.token,
        headers: { 'content-type': 'text/plain' },
        body: 'x',
      })
      requireThat(stored.status === 200, `an object of ${tenant.slug}: ${stored.status}`)
    }
  }
}
