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

/** Interval between checks for idle and slow sockets. The interval limits the precision of `idleMillis` and BACKLOG_MILLIS. */
const SWEEP_MILLIS = 5 * SECOND_MILLIS

export class Sockets {
  readonly #deps: SocketDeps
  readonly #open = new Set<RealtimeSocket>()
  readonly #counts = new Map<SchemaName, number>()
  #isSweeping = false
  #lastSerial = 0

  constructor(deps: Omit<SocketDeps, 'onEnd'>) {
    this.#deps = {
      ...deps,
      onEnd: (socket) => {
        if (this.#open.delete(socket)) this.#count(socket.token.schemaName, -1)
      },
    }
    deps.faults.onArmed(() => {
      for (const socket of [...this.#open]) {
        const faultId = deps.faults.disconnect(socket.token)
        if (faultId !== undefined) socket.close(CLOSE_CODE.serviceRestart, disconnectedBy(faultId))
      }
    })
  }

  /** Returns the open sockets of a project, or of all projects. The inspector shows them. */
  views(schemaName?: SchemaName): readonly SocketView[] {
    return [...this.#open]
      .filter(({ token }) => schemaName === undefined || token.schemaName === schemaName)
      .map((socket) => socket.view())
  }

  /** Returns the number of sockets that were opened with a token of the project. */
  countOf(schemaName: SchemaName): number {
    return this.#counts.get(schemaName) ?? 0
  }

  open(
    connection: Connection,
    opening: { readonly version: ProtocolVersion; readonly token: RealtimeToken },
  ): RealtimeSocket {
    this.#lastSerial += 1
    const id = `socket_${this.#lastSerial}`
    const socket = new RealtimeSocket(this.#deps, connection, { ...opening, id })
    this.#open.add(socket)
    this.#count(opening.token.schemaName, 1)
    if (!this.#isSweeping) this.#deps.wallClock.after(SWEEP_MILLIS, () => this.#sweep())
    this.#isSweeping = true
    return socket
  }

  /** Closes all sockets. Clients reconnect automatically. */
  closeAll(reason: string): void {
    for (const socket of [...this.#open]) socket.close(CLOSE_CODE.serviceRestart, reason)
  }

  /** Rechecks every token of the project. Closes channels and sockets whose token is no longer valid. */
  async recheck(schemaName: SchemaName): Promise<void> {
    for (const socket of [...this.#open]) {
      for (const channel of channelsOf(socket, schemaName)) await channel.checkToken()
      if (socket.token.schemaName !== schemaName) continue
      const flaw = await this.#deps.tokens.flawOf(socket.token)
      // A socket stays open when its token has expired, because its channels can have newer tokens.
      if (flaw !== undefined && flaw.code !== 'expired')
        socket.close(CLOSE_CODE.policyViolation, flaw.message)
    }
  }

  #count(schemaName: SchemaName, change: 1 | -1): void {
    const present = (this.#counts.get(schemaName) ?? 0) + change
    if (present === 0) this.#counts.delete(schemaName)
    else this.#counts.set(schemaName, present)
    this.#deps.traffic.changed(schemaName)
  }

  #sweep(): void {
    const oldest = this.#deps.wallClock.now() - this.#deps.limits.idleMillis
    for (const socket of this.#open) {
      if (socket.lastFrameAt < oldest)
        socket.close(CLOSE_CODE.goingAway, 'no heartbeat: no frame arrived for too long')
      socket.closeIfSlow()
    }
    this.#isSweeping = this.#open.size > 0
    if (this.#isSweeping) this.#deps.wallClock.after(SWEEP_MILLIS, () => this.#sweep())
  }
}

function channelsOf(socket: RealtimeSocket, schemaName: SchemaName): readonly Channel[] {
  return [...socket.channels].filter(({ token }) => token.schemaName === schemaName)
}
