// All open sockets: their number, the idle ones, the tokens that have to be looked at again (docs/wire/realtime.md#socket).
import type { SchemaName } from '../../core/names.ts'
import type { Connection } from '../../core/socket-service.ts'
import { SECOND_MILLIS } from '../../core/time.ts'
import type { Channel } from '../channels/channel.ts'
import type { RealtimeToken } from '../tokens/realtime-token.ts'
import type { ProtocolVersion } from './frames.ts'
import { CLOSE_CODE, RealtimeSocket, type SocketDeps } from './socket.ts'
import type { SocketView } from './socket-views.ts'

/** What closes a socket on order says; who reads it knows where to look. */
export function disconnectedBy(faultId: string): string {
  return `disconnected by fault ${faultId}`
}

export interface Sockets {
  /** Open sockets of the project, or of all, as the inspector sees them. */
  views(schemaName?: SchemaName): readonly SocketView[]
  /** Sockets that were opened with a token of the project. */
  countOf(schemaName: SchemaName): number
  open(
    connection: Connection,
    opening: { readonly version: ProtocolVersion; readonly token: RealtimeToken },
  ): RealtimeSocket
  /** Hangs up on everybody; clients come back by themselves. */
  closeAll(reason: string): void
  /** Looks at every token of the project again, and ends what may not go on. */
  recheck(schemaName: SchemaName): Promise<void>
}

/** How exactly the limits of idleness and slowness are kept. */
const SWEEP_MILLIS = 5 * SECOND_MILLIS

export function createSockets(deps: Omit<SocketDeps, 'onEnd'>): Sockets {
  const { wallClock, limits, tokens, faults } = deps
  const open = new Set<RealtimeSocket>()
  const counts = new Map<SchemaName, number>()
  let isSweeping = false
  let lastSerial = 0

  function count(schemaName: SchemaName, change: 1 | -1): void {
    const present = (counts.get(schemaName) ?? 0) + change
    if (present === 0) counts.delete(schemaName)
    else counts.set(schemaName, present)
  }

  const socketDeps: SocketDeps = {
    ...deps,
    onEnd: (socket) => {
      if (open.delete(socket)) count(socket.token.schemaName, -1)
    },
  }

  function sweep(): void {
    const oldest = wallClock.now() - limits.idleMillis
    for (const socket of open) {
      if (socket.lastHeardAt < oldest)
        socket.close(CLOSE_CODE.goingAway, 'no heartbeat: nothing was heard for too long')
      socket.closeIfSlow()
    }
    isSweeping = open.size > 0
    if (isSweeping) wallClock.after(SWEEP_MILLIS, sweep)
  }

  faults.onArmed(() => {
    for (const socket of [...open]) {
      const faultId = faults.disconnect(socket.token)
      if (faultId !== undefined) socket.close(CLOSE_CODE.serviceRestart, disconnectedBy(faultId))
    }
  })

  return {
    views: (schemaName) =>
      [...open]
        .filter(({ token }) => schemaName === undefined || token.schemaName === schemaName)
        .map((socket) => socket.view()),
    countOf: (schemaName) => counts.get(schemaName) ?? 0,
    open: (connection, opening) => {
      lastSerial += 1
      const id = `socket_${lastSerial}`
      const socket = new RealtimeSocket(socketDeps, connection, { ...opening, id })
      open.add(socket)
      count(opening.token.schemaName, 1)
      if (!isSweeping) wallClock.after(SWEEP_MILLIS, sweep)
      isSweeping = true
      return socket
    },
    closeAll: (reason) => {
      for (const socket of [...open]) socket.close(CLOSE_CODE.serviceRestart, reason)
    },
    recheck: async (schemaName) => {
      for (const socket of [...open]) {
        for (const channel of channelsOf(socket, schemaName)) await channel.checkToken()
        if (socket.token.schemaName !== schemaName) continue
        const flaw = await tokens.flawOf(socket.token)
        // An expired one may stay: its channels bring newer tokens.
        if (flaw !== undefined && flaw.code !== 'expired')
          socket.close(CLOSE_CODE.policyViolation, flaw.message)
      }
    },
  }
}

function channelsOf(socket: RealtimeSocket, schemaName: SchemaName): readonly Channel[] {
  return [...socket.channels].filter(({ token }) => token.schemaName === schemaName)
}
