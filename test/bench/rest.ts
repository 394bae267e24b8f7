// Measures REST requests: reads by key, reads of 20 and 1,000 rows, an embed, a function call, and inserts of one and 1,000 rows.
// Uses 1 and 16 connections, and compares with the engine alone.
import type { EngineBaseline } from './engine-baseline.ts'
import { type BenchConnection, openConnection, requestText } from './http-client.ts'
import { closedLoop, type Loop } from './measure.ts'
import { type BenchServer, manage } from './server.ts'
import { BULK_BODY, OWNER, ownId, WORKLOAD_SQL } from './workload.ts'

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

function worksOf(headers: Record<string, string>, baseline: EngineBaseline): Work[] {
  const writing = { ...headers, 'content-type': 'application/json', prefer: 'return=minimal' }
  const get = (path: string): string => requestText('GET', path, headers)
  const post = (path: string, body: string): string => requestText('POST', path, writing, body)
  const fixed = (request: string) => (): string => request
  return [
    {
      title: 'GET by key under RLS',
      status: 200,
      request: (turn) => get(`/items?select=*&id=eq.${ownId(turn)}`),
      engine: baseline.byKey,
    },
    {
      title: 'GET 20 rows, filter and order',
      status: 200,
      request: fixed(get('/items?select=*&score=gte.500&order=score.desc&limit=20')),
      engine: baseline.list,
    },
    {
      title: 'GET 20 rows with an embed',
      status: 200,
      request: fixed(get('/items?select=*,author:authors(*)&order=score.desc&limit=20')),
      engine: baseline.embed,
    },
    {
      title: 'GET 1,000 rows',
      status: 200,
      request: fixed(get('/items?select=*&order=id&limit=1000')),
      engine: baseline.page,
    },
    {
      title: 'POST a function of 20 rows',
      status: 200,
      request: fixed(post('/rpc/own_items_over', JSON.stringify({ bound: 500 }))),
      engine: baseline.call,
    },
    {
      title: 'POST one row, minimal',
      status: 201,
      request: (turn) => post('/written', JSON.stringify({ owner: OWNER, title: `new ${turn}` })),
      engine: baseline.insert,
    },
    {
      title: 'POST 1,000 rows, minimal',
      status: 201,
      request: fixed(post('/written', BULK_BODY)),
      engine: baseline.bulk,
    },
  ]
}

export async function measureRest(
  server: BenchServer,
  headers: Record<string, string>,
  baseline: EngineBaseline,
): Promise<RestCell[]> {
  const works = worksOf(headers, baseline)
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

/** Creates a project with the workload's tables. Returns the headers of its user. */
export async function prepareWorkload(
  server: BenchServer,
  slug: string,
): Promise<Record<string, string>> {
  const session = server.ready.platform.session_token
  const project = await manage<{ id: string; anon_key: string }>(
    server,
    session,
    'POST',
    '/platform/v1/projects',
    {
      name: 'Bench',
      slug,
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
      project: slug,
      role: 'authenticated',
      user: OWNER,
    },
  )
  return {
    apikey: project.anon_key,
    authorization: `Bearer ${token}`,
    'accept-profile': `proj_${slug}`,
  }
}
