// Search parameters in the address of the snapshots screen.
import { type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface SnapshotsSearch {
  /** Name of the open snapshot. */
  readonly open?: string | undefined
  /** Name of the snapshot to compare with; the current state when absent. */
  readonly with?: string | undefined
}

export const parseSnapshotsSearch: SearchReader<SnapshotsSearch> = searchReader<SnapshotsSearch>({
  open: text,
  with: text,
})
