// The parts of the engine that creating and renaming databases uses.
import type { Engine, PlatformScope, StatementResult } from '../../engine.ts'
import { type Sql, script, sql } from '../../sql.ts'
import type { RunningServer } from '../server/running-server.ts'

export interface DatabasesRoom extends Pick<Engine, 'admin'> {
  readonly server: Pick<RunningServer, 'facts' | 'prefix' | 'secret'>
  /** Ends the connections to a project's database, and opens no new ones until the returned function is called. */
  evict(project: PlatformScope): Promise<() => void>
}

/**
 * The first statement of scripts with `if not exists`. Without it, Postgres would send a notice for each object that exists.
 */
export const QUIET: Sql = sql`set local client_min_messages = warning`

/** Runs statements in the database of the server's address, and returns the last result. @throws {SqlError} */
export async function inCluster(
  room: DatabasesRoom,
  statements: readonly Sql[],
): Promise<StatementResult | undefined> {
  return (await room.admin('cluster', script(statements))).at(-1)
}
