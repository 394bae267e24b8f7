// The interface through which routes and the library save and restore states of the platform (open-snapshots.ts).
import type {
  ResetAnswer,
  ResetTarget,
  Snapshot,
  SnapshotDiff,
  SnapshotOrder,
} from '../../contract/snapshots.ts'

/** Names of the snapshots before and after some work, and their notes. */
export interface StateNames {
  readonly before: string
  readonly after: string
  readonly notes: { readonly before: string; readonly after: string }
}

/** What changes use of snapshots (workflow/changes). */
export interface StatesAround {
  /**
   * Runs `work` while no request runs, and saves the state before and after it. Saves nothing for work that changed nothing.
   * After a failure of the work, the state is as it was.
   * @param former a snapshot after earlier work, which is no longer needed then @throws {InspectorError} `busy`
   */
  around<Answer>(
    names: StateNames,
    work: () => Promise<Worked<Answer>>,
    former?: string,
  ): Promise<Answer>
  /**
   * Restores the state before, if `mayLose` allows what changed since the state after. Then removes the snapshot after.
   * @param onRestored called before requests run again @throws {InspectorError} `not_found`, `busy`
   */
  goBack(
    names: StateNames,
    mayLose: (since: SnapshotDiff) => boolean,
    onRestored: () => void,
  ): Promise<{ readonly isRestored: boolean; readonly since: SnapshotDiff }>
}

export interface Worked<Answer> {
  readonly answer: Answer
  readonly hasChanged: boolean
}

export interface Snapshots {
  /** Lists the snapshots, newest first. */
  list(): readonly Snapshot[]
  /** Saves the current state. @throws {InspectorError} `conflict` when the name is taken, `busy` */
  save(order: SnapshotOrder): Promise<Snapshot>
  /** Restores a saved state. @throws {InspectorError} `not_found`, `busy` */
  restore(name: string): Promise<Snapshot>
  /** Removes a snapshot and returns it. @throws {InspectorError} `not_found`, `busy` */
  remove(name: string): Promise<Snapshot>
  /**
   * Lists the differences from the snapshot to `other`, or to the current state when `other` is `undefined`.
   * @throws {InspectorError} `not_found`, `busy`
   */
  compare(name: string, other: string | undefined): Promise<SnapshotDiff>
  /**
   * Restores the baseline of the platform, or drops everything and applies its fixtures again.
   * @throws {InspectorError} `busy`, and `conflict` when no fixture can be applied
   */
  reset(to?: ResetTarget): Promise<ResetAnswer>
  /** Makes the current state the baseline, to which `reset` returns. @throws {InspectorError} `busy` */
  setBaseline(): Promise<void>
}
