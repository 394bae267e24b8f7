// A statement that takes more memory than the engine has, so that the engine has to restart.
import { setTimeout as pause } from 'node:timers/promises'
import { requireRunning } from '../product.ts'
import { requireThat, type Site, serverHeaders, tenantAt } from '../scenario.ts'

/** For the template of a site. */
export const RUNAWAY_SQL = `create function runaway() returns integer language sql as $$ select cardinality(array_fill(1, array[200000000])) $$;`

const BACK_WITHIN_MILLIS = 60_000

/** Calls the function as the first tenant and waits until the second one is answered again; gives its status. */
export async function killEngine(site: Site): Promise<number> {
  const { product } = site
  const { status } = await product.call('POST', '/rpc/runaway', {
    headers: serverHeaders(tenantAt(site, 0)),
    body: {},
  })
  const end = performance.now() + BACK_WITHIN_MILLIS
  for (;;) {
    const { status: other } = await product.call('GET', '/notes?limit=1', {
      headers: serverHeaders(tenantAt(site, 1)),
    })
    if (other === 200) return status
    requireRunning(product)
    requireThat(performance.now() < end, `another tenant is still answered ${other}`)
    await pause(100)
  }
}
