// Tracks all open sockets: counts them, closes idle ones and rechecks their tokens (docs/wire/realtime.md#socket).
import type { SchemaName } from '../../../core/names.ts'
import type { Connection } from '../../../core/socket-service.ts'
import { SECOND_MILLIS } from '../../../core/time.ts'
import type { Channel } from '../channels/channel.ts'
import type { RealtimeToken } from '../tokens/realtime-token.ts'
import type { ProtocolVersion } from './frames.ts'
import { CLOSE_CODE, RealtimeSocket, type SocketDeps } from './socket.ts'
import type { SocketView } from './socket-views.ts'

/** Close reason of a socket that a fault disconnected. */
export function disconnectedBy(faultId: string): string {
  return `disconnected by fault ${faultId}`
}

export interface Sockets {
  /** Returns the open sockets of a project, or of all projects. The inspector shows them. */
  views(schemaName?: SchemaName): readonly SocketView[]
  /** Returns the number of sockets that were opened with a token of the project. */
  countOf(schemaName: SchemaName): number
  open(
    connection: Connection,
    opening: { readonly version: ProtocolVersion; readonly token: RealtimeToken },
  ): RealtimeSocket
  /** Closes all sockets. Clients reconnect automatically. */
  closeAll(reason: string): void
  /** Rechecks every token of the project. Closes channels and sockets whose token is no longer valid. */
  recheck(schemaName: SchemaName): Promise<void>
}

/** Interval between checks for idle and slow sockets. The interval limits the precision of `idleMillis` and BACKLOG_MILLIS. */
const SWEEP_MILLIS = 5 * SECOND_MILLIS

export function createSockets(deps: Omit<SocketDeps, 'onEnd'>): Sockets {
  const { wallClock, limits, tokens, faults, traffic } = deps
  const open = new Set<RealtimeSocket>()
  const counts = new Map<SchemaName, number>()
  let isSweeping = false
  let lastSerial = 0

  function count(schemaName: SchemaName, change: 1 | -1): void {
    const present = (counts.get(schemaName) ?? 0) + change
    if (present === 0) counts.delete(schemaName)
    else counts.set(schemaName, present)
    traffic.changed(schemaName)
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
      if (socket.lastFrameAt < oldest)
        socket.close(CLOSE_CODE.goingAway, 'no heartbeat: no frame arrived for too long')
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
        // A socket stays open when its token has expired, because its channels can have newer tokens.
        if (flaw !== undefined && flaw.code !== 'expired')
          socket.close(CLOSE_CODE.policyViolation, flaw.message)
      }
    },
  }
}

function channelsOf(socket: RealtimeSocket, schemaName: SchemaName): readonly Channel[] {
  return [...socket.channels].filter(({ token }) => token.schemaName === schemaName)
}
