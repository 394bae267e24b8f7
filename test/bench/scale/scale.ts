// `npm run bench -- --scale`: how cost grows with the number of tenants, rows, objects, requests and users. Each series fills its
// own data directory step by step, and asks the same questions after each step. Writes docs/how-far-it-goes.md with its charts.
// `--only tenants` measures one series and prints it without writing.
import { rmSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchConnection, openConnection, requestText } from '../http-client.ts'
import { median, memoryOf } from '../measure.ts'
import { type BenchServer, manage, startServer, stopServer, temporaryDataDir } from '../server.ts'
import { createBenchGroup, createTemplate, THIRTY_TABLES } from '../templates.ts'
import { type Answers, type Series, writePage } from './scale-page.ts'

const STARTS = 3
/** Wall milliseconds until the emulator has given back memory that it no longer uses (idle-memory.ts). */
const SETTLE_MILLIS = 7_000
const SLEEPING_TENANTS = 10
/** The most active tenants of a group (docs/wire/limits.md#platform). */
const GROUP_TENANTS = 100
const LANES = 16
/** Rows of one statement, so that no statement reaches the time limit. */
const ROWS_AT_ONCE = 100_000
const FOLDERS = 100
const PASSWORD = 'a-long-password'

interface BenchTenant {
  readonly slug: string
  readonly key: string
  readonly projectId: string
  readonly managementKey: string
}

interface World {
  server: BenchServer
  readonly dataDir: string
  readonly tenants: BenchTenant[]
}

interface Growing {
  readonly name: string
  readonly sizes: readonly number[]
  /** Grows the world from a former size. */
  readonly grow: (world: World, from: number, to: number) => Promise<void>
}

const SERIES: readonly Growing[] = [
  { name: 'tenants', sizes: [1, 30, 100, 300], grow: addTenants },
  { name: 'rows', sizes: [100_000, 1_000_000, 5_000_000], grow: addRows },
  { name: 'objects', sizes: [1_000, 20_000, 200_000], grow: addObjects },
  { name: 'requests', sizes: [1_000, 50_000, 500_000], grow: sendRequests },
  { name: 'users', sizes: [1, 1_000], grow: addUsers },
]

export async function measureScale(only: string | undefined): Promise<void> {
  const series: Series[] = []
  for (const growing of SERIES)
    if (only === undefined || only === growing.name) series.push(await measureSeries(growing))
  if (only === undefined) writePage(series)
}

async function measureSeries({ name, sizes, grow }: Growing): Promise<Series> {
  const dataDir = temporaryDataDir()
  const world: World = { server: await startServer(dataDir), dataDir, tenants: [] }
  try {
    await createTemplate(world.server, THIRTY_TABLES)
    const tenants = name === 'tenants' ? 1 : SLEEPING_TENANTS
    await addTenants(world, 0, tenants)
    await addBucket(world)
    if (name !== 'objects') await addObjects(world, 0, FOLDERS)
    const steps: { readonly size: number; readonly answers: Answers }[] = []
    let size = name === 'tenants' ? tenants : 0
    for (const next of sizes) {
      if (next > size) await grow(world, size, next)
      size = next
      const answers = await ask(world)
      steps.push({ size, answers })
      process.stdout.write(`${name} ${size.toLocaleString('en')}: ${JSON.stringify(answers)}\n`)
    }
    return { name, steps }
  } finally {
    await stopServer(world.server)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function ask(world: World): Promise<Answers> {
  const starts: number[] = []
  for (let turn = 0; turn < STARTS; turn += 1) {
    await stopServer(world.server)
    world.server = await startServer(world.dataDir)
    starts.push(world.server.firstRowMillis)
  }
  await sleep(SETTLE_MILLIS)
  const { server, tenants } = world
  const memoryMib = memoryOf(server.pid)?.pssMib
  const connection = await openConnection('127.0.0.1', server.port)
  const first: number[] = []
  const second: number[] = []
  for (const tenant of tenants.slice(-SLEEPING_TENANTS)) {
    first.push(await timeOf(connection, readOf(tenant)))
    second.push(await timeOf(connection, readOf(tenant)))
  }
  const tenant = firstOf(tenants)
  const list = listOf(tenant, await storageToken(server, tenant))
  const answers = {
    startMillis: median(starts),
    memoryMib,
    diskMib: (await bytesIn(world.dataDir)) / 2 ** 20,
    firstReadMillis: median(first),
    secondReadMillis: median(second),
    readMillis: await repeat(connection, 200, () => readOf(tenant)),
    insertMillis: await repeat(connection, 200, (turn) => insertOf(tenant, turn)),
    deepPageMillis: await repeat(connection, 5, () => readOf(tenant, '&order=id&offset=40000')),
    countMillis: await repeat(connection, 5, () => readOf(tenant, '', { prefer: 'count=exact' })),
    listMillis: await repeat(connection, 50, () => list),
    infoMillis: await repeat(connection, 10, () => requestText('GET', '/_emulator/v1/info', {})),
    overviewMillis: await repeat(connection, 10, () =>
      requestText('GET', '/_emulator/v1/overview', {}),
    ),
  }
  connection.close()
  return answers
}

function firstOf(tenants: readonly BenchTenant[]): BenchTenant {
  const [tenant] = tenants
  if (tenant === undefined) throw new Error('the series has no tenant')
  return tenant
}

function headersOf({ key, slug }: BenchTenant, profile: string): Record<string, string> {
  return { apikey: key, authorization: `Bearer ${key}`, [profile]: `proj_${slug}` }
}

function readOf(tenant: BenchTenant, more = '', headers: Record<string, string> = {}): string {
  return requestText('GET', `/t1?select=*&limit=20${more}`, {
    ...headersOf(tenant, 'accept-profile'),
    ...headers,
  })
}

function insertOf(tenant: BenchTenant, turn: number): string {
  return requestText(
    'POST',
    '/t2',
    { ...headersOf(tenant, 'content-profile'), 'content-type': 'application/json' },
    JSON.stringify({ name: `row ${turn}` }),
  )
}

function bucketOf({ slug }: BenchTenant): string {
  return `proj_${slug}_files`
}

function listOf(tenant: BenchTenant, token: string): string {
  return requestText(
    'POST',
    `/storage/v1/object/list/${bucketOf(tenant)}`,
    { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    JSON.stringify({ prefix: 'folder-7', limit: 100 }),
  )
}

async function storageToken(server: BenchServer, { key }: BenchTenant): Promise<string> {
  const { token } = await manage<{ token: string }>(server, key, 'POST', '/st/v1/token')
  return token
}

async function timeOf(connection: BenchConnection, request: string): Promise<number> {
  const sent = performance.now()
  const { body, status } = await connection.send(request)
  if (status >= 400) throw new Error(`${request.slice(0, 80)} got ${status}: ${body}`)
  return performance.now() - sent
}

async function repeat(
  connection: BenchConnection,
  times: number,
  request: (turn: number) => string,
): Promise<number> {
  const taken: number[] = []
  for (let turn = 0; turn < times; turn += 1) taken.push(await timeOf(connection, request(turn)))
  return median(taken)
}

/** Sends `count` requests over parallel connections. */
async function sendMany(
  { port }: BenchServer,
  count: number,
  request: (turn: number) => string,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: Math.min(LANES, count) }, async () => {
      const connection = await openConnection('127.0.0.1', port)
      while (next < count) await timeOf(connection, request(next++))
      connection.close()
    }),
  )
}

