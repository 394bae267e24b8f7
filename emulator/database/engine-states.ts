// The interface for states of the whole database, which are saved and restored without restarting the emulator. A state can
// only be restored into the cluster that it was saved from.

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
  /** Copies the present state into a folder. @throws {SqlError} */
  save(folder: string): Promise<void>
  /** Restores the state in a folder. The baseline does not change. @throws {SqlError} */
  load(folder: string): Promise<EngineAfterRestore>
}
