// The proxy of `tenantry record`: one local port for all planes of a platform. The proxy reports each exchange after its end.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../../core/clock.ts'
import { type Listening, openPort } from '../../../server/listening.ts'
import type { HarEntry, Plane } from '../har/har.ts'
import type { Masker } from '../masking/create-masker.ts'
import type { PlaneBases } from '../planes.ts'
import { BodyCopy } from './body-copy.ts'
import { type Exchange, entryOf } from './exchange.ts'
import { createAgents, type Forwarding, forwardRequest } from './forward-request.ts'
import { forwardSocket } from './forward-socket.ts'
import { createUpstreamBook } from './upstream.ts'

export interface RecordingProxyOptions {
  readonly targets: PlaneBases
  /** Planes whose address the user gave on the command line. */
  readonly given: ReadonlySet<Plane>
  /** Maximum number of bytes to keep of one body or frame. */
  readonly maxBodyBytes: number
  readonly masker: Masker
  /** Whether to keep bodies and frames whose secrets cannot be found. */
  readonly keepsOpaque: boolean
  readonly wallClock: Clock
  readonly record: (entry: HarEntry) => void
  readonly port: number
}

/** Wall-clock milliseconds within which the sockets must close when the recording ends. */
const CLOSE_WITHIN_MILLIS = 2_000

/** Opens the proxy. Its `close` ends all connections, and returns after every exchange was recorded. @throws {ListenError} */
export async function openRecordingProxy(options: RecordingProxyOptions): Promise<Listening> {
  const { given, keepsOpaque, masker, maxBodyBytes, port, record, targets, wallClock } = options
  const book = createUpstreamBook(targets, given)
  const agents = createAgents()
  const open = new Set<Exchange>()
  let events = 0
  let onEmpty = (): void => {}

  const begin = (incoming: IncomingMessage): Exchange => {
    const order = events++
    const upstream = book.find(incoming.headers.host ?? '', incoming.url ?? '/')
    const facts = { order, upstream, startedAt: wallClock.now() }
    const exchange = startedExchange(incoming, facts, maxBodyBytes)
    open.add(exchange)
    return exchange
  }
  const forwarding: Forwarding = {
    book,
    agents,
    wallClock,
    nextEvent: () => events++,
    ended: (exchange) => {
      const end = { ended: events++, endedAt: wallClock.now() }
      return () => {
        if (!open.delete(exchange)) return
        record(entryOf(exchange, { masker, keepsOpaque, ...end }))
        if (open.size === 0) onEmpty()
      }
    },
  }
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
    forwardRequest(incoming, outgoing, begin(incoming), forwarding)
  const sockets = new Set<Duplex>()
  const server = createServer({ noDelay: true }, serve)
  // The proxy does not limit how long a request takes to arrive, because the target decides about such limits.
  server.requestTimeout = 0
  server.headersTimeout = 0
  server.on('checkContinue', serve)
  server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    sockets.add(client)
    client.on('close', () => sockets.delete(client))
    forwardSocket(incoming, { client, head }, begin(incoming), forwarding, maxBodyBytes)
  })
  const host = '127.0.0.1'
  const opened = await openPort(server, { port, host }, '--port')
  return {
    host,
    port: opened,
    url: `http://${host}:${opened}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve
        if (open.size === 0) resolve()
        wallClock.after(CLOSE_WITHIN_MILLIS, resolve)
      })
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      await empty
      await closed
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function startedExchange(
  { headers, method = 'GET', rawHeaders }: IncomingMessage,
  facts: Pick<Exchange, 'order' | 'startedAt' | 'upstream'>,
  maxBodyBytes: number,
): Exchange {
  return {
    ...facts,
    method,
    rawHeaders,
    headers,
    requestBody: new BodyCopy(maxBodyBytes),
    answerBody: new BodyCopy(maxBodyBytes),
    answeredAt: undefined,
    answer: undefined,
    failure: undefined,
    socket: undefined,
  }
}
