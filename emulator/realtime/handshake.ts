// Who may open a socket, and with which HTTP answer a handshake is refused (realtime-contract.md §1).
import type { RenderedError } from '../core/request-env.ts'
import type { Admission, Handshake } from '../core/socket-service.ts'
import { parseVersion } from './frames.ts'
import type { RealtimeLimits } from './limits.ts'
import { RealtimeTokenError, type TokenFlaw, type TokenReader } from './realtime-token.ts'
import type { Sockets } from './sockets.ts'

export interface HandshakeDeps {
  readonly tokens: TokenReader
  readonly sockets: Sockets
  readonly limits: RealtimeLimits
}

/** Below the single origin's prefix or on the realtime host. */
const SOCKET_PATH = /^(?:\/realtime\/v1)?(?:\/socket)?\/websocket$/

export async function admitSocket(
  { tokens, sockets, limits }: HandshakeDeps,
  { url, headers, facts }: Handshake,
): Promise<Admission> {
  if (!SOCKET_PATH.test(url.pathname))
    return refused(404, 'not_found', `No socket at ${url.pathname}`)
  const version = parseVersion(url.searchParams.get('vsn'))
  if (version === undefined)
    return refused(403, 'version', 'The requested serializer version is not 1.0.0 or 2.0.0')
  try {
    const apikey = headers.get('x-api-key') ?? url.searchParams.get('apikey') ?? undefined
    const token = await tokens.read(apikey)
    facts.schemaName = token.schemaName
    facts.role = token.role
    facts.subject = token.subject
    if (sockets.countOf(token.schemaName) >= limits.socketsPerProject)
      return refused(429, 'too_many_sockets', 'Too many connected users')
    return {
      kind: 'admitted',
      serve: (connection) => sockets.open(connection, { version, token }),
    }
  } catch (error) {
    if (!(error instanceof RealtimeTokenError)) throw error
    const [status, text] = TOKEN_ANSWERS[error.code]
    return refused(status, error.code, text)
  }
}

const TOKEN_ANSWERS: Readonly<Record<TokenFlaw, readonly [status: number, text: string]>> = {
  missing: [401, 'API key is missing'],
  malformed: [401, 'The token provided is not a valid JWT'],
  badSignature: [401, 'Failed to validate JWT signature'],
  missingClaims: [401, 'Fields `role` and `exp` are required in JWT'],
  expired: [401, 'Token has expired'],
  revoked: [401, 'Failed to validate JWT signature'],
  // ours: as POST /rt/v1/token refuses them.
  userGone: [403, 'The user behind this token was deleted or banned'],
  offline: [403, 'Realtime was disabled for this tenant'],
  unknownProject: [404, 'Tenant not found'],
}

function refused(status: number, code: string, message: string): Admission {
  const error: RenderedError = {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error: message }),
    code,
    message,
  }
  return { kind: 'refused', error }
}
