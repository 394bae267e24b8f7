// Makes the engine restart: on the embedded engine by a statement that needs too much memory, on a server by killing it.
import { setTimeout as pause } from 'node:timers/promises'
import { isLate } from '../machine.ts'
import { killServer, type Product, requireRunning } from '../product.ts'
import { onServer, requireThat, type Site, serverHeaders, tenantAt } from '../scenario.ts'

/** SQL for the template of a site: a function that needs more memory than the embedded engine has. */
export const RUNAWAY_SQL = `create function runaway() returns integer language sql as $$ select cardinality(array_fill(1, array[200000000])) $$;`

const BACK_WITHIN_MILLIS = 60_000

/** Ends the engine and waits until the second tenant gets answers again. Returns the status of the call that ended the engine. */
export async function killEngine(site: Site): Promise<number> {
  const { product } = site
  const status = onServer() ? killedServer(product) : await callRunaway(site)
  const started = performance.now()
  for (;;) {
    const { status: other } = await product.call('GET', '/notes?limit=1', {
      headers: serverHeaders(tenantAt(site, 1)),
    })
    if (other === 200) return status
    requireRunning(product)
    requireThat(!isLate(started, BACK_WITHIN_MILLIS), `another tenant is still answered ${other}`)
    await pause(100)
  }
}

async function callRunaway(site: Site): Promise<number> {
  const headers = serverHeaders(tenantAt(site, 0))
  return (await site.product.call('POST', '/rpc/runaway', { headers, body: {} })).status
}

function killedServer(product: Product): number {
  killServer(product)
  return 0
}
