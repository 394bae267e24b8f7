// What the address of the snapshots screen holds beside its path.
import { type SearchReader, searchReader, text } from '../../parts/search.ts'

export interface SnapshotsSearch {
  /** Name of the snapshot whose sheet is open. */
  readonly open?: string | undefined
  /** Name of the snapshot that it is compared with; the present state when absent. */
  readonly with?: string | undefined
}

export const parseSnapshotsSearch: SearchReader<SnapshotsSearch> = searchReader<SnapshotsSearch>({
  open: text,
  with: text,
})
