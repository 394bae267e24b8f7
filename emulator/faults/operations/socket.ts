// Lists the operations of realtime that are not HTTP routes: opening a socket, joining and delivering
// (docs/wire/realtime.md#socket).
import { HANDSHAKE_ANSWERS } from '../../realtime/sockets/handshake.ts'
import { effectsOn } from '../effects.ts'
import { JOIN_REFUSALS } from '../errors/realtime.ts'
import type { FaultOperation } from './fault-operation.ts'

export const SOCKET_OPERATIONS: readonly FaultOperation[] = [
  {
    service: 'realtime',
    operation: 'socket.open',
    title: 'Opens a socket',
    dialect: 'handshake',
    route: { door: 'socket', methods: ['GET'], path: '*' },
    codes: Object.keys(HANDSHAKE_ANSWERS),
    effects: effectsOn('handshake'),
  },
  {
    service: 'realtime',
    operation: 'channel.join',
    title: 'Joins a channel',
    dialect: 'join',
    codes: Object.keys(JOIN_REFUSALS),
    effects: effectsOn('join'),
  },
  {
    service: 'realtime',
    operation: 'message.deliver',
    title: 'Delivers a broadcast, a presence message or a row change to one channel',
    dialect: 'join',
    codes: [],
    effects: effectsOn('delivery'),
  },
]
