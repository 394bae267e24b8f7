// Realtime cells: from the answer to an INSERT to its delivery, for few and many subscribers of one and of many identities.
// Also measures the sustained changes per second, and the memory of an idle socket.
import WebSocket from 'ws'
import { type BenchConnection, openConnection, requestText } from './http-client.ts'
import { memoryOf, percentile } from './measure.ts'
import { type BenchServer, manage } from './server.ts'

export interface DeliveryCell {
  readonly subscribers: number
  readonly identities: number
  /**
   * Wall-clock milliseconds from the INSERT's response to each delivery. Negative when the delivery is earlier than the response.
   */
  readonly p50: number
  readonly p95: number
  /** Median time from sending the INSERT to the last delivery. */
  readonly wholeMillis: number
}

export interface RealtimeFigures {
  /** Median wall-clock milliseconds from sending an INSERT without subscribers to its response. */
  readonly insertMillis: number
  readonly deliveries: readonly DeliveryCell[]
  /** Changes per second with 100 subscribers of one identity, from the first INSERT to the last delivery. */
  readonly sustainedPerSecond: number
  readonly idleSocketKib: number | undefined
}

const TABLE_SQL = `
create table live (id bigint generated always as identity primary key, owner uuid, body text);
alter table live enable row level security;
create policy members on live for select to authenticated using (auth.uid() is not null);`

interface Project {
  readonly inserting: Readonly<Record<string, string>>
  readonly anonToken: string
  tokens(count: number): Promise<readonly string[]>
}

export async function measureRealtime(server: BenchServer): Promise<RealtimeFigures> {
  const project = await prepare(server)
  const idleSocketKib = await measureIdle(server, project)
  const insertMillis = await measureInserts(server, project)
  const deliveries: DeliveryCell[] = []
  for (const [subscribers, identities, rounds] of [
    [1, 1, 200],
    [100, 1, 60],
    [100, 100, 60],
    [1_000, 1, 25],
    [1_000, 100, 25],
  ] as const)
    deliveries.push(await measureDelivery(server, project, { subscribers, identities, rounds }))
  return {
    insertMillis,
    deliveries,
    sustainedPerSecond: await measureSustained(server, project),
    idleSocketKib,
  }
}

const INSERTS = 200

async function measureInserts(server: BenchServer, project: Project): Promise<number> {
  const writer = await openConnection('127.0.0.1', server.port)
  const times: number[] = []
  for (let round = 0; round < INSERTS; round++) {
    const sent = performance.now()
    await insert(writer, project)
    times.push(performance.now() - sent)
  }
  writer.close()
  return percentile(times, 50)
}

interface CellSize {
  readonly subscribers: number
  readonly identities: number
  readonly rounds: number
}

async function measureDelivery(
  server: BenchServer,
  project: Project,
  { subscribers, identities, rounds }: CellSize,
): Promise<DeliveryCell> {
  const audience = await openAudience(server, await project.tokens(identities), subscribers)
  const writer = await openConnection('127.0.0.1', server.port)
  const delays: number[] = []
  const wholes: number[] = []
  for (let round = -5; round < rounds; round++) {
    const before = audience.arrivals.length
    const sent = performance.now()
    await insert(writer, project)
    const answered = performance.now()
    await audience.reaches(before + subscribers)
    if (round < 0) continue
    const arrivals = audience.arrivals.slice(before)
    for (const arrival of arrivals) delays.push(arrival - answered)
    wholes.push(Math.max(...arrivals) - sent)
  }
  writer.close()
  await audience.close()
  return {
    subscribers,
    identities,
    p50: percentile(delays, 50),
    p95: percentile(delays, 95),
    wholeMillis: percentile(wholes, 50),
  }
}

const WRITERS = 4
const SUSTAINED_CHANGES = 2_000
const SUSTAINED_SUBSCRIBERS = 100

async function measureSustained(server: BenchServer, project: Project): Promise<number> {
  const audience = await openAudience(server, await project.tokens(1), SUSTAINED_SUBSCRIBERS)
  const started = performance.now()
  let left = SUSTAINED_CHANGES
  const lane = async (): Promise<void> => {
    const writer = await openConnection('127.0.0.1', server.port)
    while (left-- > 0) await insert(writer, project)
    writer.close()
  }
  await Promise.all(Array.from({ length: WRITERS }, lane))
  await audience.reaches(SUSTAINED_CHANGES * SUSTAINED_SUBSCRIBERS)
  const seconds = (performance.now() - started) / 1_000
  await audience.close()
  return SUSTAINED_CHANGES / seconds
}

