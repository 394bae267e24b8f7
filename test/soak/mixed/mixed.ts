// Runs traffic of ten tenants on every plane for the ordered time, and kills the product at the end of each cycle. After each
// start, all data is compared with the acknowledged changes. Memory is measured at the same point of each cycle.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../../bench/measure.ts'
import { mountDisk, unmountDisk } from '../../support/small-disk.ts'
import { killProduct, settledMemory, startProduct } from '../product.ts'
import { type Context, type Outcome, requireThat, type Scenario, withFolder } from '../scenario.ts'
import { createChaos } from './chaos.ts'
import { compareAll } from './compare.ts'
import { Gate } from './gate.ts'
import { LANES, type Lane } from './lanes.ts'
import { createListeners } from './listeners.ts'
import { openStage, refreshTenants, type Stage } from './stage.ts'

/** Size of the file system for the data directory. The full-disk fault occurs only where such a file system can be mounted. */
const DISK_MIB = 1_500
const MAY_GROW = 1.1
/** Minimum wall-clock milliseconds between two faults. A random time of up to the same length is added. */
const STRIKE_MILLIS = 4_000
/** Characters of the product's standard error that a failure shows. */
const LAST_WORDS = 3_000

interface Memory {
  readonly atStart: number[]
  readonly atEnd: number[]
}

export const mixed: Scenario = {
  name: 'mixed',
  title:
    'ten tenants on every plane, with kills, dead engines, broken clients, clock jumps and states',
  run: (context) =>
    withFolder(async (folder) => {
      const disk = mountDisk(folder, DISK_MIB) ? folder : undefined
      if (disk === undefined) context.log('without a full disk: only root can mount one')
      try {
        return await runCycles(context, folder, disk)
      } finally {
        if (disk !== undefined) unmountDisk(disk)
      }
    }),
}

async function runCycles(
  context: Context,
  folder: string,
  disk: string | undefined,
): Promise<Outcome> {
  const stage = await openStage(join(folder, 'data'), emptyFixture(folder))
  const memory: Memory = { atStart: [], atEnd: [] }
  const cycles = Math.max(1, context.kills)
  const listeners = createListeners()
  const gate = new Gate()
  const traffic = startTraffic(stage, gate, [...LANES, listeners], context)
  let compared = 0
  try {
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const strikes = await runCycle(context, { stage, gate, disk, traffic }, memory, cycles)
      await restart(stage, gate)
      const differences = await compareAll(stage)
      requireThat(differences.length === 0, report(stage, cycle, differences))
      compared += 1
      const mib = await note(memory.atStart, stage)
      const { operations, unanswered, refused } = stage.counts
      context.log(
        `cycle ${cycle} of ${cycles}: ${operations} operations, ${unanswered} unanswered, ${refused} refused for a while, nothing lost, own memory ${memory.atEnd.at(-1)?.toFixed(0) ?? '?'} MiB before the kill and ${mib} MiB after it; ${strikes.join(', ')}`,
      )
    }
    requireMemory(memory)
    const { operations } = stage.counts
    return {
      figures: `${operations} operations, ${listeners.heard()} broadcasts heard, ${compared} kills and comparisons, ${memoryFigures(memory)}`,
    }
  } catch (error) {
    stage.isGoingDown = true
    await killProduct(stage.product)
    const { stderr } = await stage.product.cli.ended
    throw new Error(`${messageOf(error)}\n  the product said last:\n${stderr.slice(-LAST_WORDS)}`)
  } finally {
    traffic.stop()
    gate.open()
    stage.isGoingDown = true
    await killProduct(stage.product)
  }
}

interface Running {
  readonly stage: Stage
  readonly gate: Gate
  readonly disk: string | undefined
  readonly traffic: Traffic
}

