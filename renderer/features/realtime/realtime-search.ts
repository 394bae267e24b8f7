// Search parameters in the address of the realtime screen: the open view, the selected change and the filters of the list.
import type { JudgedChange } from '../../../emulator/contract/realtime.ts'
import { number, oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const REALTIME_VIEWS = ['changes', 'connections', 'try'] as const
export type RealtimeView = (typeof REALTIME_VIEWS)[number]

export interface RealtimeSearch {
  /** The open view; the changes when absent. */
  readonly view?: RealtimeView | undefined
  /** Number of the change with the open fan-out; the latest change when absent. */
  readonly change?: number | undefined
  /** Shows only changes of this table. */
  readonly table?: string | undefined
  readonly event?: JudgedChange['event'] | undefined
  /** Shows only changes that at least one subscriber did not receive. */
  readonly kept?: 'yes' | undefined
  /** Words that must occur in the row. */
  readonly q?: string | undefined
}

export const parseRealtimeSearch: SearchReader<RealtimeSearch> = searchReader<RealtimeSearch>({
  view: oneOf(REALTIME_VIEWS, 'changes'),
  change: number,
  table: text,
  event: oneOf(['INSERT', 'UPDATE', 'DELETE']),
  kept: oneOf(['yes']),
  q: text,
})
