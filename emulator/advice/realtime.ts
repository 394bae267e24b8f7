// Refusals of realtime: its HTTP routes, its tokens and its handshake (docs/wire/realtime.md#socket).
import type { RealtimeErrorCode } from '../realtime/errors.ts'
import type { TokenFlaw } from '../realtime/tokens/realtime-token.ts'
import { type Advice, advice, DISK_ADVICE } from './advice.ts'

/** What a handshake is refused with beside the flaws of its token. */
type HandshakeCode = 'version' | 'too_many_sockets'

export const REALTIME_ADVICE: Readonly<
  Record<RealtimeErrorCode | TokenFlaw | HandshakeCode, Advice>
> = {
  unauthorized: advice(
    'credential',
    'The realtime token is missing, late, changed or revoked.',
    'Exchange a credential at POST /rt/v1/token again.',
  ),
  forbidden: advice(
    'subscription',
    'A private channel of this name is not one of the token’s project.',
    'Begin private channels with proj_<slug>:.',
  ),
  not_found: advice(
    'request',
    'There is no such route in realtime.',
    'Sockets open at /realtime/v1/websocket.',
  ),
  invalid_body: advice('request', 'The body is no JSON.', 'Send JSON.'),
  invalid_messages: advice('request', 'The messages are not in form.', 'errors names the fields.'),
  payload_too_large: advice(
    'quota',
    'The message is too large.',
    'Send less, or send a reference.',
  ),
  unsupported_media_type: advice('request', 'The body has another type.', 'Send JSON or bytes.'),
  rate_limited: advice('quota', 'Too many messages in a second.', 'Send fewer, or gather them.'),
  internal: advice(
    'fault',
    'Realtime failed.',
    'The terminal has the cause under the request’s id.',
  ),
  unavailable: advice(
    'fault',
    'The database was busy with other work, or was starting again.',
    'Repeat the request after the seconds that Retry-After names.',
  ),
  missing: advice(
    'credential',
    'The socket brought no token.',
    'Send the realtime token as apikey in its address.',
  ),
  malformed: advice(
    'credential',
    'The socket’s apikey is no realtime token.',
    'Exchange a project key or data_plane_token at POST /rt/v1/token; a key itself does not open a socket.',
  ),
  badSignature: advice(
    'credential',
    'The token was not signed for realtime by this emulator.',
    'Exchange a credential of this emulator at POST /rt/v1/token.',
  ),
  missingClaims: advice('claims', 'The token lacks role or exp.', 'Exchange a credential again.'),
  expired: advice(
    'credential',
    'The realtime token has expired; it lives an hour.',
    'Exchange again.',
  ),
  revoked: advice(
    'credential',
    'The project’s keys were regenerated after the token was made.',
    'Exchange a new key, or the token of a new session.',
  ),
  userGone: advice(
    'claims',
    'The user behind the token was banned or deleted.',
    'Use another user.',
  ),
  offline: advice('project', 'The project was removed.', 'Use an active project.'),
  unknownProject: advice(
    'project',
    'The project was purged or never was.',
    'Use an active project.',
  ),
  version: advice(
    'request',
    'The socket asks for a protocol there is not.',
    'Use vsn=1.0.0 or 2.0.0.',
  ),
  too_many_sockets: advice('quota', 'The project has too many sockets open.', 'Close some.'),
  ...DISK_ADVICE,
}
