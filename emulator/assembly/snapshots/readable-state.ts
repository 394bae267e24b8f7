// Opens a state for reading: the current state, or a copy of a saved state in a second engine.
import { constants, cpSync } from 'node:fs'
import { join } from 'node:path'
import { openTemporaryDir } from '../../database/data-dir/temporary-dir.ts'
import { openPgliteEngine } from '../../database/embedded/pglite-engine.ts'
import type { Engine } from '../../database/engine.ts'
import { openSystemDb, type SystemDb } from '../../database/system-db/system-db.ts'
import type { Foundation } from '../open-foundation.ts'
import type { StateFolder } from './snapshot-folder.ts'

export interface ReadableState {
  readonly engine: Engine
  readonly db: Pick<SystemDb, 'prepare'>
  close(): Promise<void>
}

/** The current state, which may change while it is read. */
export function openPresentState({ engine, db }: Foundation): ReadableState {
  return { engine, db, close: async () => {} }
}

/** Opens a saved state while the platform runs. @throws {SqlError} */
export async function openSavedState(
  foundation: Foundation,
  { postgres, database }: StateFolder,
): Promise<ReadableState> {
  const { clusterImage, wallClock, ids, observe } = foundation
  const passing = openTemporaryDir()
  const cluster = join(passing.path, 'postgres')
  try {
    cpSync(postgres, cluster, { recursive: true, mode: constants.COPYFILE_FICLONE })
    const engine = await openPgliteEngine({
      dataDir: cluster,
      isTemporary: true,
      wallClock,
      ids,
      observe,
      clusterImage,
    })
    const db = openSystemDb({ file: database, migrations: [] })
    return {
      engine,
      db,
      close: async () => {
        db.close()
        await engine.close()
        passing.remove()
      },
    }
  } catch (error) {
    passing.remove()
    throw error
  }
}
