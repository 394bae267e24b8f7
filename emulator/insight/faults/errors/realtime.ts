// Creates the refusals of realtime: its HTTP routes, its handshake, and the replies to a join (docs/wire/realtime.md#socket).

import type { JoinRefusal } from '../../../core/fault.ts'
import type { JsonObject } from '../../../core/json.ts'
import {
  RealtimeError,
  type RealtimeErrorCode,
  renderRealtimeError,
} from '../../../services/realtime/errors.ts'
import {
  HANDSHAKE_ANSWERS,
  type HandshakeCode,
  handshakeRefusal,
} from '../../../services/realtime/sockets/handshake.ts'
import { REALTIME_ADVICE } from '../../advice/realtime.ts'
import { type ErrorSource, factsOf, InjectedError, keyIn, thrown } from './error-source.ts'

/** The body that the upstream service sends with each code. */
const BODIES: Readonly<Record<RealtimeErrorCode, JsonObject>> = {
  unauthorized: { message: 'Unauthorized' },
  forbidden: { message: 'You do not have permissions to write to this channel' },
  not_found: { message: 'Not found' },
  invalid_body: { message: 'The body is not well-formed JSON.' },
  invalid_messages: { errors: { messages: [{ event: ["can't be blank"] }] } },
  payload_too_large: { message: 'Payload size exceeds tenant limit' },
  unsupported_media_type: {
    error: 'Unsupported Media Type. Use application/json or application/octet-stream',
  },
  rate_limited: { message: 'You have exceeded your rate limit' },
  internal: { message: 'Realtime failed unexpectedly.' },
  unavailable: { message: 'The database was busy with other work.' },
  disk_full: { message: 'The disk of the data directory is full.' },
  disk_failed: { message: 'The data directory cannot be written.' },
}

export const REALTIME_ERRORS: ErrorSource = {
  codes: factsOf(Object.keys(BODIES) as RealtimeErrorCode[], (code) => ({
    status: renderRealtimeError(new RealtimeError(code, ''))?.status ?? 500,
    sentence: REALTIME_ADVICE[code].cause,
  })),
  make: (code, { faultId }) => {
    if (code === 'internal') return thrown(new InjectedError(faultId))
    const known = keyIn(BODIES, code)
    return thrown(new RealtimeError(known, REALTIME_ADVICE[known].cause, BODIES[known]))
  },
}

export const HANDSHAKE_ERRORS: ErrorSource = {
  codes: factsOf(Object.keys(HANDSHAKE_ANSWERS) as HandshakeCode[], (code) => ({
    status: handshakeRefusal(code).status,
    sentence: REALTIME_ADVICE[code].cause,
  })),
  make: (code) => ({
    kind: 'refusal',
    rendered: handshakeRefusal(keyIn(HANDSHAKE_ANSWERS, code)),
  }),
}

/** The text of each code. `joinRefusal` replaces `<name>` with the channel's name. */
export const JOIN_REFUSALS: Readonly<Record<string, string>> = {
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
}

/** HTTP status of an open socket. Replies to a join have no other status. */
const SWITCHED = 101

/** Errors of joins. `joinRefusal` builds the replies, because a join has no HTTP response. */
export const JOIN_ERRORS: ErrorSource = {
  codes: factsOf(Object.keys(JOIN_REFUSALS), (code) => ({
    status: SWITCHED,
    sentence: `The reply to a join says “${code}: ${JOIN_REFUSALS[code]}”.`,
  })),
  make: (code) => {
    throw new TypeError(`${code} refuses a join and cannot answer an HTTP request`)
  },
}

/** Returns the refusal of a join. After too many joins per second, upstream also closes the socket. */
export function joinRefusal(code: string, channelName: string): JoinRefusal {
  const text = (JOIN_REFUSALS[code] ?? '').replace('<name>', channelName)
  return { reason: `${code}: ${text}`, endsSocket: code === 'ClientJoinRateLimitReached' }
}
