// Search parameters in the address of the snapshots screen.
import { type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface SnapshotsSearch {
  /** Name of the open snapshot. */
  readonly open?: string | undefined
  /**
   * The name of the snapshot to compare with. The screen compares with the current state when the parameter is absent.
   */
  readonly with?: string | undefined
}

export const parseSnapshotsSearch: SearchReader<SnapshotsSearch> = searchReader<SnapshotsSearch>({
  open: text,
  with: text,
})
