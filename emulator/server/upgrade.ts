// WebSocket handshakes (RFC 6455): finds the service, which accepts or refuses the handshake, and passes the connection to the
// service. Reports each handshake once, like any request.

import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { INSPECTOR_MARK } from '../contract/operation.ts'
import type { Clock } from '../core/clock.ts'
import type { MetFault, RequestFaults } from '../core/fault.ts'
import type { IdSource } from '../core/id-source.ts'
import type { Observer, RequestFacts } from '../core/observation.ts'
import type { RenderedError } from '../core/request-env.ts'
import type { Admission, Connection, Handshake, SocketService } from '../core/socket-service.ts'
import { shownTarget } from '../platform/secrets/shown-secrets.ts'
import { fileRefusal } from './exchange.ts'
import { ConnectionLost, pause } from './fault-gate.ts'
import { createFraming, type Framing } from './framing.ts'
import { type MountName, routeOf } from './hosts.ts'

export interface UpgradeDeps {
  readonly mounts: Readonly<Partial<Record<MountName, SocketService>>>
  readonly clock: Clock
  readonly wallClock: Clock
  readonly ids: IdSource
  readonly observe: Observer
  readonly faults?: RequestFaults
}

/** WebSocket handling of one listening address. */
export interface Upgrader {
  /** Whether the request asks for a WebSocket. The server ignores all other upgrades, as HTTP allows (RFC 9110 §7.8). */
  wants(request: IncomingMessage): boolean
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes the connections of all peers. */
  close(): void
}

/** Wall-clock milliseconds within which a peer must answer a close frame. */
const CLOSE_TIMEOUT_MILLIS = 2_000
const ACCEPTOR_OPTIONS = {
  noServer: true,
  perMessageDeflate: false,
  closeTimeout: CLOSE_TIMEOUT_MILLIS,
}
const GOING_AWAY = 1001
/** Maximum bytes of the reason in a close frame (RFC 6455 §5.5). */
const REASON_BYTES = 123

