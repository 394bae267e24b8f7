// The port for states of the whole database: saved and restored without a restart of the emulator. A state can only be restored
// into the cluster that it was saved from.

/** Whether the engine kept running or was restarted. */
export type EngineAfterRestore = 'running' | 'restarted'

export interface EngineStates {
  /** Makes the present state the baseline. At the start the baseline is what the engine finds. @throws {SqlError} */
  setBaseline(): Promise<void>
  /** Restores the baseline; the time depends on how much has changed since. @throws {SqlError} */
  restoreBaseline(): Promise<EngineAfterRestore>
  /** Copies the present state into a folder. @throws {SqlError} */
  save(folder: string): Promise<void>
  /** Restores the state in a folder. The baseline stays. @throws {SqlError} */
  load(folder: string): Promise<EngineAfterRestore>
}
