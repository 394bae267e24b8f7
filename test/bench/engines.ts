// Measures both engines in one run, each with its own emulator. The cells compare REST at 16 connections with a plain connection
// pool on the same server. Also measures one tenant's reads during another's slow query, provisioning, start and memory.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import pg from 'pg'
import { openConnection, requestText } from './http-client.ts'
import { closedLoop, type Loop, median, memoryOf, type Steady, steadyLoop } from './measure.ts'
import { measureFromStock } from './provisioning.ts'
import { prepareWorkload } from './rest.ts'
import { type BenchServer, manage, startServer, stopServer, temporaryDataDir } from './server.ts'
import { OWNER, ownId, WORKLOAD_SQL } from './workload.ts'

export interface EngineFigures {
  readonly cells: readonly EngineCell[]
  /** The share of all work's time in these cells that was spent waiting for the server engine, from 0 to 1. */
  readonly waitingShare: number
  /** Reads of one tenant while another tenant's query of 2 s runs. */
  readonly besideSlow: Readonly<Record<BenchEngine, Steady>>
  readonly server: ServerFigures
}

export type BenchEngine = 'embedded' | 'postgres'

export interface EngineCell {
  readonly title: string
  readonly embedded: Loop
  readonly postgres: Loop
  /** The same statement in the pool, run by the tables' owner without HTTP, claims and transaction. */
  readonly pool: Loop
}

export interface ServerFigures {
  readonly startMillis: readonly number[]
  /** Times to provision tenants of a 30-table template from prepared clones. */
  readonly provisionMillis: readonly number[]
  /** Memory of the idle emulator, the database server and all server processes. */
  readonly idlePssMib: number | undefined
}

const CONNECTIONS = 16
// A login of a database client may have at most 10 connections.
const POOL_CONNECTIONS = 8
const CELL_MILLIS = 2_000
const ROUNDS = 3
const SLOW_SECONDS = 2
const STARTS = 3

interface Work {
  readonly title: string
  readonly status: number
  readonly request: (headers: Record<string, string>, turn: number) => string
  readonly statement: (turn: number) => pg.QueryConfig
}

const WORKS: readonly Work[] = [
  {
    title: 'GET by key under RLS',
    status: 200,
    request: (headers, turn) => requestText('GET', `/items?select=*&id=eq.${ownId(turn)}`, headers),
    statement: (turn) => ({
      name: 'key',
      text: 'select * from items where id = $1 and owner = $2',
      values: [ownId(turn), OWNER],
    }),
  },
  {
    title: 'GET 20 rows, filter and order',
    status: 200,
    request: (headers) =>
      requestText('GET', '/items?select=*&score=gte.500&order=score.desc&limit=20', headers),
    statement: () => ({
      name: 'list',
      text: 'select * from items where score >= 500 and owner = $1 order by score desc limit 20',
      values: [OWNER],
    }),
  },
  {
    title: 'POST one row, minimal',
    status: 201,
    request: (headers, turn) =>
      requestText(
        'POST',
        '/written',
        { ...headers, 'content-type': 'application/json', prefer: 'return=minimal' },
        JSON.stringify({ owner: OWNER, title: `new ${turn}` }),
      ),
    statement: (turn) => ({
      name: 'insert',
      text: 'insert into written (owner, title) values ($1, $2)',
      values: [OWNER, `new ${turn}`],
    }),
  },
]

/** Returns `undefined` when the native server cannot be started here. */
export async function measureEngines(): Promise<EngineFigures | undefined> {
  const folders = { embedded: temporaryDataDir(), postgres: temporaryDataDir() }
  try {
    const postgres = await startServer(folders.postgres, { engine: 'postgres' }).catch(
      () => undefined,
    )
    if (postgres === undefined) return undefined
    const idlePssMib = treePss(postgres.pid)
    const embedded = await startServer(folders.embedded)
    const measured = await measureBoth({ embedded, postgres })
    const provisionMillis = await measureFromStock(postgres)
    await stopServer(embedded)
    await stopServer(postgres)
    const startMillis = await measureStarts(folders.postgres)
    return { ...measured, server: { startMillis, provisionMillis, idlePssMib } }
  } finally {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
  }
}

type Servers = Readonly<Record<BenchEngine, BenchServer>>

async function measureBoth(servers: Servers): Promise<Omit<EngineFigures, 'server'>> {
  const headers = {
    embedded: await prepareWorkload(servers.embedded, 'restbench'),
    postgres: await prepareWorkload(servers.postgres, 'restbench'),
  }
  const pool = await openPool(servers.postgres)
  const cells: EngineCell[] = []
  for (const work of WORKS) cells.push(await measureCell(work, servers, headers, pool))
  await pool.end()
  const waitingShare = await waitingShareOf(servers.postgres)
  const besideSlow = {
    embedded: await measureBesideSlow(servers.embedded, headers.embedded),
    postgres: await measureBesideSlow(servers.postgres, headers.postgres),
  }
  return { cells, waitingShare, besideSlow }
}

