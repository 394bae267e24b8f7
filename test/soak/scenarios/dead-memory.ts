// Eight statements in a row allocate too much memory. Their callers may get no answer, but the process must not leak memory.
import { join } from 'node:path'
import { settledMemory } from '../product.ts'
import { requireThat, type Scenario, withFolder, withSite } from '../scenario.ts'
import { killEngine, RUNAWAY_SQL } from './runaway.ts'

const SQL = `create table notes (id integer primary key); ${RUNAWAY_SQL}`
const TIMES = 8
/** The allowed factor of memory growth after the first statement. */
const MAY_GROW = 1.1

export const deadMemory: Scenario = {
  name: 'dead-memory',
  title: `an anonymous caller allocates 800 MB ${TIMES} times`,
  run: () =>
    withFolder((folder) =>
      withSite(SQL, { dataDir: join(folder, 'data') }, async (site) => {
        const statuses: number[] = [await killEngine(site)]
        const first = await settledMemory(site.product)
        if (first === undefined) return { skipped: 'memory is read from /proc, which is not here' }
        while (statuses.length < TIMES) statuses.push(await killEngine(site))
        const last = (await settledMemory(site.product)) ?? Number.NaN
        const figures = `own memory ${first.toFixed(0)} MiB after the first, ${last.toFixed(0)} MiB after the last (${[...new Set(statuses)]})`
        requireThat(last <= first * MAY_GROW, figures)
        return { figures }
      }),
    ),
}
