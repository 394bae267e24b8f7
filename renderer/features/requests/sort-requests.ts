// Sorts the list of requests by duration, rows or time. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import type { GridSort } from '../../ui/grid-columns.ts'
import type { RequestsOrder } from './requests-search.ts'

const SORTS: Readonly<Record<RequestsOrder, GridSort>> = {
  slowest: { column: 'duration', isDescending: true },
  fastest: { column: 'duration', isDescending: false },
  'most-rows': { column: 'rows', isDescending: true },
  'fewest-rows': { column: 'rows', isDescending: false },
  oldest: { column: 'time', isDescending: false },
}
const NEWEST: GridSort = { column: 'time', isDescending: true }

/** Returns the column and the direction of the arrow in the grid's header. */
export function gridSort(order: RequestsOrder | undefined): GridSort {
  return order === undefined ? NEWEST : SORTS[order]
}

/** Returns the order after a click on a column's header: first descending, then ascending, then the newest first. */
export function nextOrder(
  order: RequestsOrder | undefined,
  column: string,
): RequestsOrder | undefined {
  const own = (Object.keys(SORTS) as RequestsOrder[]).filter((one) => SORTS[one].column === column)
  const at = order === undefined ? -1 : own.indexOf(order)
  return own[at + 1]
}

// Sorts by the time of arrival, because the journal numbers requests in the order in which they end.
function byArrival(one: JournalEntry, other: JournalEntry): number {
  if (one.received_at === other.received_at) return other.sequence - one.sequence
  return one.received_at < other.received_at ? 1 : -1
}

/** Returns the entries in this order. Entries without a number of rows come last. @param entries newest first */
export function sortRequests(
  entries: readonly JournalEntry[],
  order: RequestsOrder | undefined,
): readonly JournalEntry[] {
  switch (order) {
    case undefined:
      return entries.toSorted(byArrival)
    case 'oldest':
      return entries.toSorted(byArrival).toReversed()
    case 'slowest':
      return entries.toSorted((a, b) => b.duration_ms - a.duration_ms)
    case 'fastest':
      return entries.toSorted((a, b) => a.duration_ms - b.duration_ms)
    case 'most-rows':
      return entries.toSorted((a, b) => (b.row_count ?? -1) - (a.row_count ?? -1))
    case 'fewest-rows':
      return entries.toSorted((a, b) => (a.row_count ?? Infinity) - (b.row_count ?? Infinity))
  }
}