async function addTenants({ server, tenants }: World, from: number, to: number): Promise<void> {
  let group = await createBenchGroup(server, THIRTY_TABLES, `from ${from}`)
  for (let number = from; number < to; number += 1) {
    if (number > from && (number - from) % GROUP_TENANTS === 0)
      group = await createBenchGroup(server, THIRTY_TABLES, `from ${number}`)
    const slug = `scale_${number}`
    const made = await manage<{ service_role_key: string }>(server, group.key, 'POST', group.path, {
      slug,
    })
    const path = `${group.path}/${slug}`
    const { project_id: projectId } = await manage<{ project_id: string }>(
      server,
      group.key,
      'GET',
      path,
    )
    const { key } = await manage<{ key: string }>(server, group.key, 'POST', `${path}/keys`, {})
    tenants.push({ slug, key: made.service_role_key, projectId, managementKey: key })
  }
}

async function addRows({ server, tenants }: World, from: number, to: number): Promise<void> {
  const { managementKey, projectId } = firstOf(tenants)
  for (let at = from; at < to; at += ROWS_AT_ONCE)
    await manage(server, managementKey, 'POST', `/platform/v1/projects/${projectId}/db/exec`, {
      sql: `insert into t1 (name, kind) select 'row ' || n, 'a' from generate_series(${at + 1}, ${at + ROWS_AT_ONCE}) as n`,
    })
}

async function addBucket({ server, tenants }: World): Promise<void> {
  const tenant = firstOf(tenants)
  const token = await storageToken(server, tenant)
  await manage(server, token, 'POST', '/storage/v1/bucket', { name: bucketOf(tenant) })
}

async function addObjects({ server, tenants }: World, from: number, to: number): Promise<void> {
  const tenant = firstOf(tenants)
  const authorization = `Bearer ${await storageToken(server, tenant)}`
  const headers = { authorization, 'content-type': 'text/plain' }
  const path = (number: number): string =>
    `/storage/v1/object/${bucketOf(tenant)}/folder-${number % FOLDERS}/${number}.txt`
  await sendMany(server, to - from, (turn) => requestText('POST', path(from + turn), headers, 'x'))
}

async function sendRequests({ server, tenants }: World, from: number, to: number): Promise<void> {
  const request = readOf(firstOf(tenants))
  await sendMany(server, to - from, () => request)
}

async function addUsers({ server, tenants }: World, from: number, to: number): Promise<void> {
  const session = server.ready.platform.session_token
  const path = `/_emulator/v1/projects/${firstOf(tenants).slug}/users`
  for (let number = from; number < to; number += 1)
    await manage(server, session, 'POST', path, {
      email: `user${number}@bench.test`,
      password: PASSWORD,
    })
}

/** The size of a folder on the disk, in bytes. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).blocks * 512, 0)
}
