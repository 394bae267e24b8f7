// REST cells: GET by key, GET of 20 rows and a one-row insert, at 1 and 16 connections, beside the engine alone.
import type { EngineBaseline } from './engine-baseline.ts'
import { type BenchConnection, openConnection, requestText } from './http-client.ts'
import { closedLoop, type Loop } from './measure.ts'
import { type BenchServer, manage } from './server.ts'
import { OWNER, ownId, WORKLOAD_SQL } from './workload.ts'

export interface RestCell {
  readonly title: string
  readonly connections: number
  readonly http: Loop
  readonly engine: Loop
}

interface Work {
  readonly title: string
  readonly status: number
  readonly request: (turn: number) => string
  readonly engine: (turn: number) => Promise<void>
}

const CELL_MILLIS = 2_000

export async function measureRest(
  server: BenchServer,
  baseline: EngineBaseline,
): Promise<RestCell[]> {
  const headers = await prepare(server)
  const works: Work[] = [
    {
      title: 'GET by key under RLS',
      status: 200,
      request: (turn) => requestText('GET', `/items?select=*&id=eq.${ownId(turn)}`, headers),
      engine: baseline.byKey,
    },
    {
      title: 'GET 20 rows, filter and order',
      status: 200,
      request: () =>
        requestText('GET', '/items?select=*&score=gte.500&order=score.desc&limit=20', headers),
      engine: baseline.list,
    },
    {
      title: 'POST one row, minimal',
      status: 201,
      request: (turn) =>
        requestText(
          'POST',
          '/written',
          { ...headers, 'content-type': 'application/json', prefer: 'return=minimal' },
          JSON.stringify({ owner: OWNER, title: `new ${turn}` }),
        ),
      engine: baseline.insert,
    },
  ]
  const cells: RestCell[] = []
  for (const work of works)
    for (const connections of [1, 16]) cells.push(await measureCell(server, work, connections))
  return cells
}

async function measureCell(
  server: BenchServer,
  work: Work,
  connections: number,
): Promise<RestCell> {
  const open = await Promise.all(
    Array.from({ length: connections }, () => openConnection('127.0.0.1', server.port)),
  )
  let turn = 0
  const http = await closedLoop(connections, CELL_MILLIS, async (lane) => {
    turn += 1
    await expectStatus(open[lane], work.request(turn), work.status)
  })
  for (const connection of open) connection.close()
  const engine = await closedLoop(connections, CELL_MILLIS, () => {
    turn += 1
    return work.engine(turn)
  })
  return { title: work.title, connections, http, engine }
}

async function expectStatus(
  connection: BenchConnection | undefined,
  request: string,
  status: number,
): Promise<void> {
  const answer = await connection?.send(request)
  if (answer?.status !== status)
    throw new Error(`expected ${status}, got ${answer?.status}: ${answer?.body}`)
}

async function prepare(server: BenchServer): Promise<Record<string, string>> {
  const session = server.ready.platform.session_token
  const project = await manage<{ id: string; anon_key: string }>(
    server,
    session,
    'POST',
    '/platform/v1/projects',
    {
      name: 'Bench',
      slug: 'restbench',
      plan: 'scale',
    },
  )
  await manage(server, session, 'POST', `/platform/v1/projects/${project.id}/db/exec`, {
    sql: WORKLOAD_SQL,
  })
  const { token } = await manage<{ token: string }>(
    server,
    session,
    'POST',
    '/_emulator/v1/principals',
    {
      project: 'restbench',
      role: 'authenticated',
      user: OWNER,
    },
  )
  return {
    apikey: project.anon_key,
    authorization: `Bearer ${token}`,
    'accept-profile': 'proj_restbench',
  }
}
