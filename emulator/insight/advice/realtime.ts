// Refusals of realtime: its HTTP routes, its tokens and its handshake (docs/wire/realtime.md#socket).
import type { RealtimeErrorCode } from '../../services/realtime/errors.ts'
import type { TokenFlaw } from '../../services/realtime/tokens/realtime-token.ts'
import { type Advice, advice, DISK_ADVICE, internalFailure, UNAVAILABLE } from './advice.ts'

/** Refusals of a handshake that are not about its token. */
type HandshakeCode = 'version' | 'too_many_sockets'

export const REALTIME_ADVICE: Readonly<
  Record<RealtimeErrorCode | TokenFlaw | HandshakeCode, Advice>
> = {
  unauthorized: advice(
    'credential',
    'The realtime token is missing, expired, altered or revoked.',
    'Exchange a credential at POST /rt/v1/token again.',
  ),
  forbidden: advice(
    'subscription',
    'The name of the private channel does not start with the prefix of the token’s project.',
    'Start the names of private channels with proj_<slug>:.',
  ),
  not_found: advice(
    'request',
    'Realtime has no such route.',
    'Open sockets at /realtime/v1/websocket.',
  ),
  invalid_body: advice('request', 'The body is not valid JSON.', 'Send a JSON object.'),
  invalid_messages: advice(
    'request',
    'Fields of the messages are missing or invalid.',
    'Correct the fields listed in errors.',
  ),
  payload_too_large: advice(
    'quota',
    'The message is too large.',
    'Send less data, or send a reference to the data.',
  ),
  unsupported_media_type: advice(
    'request',
    'The content-type of the body is not supported.',
    'Send JSON or application/octet-stream.',
  ),
  rate_limited: advice(
    'quota',
    'The project sent too many messages in one second.',
    'Send fewer messages, or several in one request.',
  ),
  internal: internalFailure('Realtime'),
  unavailable: UNAVAILABLE,
  missing: advice(
    'credential',
    'The address of the socket has no token.',
    'Send the realtime token as apikey in the address.',
  ),
  malformed: advice(
    'credential',
    'The apikey of the socket is not a realtime token.',
    'Exchange a project key or data_plane_token at POST /rt/v1/token. A key cannot open a socket itself.',
  ),
  badSignature: advice(
    'credential',
    'The token was not signed for realtime by this emulator.',
    'Exchange a credential of this emulator at POST /rt/v1/token.',
  ),
  missingClaims: advice(
    'claims',
    'The token lacks the claim role or exp.',
    'Exchange a credential at POST /rt/v1/token again.',
  ),
  expired: advice(
    'credential',
    'The realtime token has expired. A realtime token is valid for one hour.',
    'Exchange a credential at POST /rt/v1/token again.',
  ),
  revoked: advice(
    'credential',
    'The project’s keys were regenerated after the token was issued.',
    'Exchange a new key, or the data_plane_token of a new session, at POST /rt/v1/token.',
  ),
  userGone: advice('claims', 'The token’s user was banned or deleted.', 'Sign in as another user.'),
  offline: advice('project', 'The project was removed.', 'Use an active project.'),
  unknownProject: advice(
    'project',
    'The project does not exist, or was purged.',
    'Use an active project.',
  ),
  version: advice(
    'request',
    'The socket asks for a version of the protocol that does not exist.',
    'Use vsn=1.0.0 or vsn=2.0.0.',
  ),
  too_many_sockets: advice(
    'quota',
    'The project has too many open sockets.',
    'Close sockets that are no longer used.',
  ),
  ...DISK_ADVICE,
}
