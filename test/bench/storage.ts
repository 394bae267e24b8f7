// Measures small files per second at 1 and 16 connections, the rate of one large upload and download, and how much the server's
// memory grows.
import { connect } from 'node:net'
import { type BenchConnection, openConnection, requestText } from './http-client.ts'
import { closedLoop, type Loop, memoryOf } from './measure.ts'
import { type BenchServer, manage } from './server.ts'
import { measureLists } from './storage-lists.ts'

export interface StorageCell {
  readonly title: string
  readonly connections: number
  readonly http: Loop
}

export interface LargeFileFigures {
  /** 10^6 bytes a second, median of the rounds. */
  readonly upPerSecond: number
  readonly downPerSecond: number
  /** Largest growth of the resident memory during the transfer, in MiB. */
  readonly upGrowthMib: number
  readonly downGrowthMib: number
}

export interface StorageFigures {
  readonly cells: readonly StorageCell[]
  readonly large: LargeFileFigures
}

interface StorageTarget {
  readonly headers: Readonly<Record<string, string>>
  readonly path: string
}

const CELL_MILLIS = 2_000
const KEYS = 64
const SMALL_BODY = 'x'.repeat(4_096)
const LARGE_BYTES = 50_000_000
const ROUNDS = 7
const PIECE = Buffer.alloc(1 << 20, 7)
const SAMPLE_MILLIS = 5

export async function measureStorage(server: BenchServer): Promise<StorageFigures> {
  const { headers, path } = await prepare(server)
  const upserting = {
    ...headers,
    'content-type': 'application/octet-stream',
    'x-upsert': 'true',
  }
  const put = (turn: number): string =>
    requestText('POST', `${path}/small/${turn}`, upserting, SMALL_BODY)
  const get = (turn: number): string => requestText('GET', `${path}/small/${turn % KEYS}`, headers)
  await fill(server, put)
  const cells: StorageCell[] = []
  for (const connections of [1, 16]) {
    cells.push(await measureCell(server, 'PUT 4 KB, new keys', connections, put))
    cells.push(
      await measureCell(server, 'PUT 4 KB, same keys', connections, (turn) => put(turn % KEYS)),
    )
    cells.push(await measureCell(server, 'GET 4 KB', connections, get))
  }
  cells.push(...(await measureLists(server, headers)))
  return { cells, large: await measureLarge(server, { headers, path }) }
}

async function measureCell(
  server: BenchServer,
  title: string,
  connections: number,
  request: (turn: number) => string,
): Promise<StorageCell> {
  const open = await Promise.all(
    Array.from({ length: connections }, () => openConnection('127.0.0.1', server.port)),
  )
  const http = await closedLoop(connections, CELL_MILLIS, async (lane) => {
    turn += 1
    await expectOk(open[lane], request(turn))
  })
  for (const connection of open) connection.close()
  return { title, connections, http }
}

async function fill(server: BenchServer, put: (turn: number) => string): Promise<void> {
  const connection = await openConnection('127.0.0.1', server.port)
  for (let key = 0; key < KEYS; key += 1) await expectOk(connection, put(key))
  connection.close()
}

/** Counts requests over all cells, so that no cell writes a new key that an earlier cell has written. */
let turn = KEYS

async function expectOk(connection: BenchConnection | undefined, request: string): Promise<void> {
  const answer = await connection?.send(request)
  if (answer?.status !== 200) throw new Error(`got ${answer?.status}: ${answer?.body}`)
}

async function measureLarge(
  server: BenchServer,
  { headers, path }: StorageTarget,
): Promise<LargeFileFigures> {
  const up = requestHead('PUT', `${path}/large`, {
    ...headers,
    'content-type': 'application/octet-stream',
    'content-length': String(LARGE_BYTES),
  })
  const down = requestHead('GET', `${path}/large`, headers)
  const ups = await rounds(server, () => exchange(server.port, up, LARGE_BYTES))
  const downs = await rounds(server, () => exchange(server.port, down, 0))
  return {
    upPerSecond: ups.perSecond,
    upGrowthMib: ups.growthMib,
    downPerSecond: downs.perSecond,
    downGrowthMib: downs.growthMib,
  }
}

async function rounds(
  server: BenchServer,
  once: () => Promise<void>,
): Promise<{ readonly perSecond: number; readonly growthMib: number }> {
  const before = memoryOf(server.pid)?.rssMib ?? Number.NaN
  let highest = before
  const sampler = setInterval(() => {
    highest = Math.max(highest, memoryOf(server.pid)?.rssMib ?? 0)
  }, SAMPLE_MILLIS)
  const speeds: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    await once()
    speeds.push(LARGE_BYTES / 1_000 / (performance.now() - started))
  }
  clearInterval(sampler)
  const median = speeds.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
  return { perSecond: median, growthMib: highest - before }
}

function requestHead(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): string {
  return requestText(method, path, { ...headers, connection: 'close' })
}

/** Sends a request head and this number of bytes. Reads the response to its end and discards it. */
function exchange(port: number, head: string, bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    let status = ''
    let left = bytes
    const send = (): void => {
      while (left > 0) {
        const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE
        left -= piece.length
        if (!socket.write(piece)) return
      }
    }
    socket.on('drain', send)
    socket.on('data', (chunk: Buffer) => {
      if (status === '') status = chunk.toString('latin1', 9, 12)
    })
    socket.on('error', reject)
    socket.on('close', () =>
      status === '200' ? resolve() : reject(new Error(`got ${status || 'no answer'}`)),
    )
    socket.write(head)
    send()
  })
}

async function prepare(server: BenchServer): Promise<StorageTarget> {
  const session = server.ready.platform.session_token
  const project = await manage<{ service_role_key: string }>(
    server,
    session,
    'POST',
    '/platform/v1/projects',
    { name: 'Bench of storage', slug: 'storagebench', plan: 'scale' },
  )
  const { token } = await manage<{ token: string }>(
    server,
    project.service_role_key,
    'POST',
    '/st/v1/token',
  )
  const headers = { authorization: `Bearer ${token}` }
  const bucket = 'proj_storagebench_files'
  await manage(server, token, 'POST', '/storage/v1/bucket', { name: bucket })
  return { headers, path: `/storage/v1/object/${bucket}` }
}
