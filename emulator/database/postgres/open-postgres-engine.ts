// Opens the engine of a server: connections and work, projects as databases, and states as copies of them.
import { createBackground } from '../../core/background.ts'
import type { Observer } from '../../core/observation.ts'
import { type Engine, SqlError } from '../engine.ts'
import type { EngineChanges } from '../engine-changes.ts'
import type { EngineStates } from '../engine-states.ts'
import type { EngineRehearsals } from '../rehearsal.ts'
import { script, sql } from '../sql.ts'
import { PostgresEngine, type PostgresEngineOptions } from './postgres-engine.ts'
import { openServerStates } from './states/server-states.ts'
import { withStates } from './states/with-states.ts'

export interface OpenPostgresOptions extends Omit<PostgresEngineOptions, 'changes'> {
  /** Default: no commits are reported. */
  readonly changes?: PostgresEngineOptions['changes']
  /** Folder in the data directory for what restores need. */
  readonly folder: string
  readonly observe: Observer
}

const NO_CHANGES: EngineChanges = { watch: () => {}, capture: async () => undefined }
const ALIVE = script([sql`select`])
const BACK_WITHIN_MILLIS = 30_000
const TRY_EVERY_MILLIS = 100

/**
 * Opens the engine, completes an interrupted restore and prepares the server. The caller closes the server after the engine.
 * @throws {SqlError}
 */
export async function openPostgresEngine(
  options: OpenPostgresOptions,
): Promise<Engine & EngineStates & EngineRehearsals> {
  const { changes = () => NO_CHANGES, folder, observe, server, wallClock } = options
  const engine = new PostgresEngine({ ...options, changes })
  const { room } = engine
  try {
    const states = await openServerStates({
      room,
      projects: engine.projects,
      folder,
      renew: () => engine.prepare(),
      untilBack: () => untilBack(engine, wallClock),
      engineWith: (prefix) =>
        new PostgresEngine({
          ...options,
          server: { ...server, prefix },
          changes: () => NO_CHANGES,
        }),
      background: createBackground('keep copies of projects', observe),
    })
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
