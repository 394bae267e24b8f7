// `npm run bench` measures start, commands in CI, memory, provisioning, and REST beside the same SQL straight to the engine. It
// measures tail latency during a flood of another tenant, and sign-ins beside password hashing alone. It also measures
// explanations, rehearsals, a fleet, saves of `tenantry dev`, and snapshots. The bench asserts nothing; compare ratios, not
// absolute times. `--out FILE` names the JSON of the previous run, which this run replaces (default .cache/bench.json).
// `--profile` prints the stages of single requests and starts instead (profile.ts). `--scale` measures how cost grows instead
// (scale/scale.ts).
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measureDev } from './dev.ts'
import { createEngineBaseline } from './engine-baseline.ts'
import { measureEngines } from './engines.ts'
import { measureExec } from './exec.ts'
import { measureExplain } from './explain.ts'
import { type FairnessFigures, measureFairness } from './fairness.ts'
import { measureFleet } from './fleet.ts'
import { measureHistory } from './history.ts'
import { type Loop, median, memoryOf, spread } from './measure.ts'
import { printProfile } from './profile.ts'
import { measureProvisioning } from './provisioning.ts'
import { measurePull } from './pull.ts'
import { measureRealtime } from './realtime.ts'
import { measureRehearsal } from './rehearsal.ts'
import { type Figure, openReport } from './report.ts'
import { measureRest, prepareWorkload } from './rest.ts'
import { measureScale } from './scale/scale.ts'
import { type BenchServer, startServer, stopServer, temporaryDataDir } from './server.ts'
import { measureSignIn } from './sign-in.ts'
import { measureStates } from './snapshots.ts'
import { measureStorage } from './storage.ts'

const { values: options } = parseArgs({
  options: {
    profile: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    only: { type: 'string' },
    out: { type: 'string', default: '.cache/bench.json' },
  },
})
const ROUNDS = 3
const { print, finish } = openReport()

async function printHistory(): Promise<void> {
  const { diskMib, pastMillis, previewMillis, recorded, share, without } = await measureHistory()
  print(
    'insert with history, 16 callers',
    `${recorded.perSecond.toFixed(0)}/s, without ${without.perSecond.toFixed(0)}/s: ${(share * 100).toFixed(0)} %`,
    ...loopFigures('insert with history, 16 callers', recorded),
  )
  print(
    'past rows, 10,000 changes back in 100,000 rows',
    `${pastMillis.toFixed(0)} ms, preview of an undo ${previewMillis.toFixed(0)} ms`,
    millis('past rows', pastMillis),
    millis('preview of an undo', previewMillis),
  )
  print('space of 100,000 recorded inserts', `${diskMib.toFixed(0)} MiB`)
}

interface StartFigures {
  readonly firstMillis: number[]
  readonly laterMillis: number[]
}

/** The figures of a loop that are compared with the previous run. */
function loopFigures(name: string, { perSecond, p50Micros, spread }: Loop): readonly Figure[] {
  return [
    { name: `${name}, rate`, unit: 'per s', value: perSecond, spread },
    { name: `${name}, p50`, unit: 'us', value: p50Micros, spread },
  ]
}

function millis(name: string, value: number, samples: readonly number[] = []): Figure {
  return { name, unit: 'ms', value, ...(samples.length > 1 ? { spread: spread(samples) } : {}) }
}