const IDLE_SOCKETS = 2_000

async function measureIdle(server: BenchServer, project: Project): Promise<number | undefined> {
  // Opens some sockets before the measurement, so that one-time costs do not count.
  await (await openAudience(server, [project.anonToken], IDLE_SOCKETS / 10, [])).close()
  const before = memoryOf(server.pid)
  const audience = await openAudience(server, [project.anonToken], IDLE_SOCKETS, [])
  await pause(1_000)
  const after = memoryOf(server.pid)
  await audience.close()
  if (before === undefined || after === undefined) return undefined
  return ((after.pssMib - before.pssMib) * 1_024) / IDLE_SOCKETS
}

interface Audience {
  /** Instants of all deliveries. */
  readonly arrivals: readonly number[]
  reaches(count: number): Promise<void>
  close(): Promise<void>
}

const CHANGES = [{ event: '*', schema: 'public', table: 'live' }]

/** Opens sockets that have each joined one channel. The sockets use the tokens in turn. */
async function openAudience(
  server: BenchServer,
  tokens: readonly string[],
  count: number,
  requests: readonly object[] = CHANGES,
): Promise<Audience> {
  const arrivals: number[] = []
  let wanted = Number.POSITIVE_INFINITY
  let reached = (): void => undefined
  const arrive = (): void => {
    arrivals.push(performance.now())
    if (arrivals.length >= wanted) reached()
  }
  const sockets: WebSocket[] = []
  for (let place = 0; place < count; place++)
    sockets.push(
      await openSubscriber(server, tokens[place % tokens.length] ?? '', requests, arrive),
    )
  return {
    arrivals,
    reaches: (total) =>
      new Promise((resolve) => {
        wanted = total
        reached = resolve
        if (arrivals.length >= total) resolve()
      }),
    close: async () => {
      for (const socket of sockets) socket.terminate()
      await pause(300)
    },
  }
}

async function openSubscriber(
  server: BenchServer,
  token: string,
  requests: readonly object[],
  arrive: () => void,
): Promise<WebSocket> {
  const url = `ws://127.0.0.1:${server.port}/realtime/v1/websocket?vsn=2.0.0&apikey=${token}`
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  // A part of the last message that answers a join.
  const last = requests.length > 0 ? '"Subscribed to PostgreSQL"' : '"phx_reply"'
  await new Promise<void>((resolve) => {
    socket.on('message', (bytes: Buffer) => {
      if (bytes.includes('"postgres_changes",{"ids"')) arrive()
      else if (bytes.includes(last)) resolve()
    })
    const config = { config: { postgres_changes: requests } }
    socket.send(JSON.stringify(['1', '1', 'realtime:bench', 'phx_join', config]))
  })
  return socket
}

async function insert(writer: BenchConnection, { inserting }: Project): Promise<void> {
  const { status, body } = await writer.send(
    requestText('POST', '/live', inserting, '{"body":"a row that somebody waits for"}'),
  )
  if (status !== 201) throw new Error(`${status} ${body}`)
}

function pause(millis: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, millis)
  })
}

async function prepare(server: BenchServer): Promise<Project> {
  const session = server.ready.platform.session_token
  const made = { name: 'Live', slug: 'livebench', plan: 'scale' }
  const { id, anon_key, service_role_key } = await manage<Record<string, string>>(
    server,
    session,
    'POST',
    '/platform/v1/projects',
    made,
  )
  await manage(server, session, 'POST', `/platform/v1/projects/${id}/db/exec`, { sql: TABLE_SQL })
  const realtimeToken = async (credential: string): Promise<string> => {
    const answer = await manage<{ token: string }>(server, credential, 'POST', '/rt/v1/token')
    return answer.token
  }
  const tokens: string[] = []
  const userToken = async (place: number): Promise<string> => {
    const user = `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`
    const body = { project: 'livebench', role: 'authenticated', user }
    const path = '/_emulator/v1/principals'
    const minted = await manage<{ token: string }>(server, session, 'POST', path, body)
    return realtimeToken(minted.token)
  }
  return {
    inserting: {
      apikey: anon_key ?? '',
      authorization: `Bearer ${service_role_key}`,
      'content-type': 'application/json',
      prefer: 'return=minimal',
    },
    anonToken: await realtimeToken(anon_key ?? ''),
    tokens: async (count) => {
      while (tokens.length < count) tokens.push(await userToken(tokens.length))
      return tokens.slice(0, count)
    },
  }
}
