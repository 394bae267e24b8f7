// `npm run bench -- --profile`: prints the time of each stage of one GET, one POST, one provisioning and one start, in the built
// product. The stages of a request come from the header `Server-Timing`; the process itself records the stages of a start.
import { readFileSync, rmSync } from 'node:fs'
import { type BenchConnection, openConnection, requestText } from './http-client.ts'
import { median } from './measure.ts'
import { prepareWorkload } from './rest.ts'
import { type BenchServer, startServer, stopServer, temporaryDataDir } from './server.ts'
import { createBenchGroup, createTemplate, THIRTY_TABLES } from './templates.ts'
import { OWNER, ownId } from './workload.ts'

const REQUESTS = 400
const WARM_UP = 100
const TENANTS = 15
const STARTS = 3

/** A stage and its duration in microseconds. */
type Stages = ReadonlyMap<string, number>

export async function printProfile(): Promise<void> {
  await printStarts()
  const dataDir = temporaryDataDir()
  const server = await startServer(dataDir)
  try {
    await printRequests(server)
  } finally {
    await stopServer(server)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function printRequests(server: BenchServer): Promise<void> {
  const connection = await openConnection('127.0.0.1', server.port)
  const headers = { ...(await prepareWorkload(server, 'restbench')), ...ASKED }
  const writing = { ...headers, 'content-type': 'application/json', prefer: 'return=minimal' }
  const get = (turn: number): string =>
    requestText('GET', `/items?select=*&id=eq.${ownId(turn)}`, headers)
  const post = (turn: number): string =>
    requestText('POST', '/written', writing, JSON.stringify({ owner: OWNER, title: `${turn}` }))
  printStages('one GET by key', await measure(connection, get, REQUESTS, WARM_UP))
  printStages('one POST of a row', await measure(connection, post, REQUESTS, WARM_UP))
  await createTemplate(server, THIRTY_TABLES)
  const { path, key } = await createBenchGroup(server, THIRTY_TABLES, 'profiled')
  const management = {
    ...ASKED,
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  }
  const provision = (turn: number): string =>
    requestText('POST', path, management, JSON.stringify({ slug: `profiled_${turn}` }))
  printStages('one tenant of 30 tables', await measure(connection, provision, TENANTS, 1))
  connection.close()
}

const ASKED = { 'x-tenantry-timing': '1' }

/** Medians of each stage over `count` requests, one after the other. */
async function measure(
  connection: BenchConnection,
  request: (turn: number) => string,
  count: number,
  warmUp: number,
): Promise<Stages> {
  const runs: Stages[] = []
  for (let turn = 0; turn < count + warmUp; turn += 1) {
    const sent = performance.now()
    const { head, status, body } = await connection.send(request(turn))
    const micros = (performance.now() - sent) * 1_000
    if (status >= 300) throw new Error(`expected success, got ${status}: ${body}`)
    if (turn >= warmUp) runs.push(requestStages(head, micros))
  }
  return medians(runs)
}

/**
 * The stages of one request in chronological order. `transaction` excludes the time in the engine, which is a stage of its own.
 */
function requestStages(head: string, wholeMicros: number): Stages {
  const header = /\r\nserver-timing: *(.*)/i.exec(head)?.[1] ?? ''
  const stages = new Map(
    header.split(', ').map((entry): [string, number] => {
      const [stage = '', millis] = entry.split(';dur=')
      return [stage, Number(millis) * 1_000]
    }),
  )
  const total = stages.get('total') ?? 0
  stages.delete('total')
  const engine = stages.get('engine')
  if (engine !== undefined) {
    stages.set('engine', engine)
    stages.set('transaction', (stages.get('transaction') ?? 0) - engine)
  }
  stages.set(SOCKET, wholeMicros - total)
  stages.set(WHOLE, wholeMicros)
  return stages
}

const SOCKET = 'socket, HTTP and client'
const WHOLE = 'whole'

const MEANINGS: Readonly<Record<string, string>> = {
  receive: 'find the service',
  jwt: 'verify the credential',
  body: 'read the body',
  parse: 'parse the request',
  plan: 'plan, or take the plan from the cache',
  engine: 'Postgres',
  transaction: 'to the engine’s thread and back, queue',
  response: 'render the answer',
  check: 'verify the key, decode the body',
  reserve: 'reserve the slug in SQLite',
  clone: 'clone the template',
  keys: 'create the keys',
  activate: 'activate the tenant in SQLite',
  finish: 'add headers',
}

function medians(runs: readonly Stages[]): Stages {
  const names = new Set(runs.flatMap((run) => [...run.keys()]))
  return new Map([...names].map((name) => [name, median(runs.map((run) => run.get(name) ?? 0))]))
}

function printStages(title: string, stages: Stages): void {
  const whole = stages.get(WHOLE) ?? 0
  process.stdout.write(`\n${title}\n`)
  for (const [stage, micros] of stages) {
    const part = `${((micros / whole) * 100).toFixed(0).padStart(4)} %`
    const name = stage in MEANINGS ? `${stage}: ${MEANINGS[stage]}` : stage
    process.stdout.write(`  ${name.padEnd(52)} ${micros.toFixed(0).padStart(9)} us ${part}\n`)
  }
}

async function printStarts(): Promise<void> {
  const first: Stages[] = []
  const later: Stages[] = []
  for (let round = 0; round < STARTS; round += 1) {
    const dataDir = temporaryDataDir()
    for (const runs of [first, later]) runs.push(await startStages(dataDir))
    rmSync(dataDir, { recursive: true, force: true })
  }
  printStages('one start in an empty folder, with the demo', medians(first))
  printStages('one start on existing data', medians(later))
}

interface Marks {
  /** Start of the process, in wall-clock milliseconds since 1970. */
  readonly timeOrigin: number
  /** Names and ends of the stages, in milliseconds since `timeOrigin`. */
  readonly stages: readonly (readonly [string, number])[]
}

async function startStages(dataDir: string): Promise<Stages> {
  const file = `${dataDir}.marks.json`
  const spawned = performance.timeOrigin + performance.now()
  const server = await startServer(dataDir, { marks: file })
  await stopServer(server)
  const { timeOrigin, stages } = JSON.parse(readFileSync(file, 'utf8')) as Marks
  rmSync(file)
  const found = new Map([['spawn the process', (timeOrigin - spawned) * 1_000]])
  let last = 0
  for (const [name, end] of stages) {
    found.set(name.replace(MARK, ''), (end - last) * 1_000)
    last = end
  }
  const whole = server.firstRowMillis * 1_000
  found.set('first row over REST', whole - [...found.values()].reduce((sum, each) => sum + each, 0))
  found.set(WHOLE, whole)
  return found
}

const MARK = 'tenantry: '
