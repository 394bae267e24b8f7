// The port through which routes and the library save and restore states of the platform; assembly/ implements it.
import type { ResetAnswer, Snapshot, SnapshotDiff, SnapshotOrder } from '../contract/snapshots.ts'

export interface Snapshots {
  /** Newest first. */
  list(): readonly Snapshot[]
  /** @throws {InspectorError} `conflict` when the name is taken, `busy` */
  save(order: SnapshotOrder): Promise<Snapshot>
  /** @throws {InspectorError} `not_found`, `busy` */
  restore(name: string): Promise<Snapshot>
  /** Returns the removed snapshot. @throws {InspectorError} `not_found`, `busy` */
  remove(name: string): Promise<Snapshot>
  /** From the snapshot to another one, or to the present state. @throws {InspectorError} `not_found`, `busy` */
  compare(name: string, other: string | undefined): Promise<SnapshotDiff>
  /** Back to the baseline. @throws {InspectorError} `busy` */
  reset(): Promise<ResetAnswer>
  /** Makes the present state the target of `reset`. @throws {InspectorError} `busy` */
  setBaseline(): Promise<void>
}
