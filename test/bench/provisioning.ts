// How long provisioning a tenant of a 30-table template takes. Measures 100 tenants in a row, then pairs from the stock of
// prepared clones, which the emulator refills while idle.
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './measure.ts'
import { type BenchServer, manage } from './server.ts'
import { createBenchGroup, createTemplate, THIRTY_TABLES } from './templates.ts'

const TENANTS = 100
// Two prepared clones are ready after about a second without requests. The longer time allows for a busy machine.
const REFILL_MILLIS = 4_000
const PREPARED = 2
const REFILLS = 5

export interface ProvisioningFigures {
  readonly p50: number
  readonly p95: number
  readonly count: number
  readonly totalMillis: number
}

/** `inARow` provisions tenants without a pause, so the emulator cannot refill the stock meanwhile. */
export async function measureProvisioning(
  server: BenchServer,
): Promise<{ readonly inARow: ProvisioningFigures; readonly fromStock: ProvisioningFigures }> {
  await createTemplate(server, THIRTY_TABLES)
  const provisionInRow = await openGroup(server, 'bench')
  const inARow: number[] = []
  for (let index = 0; index < TENANTS; index += 1) inARow.push(await provisionInRow())
  return { inARow: figuresOf(inARow), fromStock: figuresOf(await takeFromStock(server)) }
}

/** Milliseconds to provision each tenant from the stock of prepared clones. The server must not have the template yet. */
export async function measureFromStock(server: BenchServer): Promise<readonly number[]> {
  await createTemplate(server, THIRTY_TABLES)
  return await takeFromStock(server)
}

async function takeFromStock(server: BenchServer): Promise<readonly number[]> {
  const provisionPrepared = await openGroup(server, 'stock')
  // The stock prepares clones only of templates that were used before.
  await provisionPrepared()
  const fromStock: number[] = []
  for (let refill = 0; refill < REFILLS; refill += 1) {
    await sleep(REFILL_MILLIS)
    for (let turn = 0; turn < PREPARED; turn += 1) fromStock.push(await provisionPrepared())
  }
  return fromStock
}

/** Creates a group. The result provisions a tenant and returns the milliseconds. */
async function openGroup(server: BenchServer, name: string): Promise<() => Promise<number>> {
  const { path, key } = await createBenchGroup(server, THIRTY_TABLES, name)
  let count = 0
  return async () => {
    const started = performance.now()
    count += 1
    const slug = `${name}_${count}`
    await manage(server, key, 'POST', path, { slug })
    return performance.now() - started
  }
}

function figuresOf(durations: readonly number[]): ProvisioningFigures {
  return {
    p50: percentile(durations, 50),
    p95: percentile(durations, 95),
    count: durations.length,
    totalMillis: durations.reduce((total, duration) => total + duration, 0),
  }
}