// The two emulators and the pool take turns, so that a busy minute of the machine affects all three. The result is the round with
// the median rate.
async function measureCell(
  work: Work,
  servers: Servers,
  headers: Readonly<Record<BenchEngine, Record<string, string>>>,
  pool: pg.Pool,
): Promise<EngineCell> {
  const rounds = { embedded: [] as Loop[], postgres: [] as Loop[], pool: [] as Loop[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const engine of ['embedded', 'postgres'] as const)
      rounds[engine].push(await httpLoop(servers[engine], headers[engine], work))
    let turn = 0
    rounds.pool.push(
      await closedLoop(CONNECTIONS, CELL_MILLIS, async () => {
        turn += 1
        await pool.query(work.statement(turn))
      }),
    )
  }
  return {
    title: work.title,
    embedded: medianLoop(rounds.embedded),
    postgres: medianLoop(rounds.postgres),
    pool: medianLoop(rounds.pool),
  }
}

async function httpLoop(
  server: BenchServer,
  headers: Record<string, string>,
  work: Work,
): Promise<Loop> {
  const open = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection('127.0.0.1', server.port)),
  )
  let turn = 0
  const loop = await closedLoop(CONNECTIONS, CELL_MILLIS, async (lane) => {
    turn += 1
    const answer = await open[lane]?.send(work.request(headers, turn))
    if (answer?.status !== work.status)
      throw new Error(`expected ${work.status}, got ${answer?.status}: ${answer?.body}`)
  })
  for (const connection of open) connection.close()
  return loop
}

/** The share of the emulator's running time in which work waited for the engine. */
async function waitingShareOf({ ready }: BenchServer): Promise<number> {
  const response = await fetch(new URL('/_emulator/v1/health', ready.inspector_url))
  const { engine } = (await response.json()) as { engine: { waitingShare: number } }
  return engine.waitingShare
}

function medianLoop(loops: readonly Loop[]): Loop {
  const middle = median(loops.map(({ perSecond }) => perSecond))
  const found = loops.find(({ perSecond }) => perSecond === middle)
  if (found === undefined) throw new Error('no round was measured')
  return found
}

/** A pool without the emulator, on the workload's tables in a tenant of the demo, as the owner of the tables. */
async function openPool({ ready }: BenchServer): Promise<pg.Pool> {
  const connectionString = ready.groups[0]?.tenants[0]?.postgres_url
  if (connectionString === undefined || connectionString === null)
    throw new Error('the server has no address for a tenant')
  const pool = new pg.Pool({ connectionString, max: POOL_CONNECTIONS })
  await pool.query(WORKLOAD_SQL)
  return pool
}

const SLOW_SQL = `create function slow() returns integer language plpgsql as
  $$ begin perform pg_sleep(${SLOW_SECONDS}); return 1; end $$`
const READS_PER_SECOND = 50
const READING_MILLIS = 8_000

async function measureBesideSlow(
  server: BenchServer,
  headers: Record<string, string>,
): Promise<Steady> {
  const slow = await prepareSlowTenant(server)
  let turn = 0
  const steady = await steadyLoop(READS_PER_SECOND, READING_MILLIS, async () => {
    turn += 1
    // Starts a slow query at regular intervals, so that one runs during half of the measurement.
    if (turn % (2 * SLOW_SECONDS * READS_PER_SECOND) === 1) void slow()
    const reading = await openConnection('127.0.0.1', server.port)
    const { body, status } = await reading.send(
      requestText('GET', `/items?select=*&id=eq.${ownId(turn)}`, headers),
    )
    reading.close()
    if (status !== 200) throw new Error(`expected 200, got ${status}: ${body}`)
  })
  return steady
}

/** Creates a tenant with a slow function. The result calls the function and waits for its answer. */
async function prepareSlowTenant(server: BenchServer): Promise<() => Promise<void>> {
  const headers = await prepareWorkload(server, 'slowbench')
  const session = server.ready.platform.session_token
  await manage(server, session, 'POST', '/platform/v1/projects/proj_slowbench/db/exec', {
    sql: SLOW_SQL,
  })
  const request = requestText(
    'POST',
    '/rpc/slow',
    { ...headers, 'content-type': 'application/json' },
    '{}',
  )
  return async () => {
    const connection = await openConnection('127.0.0.1', server.port)
    await connection.send(request)
    connection.close()
  }
}

async function measureStarts(dataDir: string): Promise<readonly number[]> {
  const durations: number[] = []
  for (let start = 0; start < STARTS; start += 1) {
    const server = await startServer(dataDir, { engine: 'postgres' })
    durations.push(server.firstRowMillis)
    await stopServer(server)
  }
  return durations
}

/** Memory of a process, of its descendants, and of the processes of its database server (Linux). */
function treePss(root: number): number | undefined {
  const parents = new Map<number, number>()
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    }
  } catch {
    return undefined
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at))
      if (at === root) return true
    return false
  }
  return [...parents.keys()]
    .filter(isBelow)
    .reduce((sum, pid) => sum + (memoryOf(pid)?.pssMib ?? 0), 0)
}