async function measureStarts(): Promise<StartFigures> {
  const figures: StartFigures = { firstMillis: [], laterMillis: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    const dataDir = temporaryDataDir()
    for (const list of [figures.firstMillis, figures.laterMillis]) {
      const server = await startServer(dataDir)
      list.push(server.firstRowMillis)
      await stopServer(server)
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
  return figures
}

async function printStorage(server: BenchServer): Promise<void> {
  const { cells, large } = await measureStorage(server)
  for (const { title, connections, http } of cells)
    print(
      `${title}, ${connections} conn.`,
      `${http.perSecond.toFixed(0)}/s p50 ${http.p50Micros.toFixed(0)} us p99 ${http.p99Micros.toFixed(0)} us`,
      ...loopFigures(`${title}, ${connections} conn.`, http),
    )
  print(
    '50 MB up and down',
    `${large.upPerSecond.toFixed(0)} and ${large.downPerSecond.toFixed(0)} MB/s, memory +${large.upGrowthMib.toFixed(0)} and +${large.downGrowthMib.toFixed(0)} MiB`,
    { name: '50 MB up', unit: 'MB/s', value: large.upPerSecond },
    { name: '50 MB down', unit: 'MB/s', value: large.downPerSecond },
  )
}

async function printSignIn(server: BenchServer): Promise<void> {
  const { cells, hashMillis } = await measureSignIn(server)
  for (const { connections, signIn, refresh, hashing } of cells) {
    print(
      `sign-in, ${connections} conn.`,
      `${signIn.perSecond.toFixed(0)}/s p50 ${(signIn.p50Micros / 1000).toFixed(1)} ms | hashing alone ${hashing.perSecond.toFixed(0)}/s, ${hashMillis.toFixed(1)} ms CPU each`,
      ...loopFigures(`sign-in, ${connections} conn.`, signIn),
    )
    print(
      `token refresh, ${connections} conn.`,
      `${refresh.perSecond.toFixed(0)}/s p50 ${refresh.p50Micros.toFixed(0)} us p99 ${refresh.p99Micros.toFixed(0)} us`,
      ...loopFigures(`token refresh, ${connections} conn.`, refresh),
    )
  }
}

async function printRealtime(server: BenchServer): Promise<void> {
  const { insertMillis, deliveries, sustainedPerSecond, idleSocketKib } =
    await measureRealtime(server)
  print(
    'INSERT without subscribers',
    `p50 ${insertMillis.toFixed(1)} ms`,
    millis('INSERT without subscribers, p50', insertMillis),
  )
  for (const { subscribers, identities, p50, p95, wholeMillis } of deliveries)
    print(
      `row change to ${subscribers} of ${identities} identities`,
      `p50 ${p50.toFixed(1)} ms p95 ${p95.toFixed(1)} ms after the answer | INSERT to last delivery ${wholeMillis.toFixed(1)} ms`,
      millis(`row change to ${subscribers} of ${identities}, p50`, p50),
    )
  print('row changes kept up, 100 subscribers', `${sustainedPerSecond.toFixed(0)}/s`, {
    name: 'row changes kept up',
    unit: 'per s',
    value: sustainedPerSecond,
  })
  if (idleSocketKib !== undefined)
    print('idle socket', `${idleSocketKib.toFixed(1)} KiB`, {
      name: 'idle socket',
      unit: 'KiB',
      value: idleSocketKib,
    })
}

function printMemory(when: string, server: BenchServer): void {
  const memory = memoryOf(server.pid)
  if (memory === undefined) return
  print(
    `memory ${when}`,
    `RSS ${memory.rssMib.toFixed(0)} MiB, PSS ${memory.pssMib.toFixed(0)} MiB`,
    { name: `memory ${when}, PSS`, unit: 'MiB', value: memory.pssMib },
  )
}

function printExec(): void {
  const { bare, execMillis, trueMillis, firstTestMillis } = measureExec()
  print(
    'exec with demo, start to result',
    `${execMillis.toFixed(0)} ms`,
    millis('exec with demo', execMillis),
  )
  const { application, none } = trueMillis
  print(
    'exec -- true, own application of 30 tables',
    `${application.toFixed(0)} ms, ${(application / none).toFixed(2)} of ${none.toFixed(0)} ms without a fixture`,
    millis('exec -- true, own application', application),
  )
  print(
    'first test of a warm run, from vitest run',
    `${(firstTestMillis / 1_000).toFixed(1)} s`,
    millis('first test of a warm run', firstTestMillis),
  )
  print(
    'bare machine, npm ci and first exec',
    typeof bare === 'string'
      ? bare
      : `${(bare.ciMillis / 1_000).toFixed(1)} s and ${(bare.firstExecMillis / 1_000).toFixed(1)} s`,
  )
}

async function printProvisioning(server: BenchServer): Promise<void> {
  const { fromStock, inARow } = await measureProvisioning(server)
  print(
    'provision a 30-table tenant',
    `p50 ${inARow.p50.toFixed(0)} ms, p95 ${inARow.p95.toFixed(0)} ms (${inARow.count} in ${(inARow.totalMillis / 1_000).toFixed(1)} s)`,
    millis('provision a 30-table tenant, p50', inARow.p50),
  )
  print(
    'provision one from the stock',
    `p50 ${fromStock.p50.toFixed(0)} ms, p95 ${fromStock.p95.toFixed(0)} ms (${fromStock.count} tenants)`,
    millis('provision one from the stock, p50', fromStock.p50),
  )
}

async function printPull(server: BenchServer): Promise<void> {
  const rounds = await measurePull(server)
  print(
    'pull a project of 30 tables',
    `${median(rounds).toFixed(0)} ms, at most ${Math.max(...rounds).toFixed(0)} ms`,
    millis('pull 30 tables', median(rounds), rounds),
  )
}

function printFairness({ flooded, quiet }: FairnessFigures): void {
  for (const [title, { p50Millis, p99Millis, worstMillis }] of [
    ['GET by key, 100 a second', quiet],
    ['the same during a flood of another tenant', flooded],
  ] as const)
    print(
      title,
      `p50 ${p50Millis.toFixed(1)} ms, p99 ${p99Millis.toFixed(1)} ms, worst ${worstMillis.toFixed(1)} ms | p99 ${(p99Millis / quiet.p99Millis).toFixed(1)} of the quiet one`,
      millis(`${title}, p99`, p99Millis),
    )
}

async function printServer(): Promise<void> {
  const dataDir = temporaryDataDir()
  const server = await startServer(dataDir)
  try {
    printMemory('idle', server)
    await printProvisioning(server)
    await printPull(server)
    const baseline = await createEngineBaseline()
    const headers = await prepareWorkload(server, 'restbench')
    for (const cell of await measureRest(server, headers, baseline)) {
      const { http, engine } = cell
      print(
        `${cell.title}, ${cell.connections} conn.`,
        `${http.perSecond.toFixed(0)}/s p50 ${http.p50Micros.toFixed(0)} us p99 ${http.p99Micros.toFixed(0)} us | engine alone ${engine.perSecond.toFixed(0)}/s | ratio ${(http.perSecond / engine.perSecond).toFixed(2)}`,
        ...loopFigures(`${cell.title}, ${cell.connections} conn.`, http),
      )
    }
    await baseline.close()
    printFairness(await measureFairness(server, headers))
    await printSignIn(server)
    printMemory('after load', server)
    await printStorage(server)
    await printRealtime(server)
    for (const cell of await measureExplain(server))
      print(cell.title, `${cell.millis.toFixed(1)} ms`, millis(cell.title, cell.millis))
    await printRehearsal(server)
    await printFleet(server)
  } finally {
    await stopServer(server)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function printRehearsal(server: BenchServer): Promise<void> {
  const { longestJobMax, longestJobP50, readP99, tenants, totalMillis } =
    await measureRehearsal(server)
  print(
    `rehearse 3 steps on ${tenants} tenants`,
    `${(totalMillis / 1_000).toFixed(1)} s | longest job p50 ${longestJobP50.toFixed(1)} ms, max ${longestJobMax.toFixed(1)} ms | another tenant's read p99 ${readP99.toFixed(1)} ms`,
    millis('rehearse 3 steps on 100 tenants', totalMillis),
    millis('rehearse, longest job, p50', longestJobP50),
  )
}

async function printFleet(server: BenchServer): Promise<void> {
  const { firstMillis, laterMillis, tenants } = await measureFleet(server)
  print(
    `fleet of ${tenants} tenants`,
    `${firstMillis.toFixed(0)} ms the first time, ${laterMillis.toFixed(0)} ms again`,
    millis('fleet of 1,000 tenants, first', firstMillis),
    millis('fleet of 1,000 tenants, again', laterMillis),
  )
}

async function printDev(): Promise<void> {
  const rounds = await measureDev()
  print(
    'dev, save to applied, 30 tables, 3 tenants',
    `${median(rounds).toFixed(0)} ms, at most ${Math.max(...rounds).toFixed(0)} ms`,
    millis('dev, save to applied', median(rounds), rounds),
  )
}

async function printStates(): Promise<void> {
  const { saveMillis, restoreMillis, compareMillis, resetMillis, monthMillis } =
    await measureStates()
  print(
    'snapshot: save, restore',
    `${saveMillis.toFixed(0)} ms, ${restoreMillis.toFixed(0)} ms`,
    millis('snapshot save', saveMillis),
    millis('snapshot restore', restoreMillis),
  )
  print(
    'snapshot: compare',
    `${compareMillis.toFixed(0)} ms`,
    millis('snapshot compare', compareMillis),
  )
  print(
    'reset after a new project and 1,000 rows',
    `${resetMillis.toFixed(0)} ms`,
    millis('reset', resetMillis),
  )
  print(
    'clock forward by 30 days',
    `${monthMillis.toFixed(1)} ms`,
    millis('clock forward', monthMillis),
  )
}

async function printEngines(): Promise<void> {
  const figures = await measureEngines()
  if (figures === undefined) {
    print('both engines', 'skipped: the native PostgreSQL server cannot be started here')
    return
  }
  for (const { title, embedded, postgres, pool } of figures.cells) {
    const rates = [embedded, postgres, pool].map(({ perSecond }) => perSecond.toFixed(0))
    const ofEmbedded = (postgres.perSecond / embedded.perSecond).toFixed(2)
    const ofPool = (postgres.perSecond / pool.perSecond).toFixed(2)
    print(
      `${title}, 16 conn., embedded | server | pool alone`,
      `${rates.join(' | ')} per s, ${ofEmbedded} of the embedded engine, ${ofPool} of the pool`,
      ...loopFigures(`${title}, 16 conn., server`, postgres),
    )
  }
  print(
    'work waited for the server engine',
    `${(figures.waitingShare * 100).toFixed(0)} % of its time`,
  )
  for (const [engine, { p50Millis, p99Millis }] of Object.entries(figures.besideSlow))
    print(
      `GET beside another tenant's query of 2 s, ${engine}`,
      `p50 ${p50Millis.toFixed(1)} ms, p99 ${p99Millis.toFixed(1)} ms`,
      millis(`GET beside a query of 2 s, ${engine}, p99`, p99Millis),
    )
  const { idlePssMib, provisionMillis, startMillis } = figures.server
  print(
    'server engine: provision a 30-table tenant, start on existing data',
    `p50 ${median(provisionMillis).toFixed(0)} ms, ${median(startMillis).toFixed(0)} ms`,
    millis('server engine, provision, p50', median(provisionMillis), provisionMillis),
    millis('server engine, start, existing data', median(startMillis), startMillis),
  )
  if (idlePssMib !== undefined)
    print('server engine: memory idle, all processes', `PSS ${idlePssMib.toFixed(0)} MiB`, {
      name: 'server engine, memory idle, PSS',
      unit: 'MiB',
      value: idlePssMib,
    })
}

async function printAll(): Promise<void> {
  const starts = await measureStarts()
  print(
    'start to first row, empty folder, with demo',
    `${median(starts.firstMillis).toFixed(0)} ms`,
    millis('start, empty folder', median(starts.firstMillis), starts.firstMillis),
  )
  print(
    'start to first row, existing data',
    `${median(starts.laterMillis).toFixed(0)} ms`,
    millis('start, existing data', median(starts.laterMillis), starts.laterMillis),
  )
  printExec()

  await printDev()
  await printServer()
  await printEngines()
  await printStates()
  await printHistory()
  finish(options.out)
}

if (options.scale) await measureScale(options.only)
else await (options.profile ? printProfile() : printAll())
