// Accepts a WebSocket handshake, or refuses it with an HTTP response (docs/wire/realtime.md#socket).

import type { SocketFaults } from '../../../core/fault.ts'
import type { RenderedError } from '../../../core/request-env.ts'
import type { Admission, Handshake } from '../../../core/socket-service.ts'
import { CREDENTIAL_HEADERS } from '../../../platform/secrets/secret-names.ts'
import type { RealtimeLimits } from '../limits.ts'
import { RealtimeTokenError, type TokenFlaw, type TokenReader } from '../tokens/realtime-token.ts'
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
      headers.get(CREDENTIAL_HEADERS.socketKey) ?? url.searchParams.get('apikey') ?? undefined
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

/** Reasons to refuse a handshake. */
export type HandshakeCode = TokenFlaw | 'version' | 'too_many_sockets'

export const HANDSHAKE_ANSWERS: Readonly<
  Record<HandshakeCode, readonly [status: number, text: string]>
> = {
  version: [403, 'The requested serializer version is not 1.0.0 or 2.0.0'],
  too_many_sockets: [429, 'Too many connected users'],
  missing: [401, 'API key is missing'],
  malformed: [401, 'The token provided is not a valid JWT'],
  badSignature: [401, 'Failed to validate JWT signature'],
  missingClaims: [401, 'Fields `role` and `exp` are required in JWT'],
  expired: [401, 'Token has expired'],
  revoked: [401, 'Failed to validate JWT signature'],
  // The emulator adds this refusal. POST /rt/v1/token refuses such users in the same way.
  userGone: [403, 'The user behind this token was deleted or banned'],
  offline: [403, 'Realtime was disabled for this tenant'],
  unknownProject: [404, 'Tenant not found'],
}

/** Renders the response to a refused handshake. */
export function handshakeRefusal(code: HandshakeCode): RenderedError {
  const [status, text] = HANDSHAKE_ANSWERS[code]
  return rendered(status, code, text)
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
