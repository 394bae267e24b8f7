// Creates the refusals of realtime: its HTTP routes, its handshake, and the replies to a join (docs/wire/realtime.md#socket).

import type { JoinRefusal } from '../../../core/fault.ts'
import { RealtimeError } from '../../../services/realtime/errors.ts'
import {
  HANDSHAKE_REFUSALS,
  type HandshakeCode,
  JOIN_TEXTS,
  type JoinCode,
  joinReason,
  REALTIME_REFUSALS,
} from '../../../services/realtime/refusals.ts'
import { handshakeRefusal } from '../../../services/realtime/sockets/handshake.ts'
import { type ErrorSource, errorSource } from './error-source.ts'

export const REALTIME_ERRORS: ErrorSource = errorSource(
  REALTIME_REFUSALS,
  (code, { cause, example }) => new RealtimeError(code, cause, example),
)

export const HANDSHAKE_ERRORS: ErrorSource = {
  codes: HANDSHAKE_REFUSALS,
  make: (code) => ({ kind: 'refusal', rendered: handshakeRefusal(code as HandshakeCode) }),
}

/** HTTP status of an open socket. Replies to a join have no other status. */
const SWITCHED = 101

/** Errors of joins. `joinRefusal` builds the replies, because a join has no HTTP response. */
export const JOIN_ERRORS: ErrorSource = {
  codes: Object.fromEntries(
    Object.keys(JOIN_TEXTS).map((code) => [
      code,
      {
        status: SWITCHED,
        cause: `The reply to a join says “${joinReason(code as JoinCode)}”.`,
        remedy: '',
      },
    ]),
  ),
  make: (code) => {
    throw new TypeError(`${code} refuses a join and cannot answer an HTTP request`)
  },
}

/** Returns the refusal of a join. After too many joins per second, upstream also closes the socket. */
export function joinRefusal(code: string, channelName: string): JoinRefusal {
  return {
    reason: joinReason(code as JoinCode, channelName),
    endsSocket: code === 'ClientJoinRateLimitReached',
  }
}
