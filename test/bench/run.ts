// `npm run bench`: start, a command in CI, memory, provisioning, REST under row-level security, each beside the same SQL sent straight to
// the engine in this run, end users signing in beside the hashing alone, explanations, and states of the platform. Figures for eyes, never assertions; compare
// ratios, not absolute times.
import { rmSync } from 'node:fs'
import { createEngineBaseline } from './engine-baseline.ts'
import { measureExec } from './exec.ts'
import { measureExplain } from './explain.ts'
import { median, memoryOf } from './measure.ts'
import { measureProvisioning } from './provisioning.ts'
import { measureRealtime } from './realtime.ts'
import { measureRest } from './rest.ts'
import { type BenchServer, startServer, stopServer, temporaryDataDir } from './server.ts'
import { measureSignIn } from './sign-in.ts'
import { measureStates } from './snapshots.ts'
import { measureStorage } from './storage.ts'

const ROUNDS = 3

interface StartFigures {
  readonly firstMillis: number[]
  readonly laterMillis: number[]
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
    )
  print(
    '50 MB up and down',
    `${large.upPerSecond.toFixed(0)} and ${large.downPerSecond.toFixed(0)} MB/s, memory +${large.upGrowthMib.toFixed(0)} and +${large.downGrowthMib.toFixed(0)} MiB`,
  )
}

async function printSignIn(server: BenchServer): Promise<void> {
  const { cells, hashMillis } = await measureSignIn(server)
  for (const { connections, signIn, refresh, hashing } of cells) {
    print(
      `sign-in, ${connections} conn.`,
      `${signIn.perSecond.toFixed(0)}/s p50 ${(signIn.p50Micros / 1000).toFixed(1)} ms | hashing alone ${hashing.perSecond.toFixed(0)}/s, ${hashMillis.toFixed(1)} ms CPU each`,
    )
    print(
      `token refresh, ${connections} conn.`,
      `${refresh.perSecond.toFixed(0)}/s p50 ${refresh.p50Micros.toFixed(0)} us p99 ${refresh.p99Micros.toFixed(0)} us`,
    )
  }
}

async function printRealtime(server: BenchServer): Promise<void> {
  const { insertMillis, deliveries, sustainedPerSecond, idleSocketKib } =
    await measureRealtime(server)
  print('INSERT without subscribers', `p50 ${insertMillis.toFixed(1)} ms`)
  for (const { subscribers, identities, p50, p95, wholeMillis } of deliveries)
    print(
      `row change to ${subscribers} of ${identities} identities`,
      `p50 ${p50.toFixed(1)} ms p95 ${p95.toFixed(1)} ms after the answer | INSERT to last delivery ${wholeMillis.toFixed(1)} ms`,
    )
  print('row changes kept up, 100 subscribers', `${sustainedPerSecond.toFixed(0)}/s`)
  if (idleSocketKib !== undefined) print('idle socket', `${idleSocketKib.toFixed(1)} KiB`)
}

function printMemory(when: string, server: BenchServer): void {
  const memory = memoryOf(server.pid)
  if (memory === undefined) return
  print(
    `memory ${when}`,
    `RSS ${memory.rssMib.toFixed(0)} MiB, PSS ${memory.pssMib.toFixed(0)} MiB`,
  )
}

function printExec(): void {
  const { bare, execMillis } = measureExec()
  print('exec with demo, start to result', `${execMillis.toFixed(0)} ms`)
  print(
    'bare machine, npm ci and first exec',
    typeof bare === 'string'
      ? bare
      : `${(bare.ciMillis / 1_000).toFixed(1)} s and ${(bare.firstExecMillis / 1_000).toFixed(1)} s`,
  )
}

function print(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(44)} ${figure}\n`)
}

const starts = await measureStarts()
print('start to first row, empty folder, with demo', `${median(starts.firstMillis).toFixed(0)} ms`)
print('start to first row, existing data', `${median(starts.laterMillis).toFixed(0)} ms`)
printExec()

const dataDir = temporaryDataDir()
const server = await startServer(dataDir)
try {
  printMemory('idle', server)
  const { fromStock, inARow } = await measureProvisioning(server)
  print(
    'provision a 30-table tenant',
    `p50 ${inARow.p50.toFixed(0)} ms, p95 ${inARow.p95.toFixed(0)} ms (${inARow.count} in ${(inARow.totalMillis / 1_000).toFixed(1)} s)`,
  )
  print(
    'provision one from the stock',
    `p50 ${fromStock.p50.toFixed(0)} ms, p95 ${fromStock.p95.toFixed(0)} ms (${fromStock.count} tenants)`,
  )
  const baseline = await createEngineBaseline()
  for (const cell of await measureRest(server, baseline)) {
    const { http, engine } = cell
    print(
      `${cell.title}, ${cell.connections} conn.`,
      `${http.perSecond.toFixed(0)}/s p50 ${http.p50Micros.toFixed(0)} us p99 ${http.p99Micros.toFixed(0)} us | engine alone ${engine.perSecond.toFixed(0)}/s | ratio ${(http.perSecond / engine.perSecond).toFixed(2)}`,
    )
  }
  await baseline.close()
  await printSignIn(server)
  printMemory('after load', server)
  await printStorage(server)
  await printRealtime(server)
  for (const { title, millis } of await measureExplain(server))
    print(title, `${millis.toFixed(1)} ms`)
} finally {
  await stopServer(server)
  rmSync(dataDir, { recursive: true, force: true })
}
const { saveMillis, restoreMillis, resetMillis, monthMillis } = await measureStates()
print('snapshot: save, restore', `${saveMillis.toFixed(0)} ms, ${restoreMillis.toFixed(0)} ms`)
print('reset after a new project and 1,000 rows', `${resetMillis.toFixed(0)} ms`)
print('clock forward by 30 days', `${monthMillis.toFixed(1)} ms`)
