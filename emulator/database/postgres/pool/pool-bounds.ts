// The limits of the connections to a server.
import { DEFAULT_BOUNDS } from '../../queue-errors.ts'

export interface PoolBounds {
  /** Connections to the server at once. */
  readonly connections: number
  /** Connections of one project at once, so that slow work of one project leaves some to others. */
  readonly perProject: number
  /** Wall-clock milliseconds after which waiting work is refused. */
  readonly queueMillis: number
}

const MOST_CONNECTIONS = 24
/** Connections that stay free for psql and for the platform's account. */
const RESERVED = 3

/** @param connectionLimit the connections that the server allows the platform's account */
export function poolBoundsFor(connectionLimit: number): PoolBounds {
  // Each project with connections has one additional connection, which listens to commits.
  const usable = Math.floor((connectionLimit - RESERVED) / 2)
  const connections = Math.max(1, Math.min(MOST_CONNECTIONS, usable))
  const perProject = Math.ceil((2 * connections) / 3)
  return { connections, perProject, queueMillis: DEFAULT_BOUNDS.queueMillis }
}
