// The refusals of realtime: of its HTTP routes, of handshakes, of tokens and of joins (docs/wire/realtime.md#socket).
import type { JsonObject } from '../../core/json.ts'
import {
  type CommonCode,
  DISK_REFUSALS,
  internalRefusal,
  type RefusalRow,
  type RefusalTable,
  UNAVAILABLE,
} from '../../core/refusals.ts'

// `example` is the body that upstream sends.
const ROUTE_ROWS = {
  unauthorized: {
    status: 401,
    link: 'credential',
    cause: 'The realtime token is missing, expired, altered or revoked.',
    remedy: 'Exchange a credential at POST /rt/v1/token again.',
    example: { message: 'Unauthorized' },
  },
  forbidden: {
    status: 403,
    link: 'subscription',
    cause: 'The name of the private channel does not start with the prefix of the token’s project.',
    remedy: 'Start the names of private channels with proj_<slug>:.',
    example: { message: 'You do not have permissions to write to this channel' },
  },
  not_found: {
    status: 404,
    cause: 'Realtime has no such route.',
    remedy: 'Open sockets at /realtime/v1/websocket.',
    example: { message: 'Not found' },
  },
  invalid_body: {
    status: 400,
    cause: 'The body is not valid JSON.',
    remedy: 'Send a JSON object.',
    example: { message: 'The body is not well-formed JSON.' },
  },
  invalid_messages: {
    status: 422,
    cause: 'Fields of the messages are missing or invalid.',
    remedy: 'Correct the fields listed in errors.',
    example: { errors: { messages: [{ event: ["can't be blank"] }] } },
  },
  payload_too_large: {
    status: 413,
    link: 'quota',
    cause: 'The message is too large.',
    remedy: 'Send less data, or send a reference to the data.',
    example: { message: 'Payload size exceeds tenant limit' },
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The content-type of the body is not supported.',
    remedy: 'Send JSON or application/octet-stream.',
    example: { error: 'Unsupported Media Type. Use application/json or application/octet-stream' },
  },
  rate_limited: {
    status: 429,
    link: 'quota',
    cause: 'The project sent too many messages in one second.',
    remedy: 'Send fewer messages, or several in one request.',
    example: { message: 'You have exceeded your rate limit' },
  },
} as const

export type RealtimeErrorCode = keyof typeof ROUTE_ROWS | CommonCode

export const REALTIME_REFUSALS: RefusalTable<RealtimeErrorCode, RefusalRow<JsonObject>> = {
  ...ROUTE_ROWS,
  internal: {
    ...internalRefusal('Realtime failed with an internal error.'),
    example: { message: 'Realtime failed unexpectedly.' },
  },
  unavailable: { ...UNAVAILABLE, example: { message: 'The database was busy with other work.' } },
  disk_full: {
    ...DISK_REFUSALS.disk_full,
    example: { message: 'The disk of the data directory is full.' },
  },
  disk_failed: {
    ...DISK_REFUSALS.disk_failed,
    example: { message: 'The data directory cannot be written.' },
  },
}

/** Texts of the replies to a join, by code. `<name>` is the name of the channel. */
export const JOIN_TEXTS = {
  InvalidJWTToken: 'Token has expired 1 seconds ago',
  MalformedJWT: 'The token provided is not a valid JWT',
  JwtSignatureError: 'Failed to validate JWT signature',
  Unauthorized: 'You do not have permissions to read from this Channel topic: <name>',
  TopicNameRequired: 'You must provide a topic name',
  PrivateOnly: 'This project only allows private channels',
  ChannelRateLimitReached: 'Too many channels',
  ClientJoinRateLimitReached: 'Too many joins per second',
  ConnectionRateLimitReached: 'Too many connected users',
  UnableToReplayMessages: 'Replay is not allowed for public channels',
  UnableToConnectToProject: 'Realtime was unable to connect to the project database',
  InitializingProjectConnection: 'Realtime is initializing the project connection',
  RealtimeDisabledForTenant: 'Realtime disabled for this tenant',
  TenantNotFound: 'Tenant with the given ID does not exist',
} as const

export type JoinCode = keyof typeof JOIN_TEXTS

/** Returns the text of the reply to a join. A channel whose token is refused later closes with the same text. */
export function joinText(code: JoinCode, channelName = '<name>'): string {
  return JOIN_TEXTS[code].replace('<name>', () => channelName)
}