/** Creates the WebSocket handling of one listening address. */
export function createUpgrader(deps: UpgradeDeps): Upgrader {
  const acceptors = new Map<SocketService, WebSocketServer>()
  const framing = createFraming()

  function acceptorOf(service: SocketService): WebSocketServer {
    const acceptor =
      acceptors.get(service) ??
      new WebSocketServer({ ...ACCEPTOR_OPTIONS, maxPayload: service.maxFrameBytes })
    acceptors.set(service, acceptor)
    return acceptor
  }

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = URL.parse(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`)
    if (url === null) return refuse(socket, BAD_REQUEST)
    const facts: RequestFacts = {}
    const requestId = deps.ids.id('req_')
    const started = { at: deps.clock.now(), wall: deps.wallClock.now() }
    const headers = headersOf(request)
    const finish = (status: number, refusal?: RenderedError): void => {
      fileRefusal(facts, { status, headers, target: url.pathname + url.search })
      report(deps, { requestId, request, url, facts, started, status }, refusal)
      if (refusal !== undefined) refuse(socket, refusal)
    }
    const route = routeOf(url.host, url.pathname)
    const service = route.kind === 'mount' ? deps.mounts[route.mount] : undefined
    if (service === undefined) return finish(404, nothingHere(url.pathname))
    const met = await meetFaults(deps, { requestId, url, headers, facts })
    if (met?.outcome?.kind === 'connection_dropped') {
      report(
        deps,
        { requestId, request, url, facts, started, status: 444 },
        new ConnectionLost('connection_dropped', met.faultId).told,
      )
      socket.destroy()
      return
    }
    if (met?.outcome?.kind === 'refusal')
      return finish(met.outcome.rendered.status, met.outcome.rendered)
    const admission = await decide(deps, service, { requestId, url, headers, facts })
    if (socket.destroyed) return
    if (admission.kind === 'refused') return finish(admission.error.status, admission.error)
    acceptorOf(service).handleUpgrade(request, socket, head, (peer) => {
      socket.off('error', destroy)
      serve(connectionOf(peer, socket, framing), peer, admission)
      finish(101)
    })
  }

  return {
    wants: isWebSocket,
    upgrade: (request, socket, head) => {
      // A peer may reset the connection before it has read the refusal.
      socket.on('error', destroy)
      admit(request, socket, head).catch((error: unknown) => {
        deps.observe({ kind: 'internalFailure', requestId: deps.ids.id('req_'), error })
        socket.destroy()
      })
    },
    close: () => {
      for (const acceptor of acceptors.values())
        for (const peer of acceptor.clients) peer.close(GOING_AWAY, 'the emulator is stopping')
    },
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(
    Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
  )
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

// All faults apply before the handshake, because the handshake does no work of a service.
async function meetFaults(
  { faults, wallClock }: UpgradeDeps,
  { requestId, url, headers, facts }: Handshake,
): Promise<MetFault | undefined> {
  if (faults?.isArmed !== true) return undefined
  const met = faults.meet({
    requestId,
    door: 'socket',
    method: 'GET',
    path: url.pathname,
    target: url.pathname + url.search,
    headers,
  })
  if (met === undefined) return undefined
  facts.fault = met.faultId
  if (met.delayMillis > 0) await pause(wallClock, met.delayMillis)
  return met
}

async function decide(
  { observe }: UpgradeDeps,
  service: SocketService,
  handshake: Handshake,
): Promise<Admission> {
  try {
    return await service.admit(handshake)
  } catch (error) {
    const trace = handshake.requestId
    observe({ kind: 'internalFailure', requestId: trace, error })
    return { kind: 'refused', error: rendered(500, 'internal', `Something failed; trace ${trace}`) }
  }
}

function serve(
  connection: Connection,
  peer: WebSocket,
  admission: Admission & { kind: 'admitted' },
): void {
  const listener = admission.serve(connection)
  peer.on('message', (bytes: Buffer, isBinary) => listener.onFrame(bytes, isBinary))
  peer.on('close', (code) => listener.onClosed(code))
  // The event `close` follows every error of a socket. Without a listener the error would end the process.
  peer.on('error', ignore)
}

function ignore(): void {}

function destroy(this: Duplex): void {
  this.destroy()
}

/**
 * @param socket the socket of `peer`. Without compression the peer buffers nothing, so frames may be written directly to the
 * socket
 */
function connectionOf(peer: WebSocket, socket: Duplex, framing: Framing): Connection {
  let isHeld = false
  const release = (): void => {
    isHeld = false
    socket.uncork()
  }
  return {
    get bufferedBytes() {
      return peer.bufferedAmount
    },
    send: (bytes, isBinary) => {
      if (peer.readyState !== peer.OPEN) return
      // Frames that are sent together, such as a batch of row changes, take one system call.
      if (!isHeld) {
        isHeld = true
        socket.cork()
        process.nextTick(release)
      }
      socket.write(framing(bytes, isBinary))
    },
    close: (code, reason) => {
      peer.resume()
      peer.close(code, Buffer.from(reason).subarray(0, REASON_BYTES))
    },
    pause: () => peer.pause(),
    resume: () => peer.resume(),
  }
}

const BAD_REQUEST = rendered(
  400,
  'invalid_request',
  'The request line or its Host header is not valid HTTP.',
)

function nothingHere(path: string): RenderedError {
  return rendered(404, 'not_found', `There is no socket at ${path}`)
}

function rendered(status: number, code: string, message: string): RenderedError {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { status, headers, body: JSON.stringify({ error: message }), code, message }
}

function refuse(socket: Duplex, { status, headers, body = '' }: RenderedError): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ]
  socket.end(lines.join('\r\n'), () => socket.destroy())
}

interface Finished {
  readonly requestId: string
  readonly request: IncomingMessage
  readonly url: URL
  readonly facts: RequestFacts
  readonly started: { readonly at: ReturnType<Clock['now']>; readonly wall: number }
  readonly status: number
}

function report(deps: UpgradeDeps, finished: Finished, refusal: RenderedError | undefined): void {
  const { requestId, request, url, facts, started, status } = finished
  // A page cannot add headers to a WebSocket handshake, so the inspector marks its sockets in the query.
  if (url.searchParams.get(INSPECTOR_MARK) === '1') facts.isFromInspector = true
  deps.observe({
    kind: 'requestFinished',
    requestId,
    service: 'realtime',
    method: request.method ?? 'GET',
    target: shownTarget(url.pathname + url.search),
    status,
    receivedAt: started.at,
    durationMillis: deps.wallClock.now() - started.wall,
    facts,
    ...(refusal === undefined ? {} : { errorCode: refusal.code, errorMessage: refusal.message }),
  })
}
