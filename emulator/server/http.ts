// The listening HTTP socket: converts requests of node:http to Request and Response.
import { createServer, type Server, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { bodyWriterOf } from '../core/response-writer.ts'
import type { EdgeFetch } from './edge.ts'
import { ConnectionLost } from './fault-gate.ts'
import { type Listening, openPort } from './listening.ts'
import { sendReason } from './reason-phrase.ts'
import type { Upgrader } from './upgrade.ts'

export interface ListenOptions {
  /** Port 0 means any free port. */
  readonly port: number
  readonly host: string
  /**
   * The process runs nothing else, so the HTTP adapter may replace the global Request and Response by lighter ones. The lighter
   * ones serve about a sixth more requests per second.
   */
  readonly ownsProcess?: boolean
}

/** Serves `fetch` and the sockets behind `upgrader` on an address. @throws {ListenError} */
export async function listen(
  fetch: EdgeFetch,
  upgrader: Upgrader,
  options: ListenOptions,
): Promise<Listening> {
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
      async (request, { incoming, outgoing }) => {
        const response = await fetch(request, { incoming, outgoing }).catch((error: unknown) =>
          hangUp(error, outgoing),
        )
        if (!(outgoing instanceof ServerResponse)) return response
        sendReason(response, outgoing)
        return writeBody(response, outgoing) ? RESPONSE_ALREADY_SENT : response
      },
      {
        hostname: options.host,
        overrideGlobalObjects: options.ownsProcess ?? false,
        errorHandler: badRequest,
      },
    ),
  )
  server.on('upgrade', upgrader.upgrade)
  const port = await openPort(server, options, '--port')
  return { port, host: options.host, close: () => close(server, upgrader) }
}

// Returns false when the response has no writer of its own. The HTTP adapter sends such a response.
function writeBody(response: Response, outgoing: ServerResponse): boolean {
  const writer = bodyWriterOf(response)
  if (writer === undefined) return false
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  writer(outgoing)
  return true
}

// Closes the connection when a fault withholds the response. The HTTP adapter sends nothing for a response that carries its
// mark.
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