/** Runs traffic and faults until the cycle's time is over. Returns the names of the faults. */
async function runCycle(
  { minutes, random }: Context,
  { stage, gate, disk, traffic }: Running,
  memory: Memory,
  cycles: number,
): Promise<readonly string[]> {
  const chaos = createChaos({ stage, gate, random, disk })
  const end = performance.now() + (minutes * 60_000) / cycles
  const strikes: string[] = []
  gate.open()
  while (performance.now() < end) {
    await pause(STRIKE_MILLIS + random.below(STRIKE_MILLIS))
    traffic.requireNoFailure()
    if (performance.now() < end) strikes.push(await chaos.strike())
    traffic.requireNoFailure()
  }
  gate.shut()
  await gate.empty()
  await note(memory.atEnd, stage)
  gate.open()
  // Lets traffic run again, so that the kill interrupts it.
  await pause(500 + random.below(1_000))
  return strikes
}

async function restart(stage: Stage, gate: Gate): Promise<void> {
  stage.isGoingDown = true
  await killProduct(stage.product)
  gate.shut()
  await gate.empty()
  stage.product = await startProduct({ dataDir: stage.dataDir })
  stage.isGoingDown = false
  await refreshTenants(stage)
}

interface Traffic {
  /** @throws {Error} of the first lane that failed */
  requireNoFailure(): void
  stop(): void
}

function startTraffic(
  stage: Stage,
  gate: Gate,
  lanes: readonly Lane[],
  { random }: Context,
): Traffic {
  let failure: Error | undefined
  let isStopped = false
  const run = async ({ name, pauseMillis, step }: Lane, place: number): Promise<void> => {
    const own = random.fork(`${name} ${place}`)
    while (!isStopped && failure === undefined) {
      await gate.through(() => step(stage, own))
      await pause(pauseMillis)
    }
  }
  for (const [place, lane] of lanes.entries())
    run(lane, place).catch((error: unknown) => {
      if (!isStopped) failure ??= new Error(`${lane.name}: ${messageOf(error)}`)
    })
  return {
    requireNoFailure: () => {
      if (failure !== undefined) throw new Error(report(stage, 0, [failure.message]))
    },
    stop: () => {
      isStopped = true
    },
  }
}

function emptyFixture(folder: string): string {
  const path = join(folder, 'fixture')
  mkdirSync(path)
  writeFileSync(join(path, 'fixture.yaml'), 'title: Soak\n')
  return path
}

async function note(list: number[], { product }: Stage): Promise<string> {
  const mib = await settledMemory(product)
  if (mib !== undefined) list.push(mib)
  return mib?.toFixed(0) ?? '?'
}

function requireMemory({ atStart, atEnd }: Memory): void {
  for (const [where, list] of Object.entries({
    'after a start': atStart,
    'before a kill': atEnd,
  })) {
    const [early, late] = earlyAndLate(list)
    if (early === undefined || late === undefined) continue
    requireThat(
      late <= early * MAY_GROW,
      `memory ${where} grew from ${early.toFixed(0)} to ${late.toFixed(0)} MiB of its own`,
    )
  }
}

/** Returns the medians of the first and the last third, or an empty list when there are too few values. */
function earlyAndLate(list: readonly number[]): readonly (number | undefined)[] {
  // Skips the first cycle, in which tenants do not have their usual number of items yet.
  const steady = list.slice(1)
  const third = Math.floor(steady.length / 3)
  return third < 2 ? [] : [median(steady.slice(0, third)), median(steady.slice(-third))]
}

function memoryFigures({ atStart, atEnd }: Memory): string {
  if (earlyAndLate(atStart).length === 0) return 'memory not judged: it takes seven cycles'
  const texts = [atStart, atEnd].map((list) =>
    earlyAndLate(list)
      .map((mib) => mib?.toFixed(0) ?? '?')
      .join(' to '),
  )
  return `own memory ${texts[0]} MiB after a start and ${texts[1]} MiB before a kill (first and last third)`
}

function report({ lately }: Stage, cycle: number, differences: readonly string[]): string {
  return [
    cycle === 0 ? 'under traffic:' : `after kill ${cycle}:`,
    ...differences.slice(0, 20),
    'acknowledged last:',
    ...lately,
  ].join('\n  ')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
