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
/** Connections that are left to other programs, such as psql, and to the listeners of row changes. */
const LEFT_TO_OTHERS = 8

/** @param connectionLimit the connections that the server allows the platform's account */
export function poolBoundsFor(connectionLimit: number): PoolBounds {
  const connections = Math.max(2, Math.min(MOST_CONNECTIONS, connectionLimit - LEFT_TO_OTHERS))
  const perProject = Math.max(1, Math.ceil((2 * connections) / 3))
  return { connections, perProject, queueMillis: DEFAULT_BOUNDS.queueMillis }
}
