// The interface for states of the whole database, which are saved and restored without restarting the emulator. A state can
// only be restored into the cluster that it was saved from.
import type { Engine } from './engine.ts'

/** How a restore was done: the engine kept running, or was restarted. */
export type EngineAfterRestore = 'running' | 'restarted'

export interface EngineStates {
  /**
   * Makes the present state the baseline. Initially, the baseline is the state that the engine found at start. @throws
   * {SqlError}
   */
  setBaseline(): Promise<void>
  /** Restores the baseline; the time depends on how much has changed since. @throws {SqlError} */
  restoreBaseline(): Promise<EngineAfterRestore>
  /** Saves the present state. Returns the bytes that it takes outside the folder. @throws {SqlError} */
  save(folder: string): Promise<number>
  /** Restores the state in a folder. The baseline does not change. @throws {SqlError} */
  load(folder: string): Promise<EngineAfterRestore>
  /** Opens a saved state beside the present one, to read it. @throws {SqlError} */
  openSaved(folder: string): Promise<SavedState>
  /**
   * Keeps only the saved states in these folders. Frees what the engine stores outside the folders for all other saved states.
   * @throws {SqlError}
   */
  retain(folders: readonly string[]): Promise<void>
}

/** A saved state that can be read. */
export interface SavedState {
  readonly engine: Engine
  /** Frees everything that the reading needed. The saved state remains. */
  close(): Promise<void>
}

/**
 * The engine's record, in the data directory, that a restore was decided. The caller uses it to restore the data outside the
 * engine after a process was killed.
 */
export interface RestoreMark {
  /** Whether a state was restored since `clear`, or will be restored when the engine opens next. */
  isSet(): boolean
  /** Call this method before a restore, and after the data outside the engine has been restored. */
  clear(): void
}
