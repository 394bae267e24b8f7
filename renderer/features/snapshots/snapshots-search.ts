// What the address of this screen holds beside its path: read from any text, wrong values are left out. Pure.
import { compact, type RawSearch, textIn } from '../../parts/search-values.ts'

export interface SnapshotsSearch {
  /** Name of the one whose sheet is open. */
  readonly open?: string
  /** What it is compared with: another's name; now when absent. */
  readonly with?: string
}

export function parseSnapshotsSearch(raw: RawSearch): SnapshotsSearch {
  return compact<SnapshotsSearch>({ open: textIn(raw, 'open'), with: textIn(raw, 'with') })
}
