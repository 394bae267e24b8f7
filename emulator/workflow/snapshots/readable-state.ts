// Opens a state for comparisons: the current state, or a saved state. Contents of a saved state are read from the files beside
// it, or else once with a second engine (EngineStates.openSaved).

import type { SchemaName } from '../../core/names.ts'
import type { Engine } from '../../database/engine.ts'
import type { EngineStates, SavedState } from '../../database/engine-states.ts'
import { createRowReader } from '../../database/row-reader.ts'
import { openSystemDb, type SystemDb } from '../../database/system-db/system-db.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import { FILE_BOUNDS, type KeptContents, readKeptContent, writeContent } from './kept-contents.ts'
import type { StateFolder } from './snapshot-folder.ts'
import { readContent } from './tenant-content.ts'

export interface ReadableState {
  /** Returns the schema's TenantContent as text. @throws {SqlError} */
  contentOf(schemaName: SchemaName): Promise<string>
  readonly db: Pick<SystemDb, 'prepare'>
  close(): Promise<void>
}

/** The databases that contain the current state. */
export interface PresentState {
  readonly engine: Engine
  readonly db: SystemDb
}

const NO_TABLES = '[]'

/** Opens the current state, which may change while it is read. */
export function openPresentState(
  { engine, db }: PresentState,
  contents: Pick<KeptContents, 'find'>,
): ReadableState {
  const reader = createRowReader(engine)
  return {
    contentOf: async (schemaName) =>
      contents.find(schemaName) ??
      (await readContent({ engine, reader }, schemaName))?.text ??
      NO_TABLES,
    db,
    close: async () => {},
  }
}

/**
 * Opens a saved state while the platform runs.
 * @param isThere whether the folder still holds this state, and not a newer snapshot of the same name
 */
export function openSavedState(
  { openSaved }: Pick<EngineStates, 'openSaved'>,
  folder: StateFolder,
  isThere: () => boolean,
): ReadableState {
  const db = openSystemDb({ file: folder.database, migrations: [] })
  let opening: Promise<SavedState> | undefined
  const read = async (schemaName: SchemaName): Promise<string> => {
    if (!isThere())
      throw new InspectorError('not_found', 'The snapshot was deleted or replaced meanwhile.', {
        hint: 'Compare again.',
      })
    opening ??= openSaved(folder.postgres)
    const { engine } = await opening
    const content = await readContent({ engine, reader: createRowReader(engine) }, schemaName)
    if (content === undefined) return NO_TABLES
    if (content.heapBytes <= FILE_BOUNDS.each && isThere())
      writeContent(folder, schemaName, content.text)
    return content.text
  }
  return {
    contentOf: async (schemaName) =>
      readKeptContent(folder, schemaName) ?? (await read(schemaName)),
    db,
    close: async () => {
      db.close()
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}
