// Accepts a WebSocket handshake, or refuses it with an HTTP response (docs/wire/realtime.md#socket).

import type { SocketFaults } from '../../../core/fault.ts'
import type { RenderedError } from '../../../core/request-env.ts'
import type { Admission, Handshake } from '../../../core/socket-service.ts'
import {
  CREDENTIAL_HEADERS,
  CREDENTIAL_PARAMETERS,
} from '../../../platform/secrets/secret-names.ts'
import type { RealtimeLimits } from '../limits.ts'
import { HANDSHAKE_REFUSALS, type HandshakeCode } from '../refusals.ts'
import { RealtimeTokenError, type TokenReader } from '../tokens/realtime-token.ts'
import { parseVersion } from './frames.ts'
import { disconnectedBy, type Sockets } from './open-sockets.ts'
import { CLOSE_CODE } from './socket.ts'

export interface HandshakeDeps {
  readonly tokens: TokenReader
  readonly sockets: Sockets
  readonly limits: RealtimeLimits
  readonly faults: SocketFaults
}

/** Path of the socket on the single origin and on the realtime host. */
const SOCKET_PATH = /^(?:\/realtime\/v1)?(?:\/socket)?\/websocket$/

export async function admitSocket(
  { tokens, sockets, limits, faults }: HandshakeDeps,
  { url, headers, facts, requestId }: Handshake,
): Promise<Admission> {
  if (!SOCKET_PATH.test(url.pathname))
    return {
      kind: 'refused',
      error: rendered(404, 'not_found', `Realtime has no socket at ${url.pathname}`),
    }
  const version = parseVersion(url.searchParams.get('vsn'))
  if (version === undefined) return refused('version')
  try {
    const apikey =
      headers.get(CREDENTIAL_HEADERS.socketKey) ??
      url.searchParams.get(CREDENTIAL_PARAMETERS.projectKey) ??
      undefined
    const token = await tokens.read(apikey)
    facts.schemaName = token.schemaName
    facts.role = token.role
    facts.subject = token.subject
    if (sockets.countOf(token.schemaName) >= limits.socketsPerProject)
      return refused('too_many_sockets')
    const faultId = faults.isArmed ? faults.disconnect(token, requestId) : undefined
    if (faultId !== undefined) facts.fault = faultId
    return {
      kind: 'admitted',
      serve: (connection) => {
        const socket = sockets.open(connection, { version, token })
        if (faultId !== undefined) socket.close(CLOSE_CODE.serviceRestart, disconnectedBy(faultId))
        return socket
      },
    }
  } catch (error) {
    if (!(error instanceof RealtimeTokenError)) throw error
    return refused(error.code)
  }
}

/** Renders the response to a refused handshake. */
export function handshakeRefusal(code: HandshakeCode): RenderedError {
  const { status, cause, example = cause } = HANDSHAKE_REFUSALS[code]
  return rendered(status, code, example)
}

function refused(code: HandshakeCode): Admission {
  return { kind: 'refused', error: handshakeRefusal(code) }
}

function rendered(status: number, code: string, message: string): RenderedError {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error: message }),
    code,
    message,
  }
}
