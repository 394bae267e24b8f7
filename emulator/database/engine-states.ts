// States of the whole database of the embedded engine, taken and brought back without a restart. A state is files: see
// cluster-files.ts. One goes back to a state of the same cluster only.

/** Whether the engine went on running, or had to be started again to get there. */
export type EngineAfterRestore = 'running' | 'restarted'

export interface EngineStates {
  /** Makes the present state the baseline; at the start it is what the engine finds. @throws {SqlError} */
  begin(): Promise<void>
  /** Goes back to the baseline: costs what has changed since. @throws {SqlError} */
  goBack(): Promise<EngineAfterRestore>
  /** Copies the present state into a folder. @throws {SqlError} */
  save(folder: string): Promise<void>
  /** Makes the state in a folder the present one. The baseline stays. @throws {SqlError} */
  load(folder: string): Promise<EngineAfterRestore>
}
