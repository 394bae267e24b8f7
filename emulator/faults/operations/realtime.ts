// Operations of realtime: its token exchange, its two HTTP routes, handshakes, and what happens on an open socket
// (docs/wire/realtime.md#socket). Paths are those below the realtime address.
import { JOIN_REFUSALS } from '../errors/realtime.ts'
import { type FaultOperation, rowsOf } from './fault-operation.ts'

const exchange = rowsOf({
  service: 'realtime',
  door: 'realtimeToken',
  dialect: 'exchange',
  always: ['unauthorized', 'forbidden', 'not_found', 'method_not_allowed', 'internal'],
})
const broadcast = rowsOf({
  service: 'realtime',
  door: 'realtime',
  dialect: 'realtime',
  always: [
    'unauthorized',
    'rate_limited',
    'payload_too_large',
    'not_found',
    'internal',
    'unavailable',
    'disk_full',
    'disk_failed',
  ],
})
const socket = rowsOf({ service: 'realtime', door: 'socket', dialect: 'handshake', always: [] })

export const REALTIME_OPERATIONS: readonly FaultOperation[] = [
  exchange('realtime.token', 'POST /rt/v1/token', 'Exchanges a credential for a realtime token'),
  broadcast('broadcast.send', 'POST /api/broadcast', 'Broadcasts several messages over HTTP', [
    'invalid_body',
    'invalid_messages',
  ]),
  broadcast('broadcast.send_one', 'POST /api/broadcast/:topic/events/:event', 'Broadcasts one', [
    'invalid_messages',
    'unsupported_media_type',
    'forbidden',
  ]),
  socket(
    'socket.open',
    'GET *',
    'Opens a socket',
    [
      'missing',
      'malformed',
      'badSignature',
      'missingClaims',
      'expired',
      'revoked',
      'userGone',
      'offline',
      'unknownProject',
      'version',
      'too_many_sockets',
    ],
    ['error', 'latency', 'connection_dropped', 'realtime_disconnect'],
  ),
  {
    service: 'realtime',
    operation: 'channel.join',
    title: 'Joins a channel',
    dialect: 'join',
    codes: Object.keys(JOIN_REFUSALS),
    effects: ['error'],
  },
  {
    service: 'realtime',
    operation: 'message.deliver',
    title: 'Delivers a broadcast, a presence or a row change to one channel',
    dialect: 'join',
    codes: [],
    effects: ['realtime_delay', 'realtime_duplicate'],
  },
]
