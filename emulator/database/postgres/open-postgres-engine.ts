// Opens the engine of a server: connections and work, projects as databases, and states as copies of them.
import { createBackground } from '../../core/background.ts'
import type { Observer } from '../../core/observation.ts'
import { SqlError } from '../engine.ts'
import { script, sql } from '../sql.ts'
import { PostgresEngine, type PostgresEngineOptions } from './postgres-engine.ts'
import { openServerStates } from './states/server-states.ts'
import { type ServerEngine, withStates } from './states/with-states.ts'

export interface OpenPostgresOptions extends PostgresEngineOptions {
  /** Folder in the data directory for what restores need. */
  readonly folder: string
  readonly observe: Observer
}

const ALIVE = script([sql`select`])
const BACK_WITHIN_MILLIS = 30_000
const TRY_EVERY_MILLIS = 100

/**
 * Opens the engine, completes an interrupted restore and prepares the server. The caller closes the server after the engine.
 * @throws {SqlError}
 */
export async function openPostgresEngine(options: OpenPostgresOptions): Promise<ServerEngine> {
  const { folder, observe, server, wallClock } = options
  const engine = new PostgresEngine(options)
  const { room } = engine
  try {
    const states = await openServerStates({
      room,
      folder,
      renew: () => engine.prepare(),
      untilBack: () => untilBack(engine, wallClock),
      engineWith: (prefix) => new PostgresEngine({ ...options, server: { ...server, prefix } }),
      background: createBackground('keep copies of projects', observe),
    })
    for (const { capability, consequence } of engine.missing)
      observe({ kind: 'engineDegraded', capability, consequence })
    return withStates(engine, states)
  } catch (error) {
    await engine.close()
    throw error
  }
}

async function untilBack(
  engine: PostgresEngine,
  wallClock: PostgresEngineOptions['wallClock'],
): Promise<void> {
  const end = wallClock.now() + BACK_WITHIN_MILLIS
  for (;;)
    try {
      await engine.admin('cluster', ALIVE)
      return
    } catch (error) {
      if (!(error instanceof SqlError) || wallClock.now() > end) throw error
      await new Promise<void>((resolve) => {
        wallClock.after(TRY_EVERY_MILLIS, resolve)
      })
    }
}
