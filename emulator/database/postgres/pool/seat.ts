// The connections of one login, and the work that waits for one of them. connection-pool.ts changes them.
import type { PlatformScope, SqlError } from '../../engine.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import type { ServerAddress } from '../server/running-server.ts'

/** A connection of the pool. */
export interface Pooled {
  readonly connection: ServerConnection
  readonly seat: Seat
  /** The wall time since which the connection is idle. */
  idleSince: number
  /** True when the pool no longer counts the connection. */
  isForgotten: boolean
}

export interface Waiter {
  /** The time of the request, on the precise clock. */
  readonly arrivedAt: number
  readonly resolve: (pooled: Pooled) => void
  readonly reject: (error: SqlError) => void
}

/** The connections of one project together. */
export interface ProjectShare {
  /** Open and opening connections. */
  size: number
  /** Number of callers that keep connections away, or wait for that. */
  evictions: number
  /** Settles for each connection when the server has ended it. */
  readonly connections: Set<Promise<void>>
}

export class Seat {
  /** The login with its present address: a server that started again may have another port. */
  readonly login: () => ServerAddress
  /** The session's settings in libpq's form. */
  readonly options: string
  readonly project: PlatformScope
  readonly share: ProjectShare
  /** Open and opening connections. */
  size = 0
  opening = 0
  /** True when a connection failed to open, and others may still open. No further ones are tried meanwhile. */
  hasFailed = false
  /** Idle connections, the last used one last. */
  readonly idle: Pooled[] = []
  readonly waiting: Waiter[] = []

  constructor(
    login: () => ServerAddress,
    project: PlatformScope,
    share: ProjectShare,
    options: string,
  ) {
    this.login = login
    this.project = project
    this.share = share
    this.options = options
  }

  get isStarving(): boolean {
    return this.size === 0 && this.waiting.length > 0
  }

  removeIdle(pooled: Pooled): void {
    const place = this.idle.indexOf(pooled)
    if (place >= 0) this.idle.splice(place, 1)
  }
}