/** Returns `<Code>: <text>`, the reason in the reply to a refused join. */
export function joinReason(code: JoinCode, channelName?: string): string {
  return `${code}: ${joinText(code, channelName)}`
}

/** `example` is the text of a refused handshake. */
interface FlawRow extends RefusalRow {
  readonly example: string
  /** Code of the reply to a join, and its text when it differs from `example`. */
  readonly join: readonly [code: JoinCode, text?: string]
}

const FLAW_ROWS = {
  missing: {
    status: 401,
    link: 'credential',
    cause: 'The address of the socket has no token.',
    remedy: 'Send the realtime token as apikey in the address.',
    example: 'API key is missing',
    join: ['InvalidJWTToken'],
  },
  malformed: {
    status: 401,
    link: 'credential',
    cause: 'The apikey of the socket is not a realtime token.',
    remedy:
      'Exchange a project key or data_plane_token at POST /rt/v1/token. A key cannot open a socket itself.',
    example: 'The token provided is not a valid JWT',
    join: ['MalformedJWT'],
  },
  badSignature: {
    status: 401,
    link: 'credential',
    cause: 'The token was not signed for realtime by this emulator.',
    remedy: 'Exchange a credential of this emulator at POST /rt/v1/token.',
    example: 'Failed to validate JWT signature',
    join: ['JwtSignatureError'],
  },
  missingClaims: {
    status: 401,
    link: 'claims',
    cause: 'The token lacks the claim role or exp.',
    remedy: 'Exchange a credential at POST /rt/v1/token again.',
    example: 'Fields `role` and `exp` are required in JWT',
    join: ['InvalidJWTToken'],
  },
  expired: {
    status: 401,
    link: 'credential',
    cause: 'The realtime token has expired. A realtime token is valid for one hour.',
    remedy: 'Exchange a credential at POST /rt/v1/token again.',
    example: 'Token has expired',
    join: ['InvalidJWTToken'],
  },
  // The hosted service sends the texts of a bad signature for revoked tokens, because regenerating the keys replaces the secret
  // there.
  revoked: {
    status: 401,
    link: 'credential',
    cause: 'The project’s keys were regenerated after the token was issued.',
    remedy: 'Exchange a new key, or the data_plane_token of a new session, at POST /rt/v1/token.',
    example: 'Failed to validate JWT signature',
    join: ['JwtSignatureError'],
  },
  // The emulator adds this refusal to handshakes. POST /rt/v1/token refuses banned and deleted users in the same way.
  userGone: {
    status: 403,
    link: 'claims',
    cause: 'The token’s user was banned or deleted.',
    remedy: 'Sign in as another user.',
    example: 'The user behind this token was deleted or banned',
    join: ['Unauthorized'],
  },
  offline: {
    status: 403,
    link: 'project',
    cause: 'The project was removed.',
    remedy: 'Use an active project.',
    example: 'Realtime was disabled for this tenant',
    join: ['RealtimeDisabledForTenant', 'Realtime disabled for this tenant'],
  },
  unknownProject: {
    status: 404,
    link: 'project',
    cause: 'The project does not exist, or was purged.',
    remedy: 'Use an active project.',
    example: 'Tenant not found',
    join: ['TenantNotFound', 'Tenant with the given ID does not exist'],
  },
} as const

/** Why a token is refused. */
export type TokenFlaw = keyof typeof FLAW_ROWS

export const TOKEN_FLAWS: RefusalTable<TokenFlaw, FlawRow> = FLAW_ROWS

/** Returns the text, without the code, of the reply to a join whose token has this flaw. */
export function flawText(flaw: TokenFlaw): string {
  const { example, join } = TOKEN_FLAWS[flaw]
  return join[1] ?? example
}

const HANDSHAKE_ROWS = {
  version: {
    status: 403,
    cause: 'The socket asks for a version of the protocol that does not exist.',
    remedy: 'Use vsn=1.0.0 or vsn=2.0.0.',
    example: 'The requested serializer version is not 1.0.0 or 2.0.0',
  },
  too_many_sockets: {
    status: 429,
    link: 'quota',
    cause: 'The project has too many open sockets.',
    remedy: 'Close sockets that are no longer used.',
    example: 'Too many connected users',
  },
} as const

export type HandshakeCode = keyof typeof HANDSHAKE_ROWS | TokenFlaw

export const HANDSHAKE_REFUSALS: RefusalTable<HandshakeCode> = { ...HANDSHAKE_ROWS, ...FLAW_ROWS }
