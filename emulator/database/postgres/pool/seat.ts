// The connections of one login, and the work that waits for one of them. connection-pool.ts changes them.
import type { PlatformScope, SqlError } from '../../engine.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import type { ServerAddress } from '../server/running-server.ts'

/** A connection of the pool. */
export interface Pooled {
  readonly connection: ServerConnection
  readonly seat: Seat
  /** The wall-clock time at which the connection became idle. */
  idleSince: number
  /** The share's number of schema changes when the connection was last taken. */
  schemaChanges: number
  /** True when the pool no longer counts the connection. */
  isForgotten: boolean
}

export interface Waiter {
  /** The time at which the work began to wait, on the precise clock. */
  readonly arrivedAt: number
  readonly resolve: (pooled: Pooled) => void
  readonly reject: (error: SqlError) => void
}

/** All connections of one project. */
export interface ProjectShare {
  /** Open and opening connections. */
  size: number
  /** Number of callers that evict the project. While there are any, no connection opens. */
  evictions: number
  /** Number of changes of the project's schema. */
  schemaChanges: number
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
  /**
   * True when a connection failed to open while the login has others, open or opening. Meanwhile no further connection is tried.
   */
  hasFailed = false
  /** Idle connections; the most recently used one is at the end. */
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
