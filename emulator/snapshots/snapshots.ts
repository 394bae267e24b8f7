// What the routes, the command line and the library ask of the platform's states: a port, filled in assembly/.
import type { ResetAnswer, Snapshot, SnapshotDiff } from '../contract/snapshots.ts'

export interface SnapshotDraft {
  readonly name: string
  readonly note?: string | undefined
  readonly replace?: boolean | undefined
}

export interface Snapshots {
  /** Newest first. */
  list(): readonly Snapshot[]
  /** @throws {InspectorError} `conflict` when the name is taken, `busy` */
  save(draft: SnapshotDraft): Promise<Snapshot>
  /** @throws {InspectorError} `not_found`, `busy` */
  restore(name: string): Promise<Snapshot>
  /** Gives what it was. @throws {InspectorError} `not_found`, `busy` */
  remove(name: string): Promise<Snapshot>
  /** From the snapshot to another one, or to the present. @throws {InspectorError} `not_found`, `busy` */
  compare(name: string, other: string | undefined): Promise<SnapshotDiff>
  /** Back to the baseline. @throws {InspectorError} `busy` */
  reset(): Promise<ResetAnswer>
  /** Makes the present state what `reset` leads back to. @throws {InspectorError} `busy` */
  setBaseline(): Promise<void>
}
