// The interface through which routes and the library save and restore states of the platform (open-snapshots.ts).
import type {
  ResetAnswer,
  ResetTarget,
  Snapshot,
  SnapshotDiff,
  SnapshotOrder,
} from '../../contract/snapshots.ts'

/** Names and notes of two snapshots: the state before some work, and the state after it. */
export interface StateNames {
  readonly before: string
  readonly after: string
  readonly notes: { readonly before: string; readonly after: string }
}

/** The part of the snapshot service that changes need (workflow/changes). */
export interface StatesAround {
  /**
   * Runs `work` while no request runs, and saves the state before and after it. Saves nothing when the work changed nothing.
   * When the work fails, restores the state before it.
   * @param former name of a snapshot after earlier work, which this call makes superfluous
   * @throws {InspectorError} `busy`
   */
  around<Answer>(
    names: StateNames,
    work: () => Promise<Worked<Answer>>,
    former?: string,
  ): Promise<Answer>
  /**
   * Restores the state before the work, if `mayLose` accepts the changes since the work. Then removes the snapshot after the
   * work.
   * @param onRestored called before requests run again
   * @throws {InspectorError} `not_found`, `busy`
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
