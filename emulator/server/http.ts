// The listening HTTP socket: passes requests of node:http to the edge, and writes its answers.

import { createServer, type Server, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Answer, type Reply, toResponse, type Wire } from '../core/plain-http.ts'
import { bodyWriterOf } from '../core/response-writer.ts'
import type { Edge } from './edge.ts'
import { ConnectionLost } from './fault-gate.ts'
import { hostInUrl, type Listening, LOOPBACK, openPort } from './listening.ts'
import type { Upgrader } from './upgrade.ts'

/** Address of the HTTP port. */
export interface ListenOptions {
  /** Default: 0, which means any free port. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /**
   * Set this option when the process runs nothing else. The HTTP adapter then replaces the global Request and Response by lighter
   * classes, which serve about a sixth more requests per second.
   */
  readonly ownsProcess?: boolean
}

/** Serves the edge and the sockets behind `upgrader` on an address. @throws {ListenError} */
export async function listen(
  edge: Edge,
  upgrader: Upgrader,
  options: ListenOptions,
): Promise<Listening> {
  const { host = LOOPBACK.host, port: wanted = LOOPBACK.port } = options
  const server = createServer(
    {
      requestTimeout: 0,
      headersTimeout: 30_000,
      keepAliveTimeout: 65_000,
      // Node's limit of 16 KB would refuse a data_plane_token with large user metadata without an explanation.
      maxHeaderSize: 65_536,
      shouldUpgradeCallback: upgrader.wants,
    },
    getRequestListener(
      (request, { incoming, outgoing }) => answer(edge, request, { incoming, outgoing }),
      {
        hostname: host,
        overrideGlobalObjects: options.ownsProcess ?? false,
        errorHandler: badRequest,
      },
    ),
  )
  server.on('upgrade', upgrader.upgrade)
  const port = await openPort(server, { host, port: wanted }, '--port')
  const url = `http://${hostInUrl(host)}:${port}`
  return { port, host, url, close: () => close(server, upgrader) }
}

// Writes an answer before its request is reported, so that the client does not wait for the report. The HTTP adapter sends the
// responses that this function returns.
async function answer(edge: Edge, request: Request, wire: Wire): Promise<Response> {
  const { outgoing } = wire
  try {
    const { reply, report } = await edge(request, wire)
    const isSent = outgoing instanceof ServerResponse && send(reply, outgoing)
    report()
    return isSent ? RESPONSE_ALREADY_SENT : toResponse(reply)
  } catch (error) {
    return hangUp(error, outgoing)
  }
}

// Returns false for a response whose body the HTTP adapter must read.
function send(reply: Reply, outgoing: ServerResponse): boolean {
  if (!(reply instanceof Answer)) return writeBody(reply, outgoing)
  sendAnswer(reply, outgoing)
  return true
}

// Returns false when the response has no writer of its own.
function writeBody(response: Response, outgoing: ServerResponse): boolean {
  const writer = bodyWriterOf(response)
  if (writer === undefined) return false
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  writer(outgoing)
  return true
}

// Closes the connection when a fault withholds the response. The HTTP adapter sends nothing for `RESPONSE_ALREADY_SENT`.
function hangUp(error: unknown, outgoing: Writable): Response {
  if (!(error instanceof ConnectionLost)) throw error
  outgoing.destroy()
  return RESPONSE_ALREADY_SENT
}

// The HTTP adapter calls this function only for requests with an invalid Host header or target, which it cannot convert.
function badRequest(): Response {
  const message = 'The request line or its Host header is not valid HTTP.'
  return Response.json({ error: { code: 'invalid_request', message } }, { status: 400 })
}

function close(server: Server, upgrader: Upgrader): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    upgrader.close()
    server.closeAllConnections()
  })
}

// Writes an answer to a connection of node:http. Head and body reach the socket in one write.

/**
 * Largest body, in bytes, that is written as text. Node joins the head with a text body, but writes a body of bytes as a second
 * buffer. Copying a larger body costs more than the second buffer.
 */
const JOINED_BYTES = 12 << 10

/** Sends the whole answer. */
export function sendAnswer(answer: Answer, outgoing: ServerResponse): void {
  const { status, reason, headers, body } = answer
  const lines = headers.toLines()
  if (body !== undefined && !headers.has('content-length'))
    lines.push('content-length', String(body.length))
  if (reason === undefined) outgoing.writeHead(status, lines)
  else outgoing.writeHead(status, reason, lines)
  if (body === undefined) outgoing.end()
  else if (body.length > JOINED_BYTES) outgoing.end(body)
  else outgoing.end(latin1Of(body), 'latin1')
}

// Returns a text in which each character represents one byte, as in the head.
function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
}
