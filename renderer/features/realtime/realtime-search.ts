// What the address of the realtime screen holds beside its path: the open view, the chosen change and the list's filters.
import type { JudgedChange } from '../../../emulator/contract/realtime.ts'
import { number, oneOf, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const REALTIME_VIEWS = ['changes', 'connections', 'try'] as const
export type RealtimeView = (typeof REALTIME_VIEWS)[number]

export interface RealtimeSearch {
  /** The changes when absent. */
  readonly view?: RealtimeView | undefined
  /** Number of the change whose fan-out is open; the latest when absent. */
  readonly change?: number | undefined
  /** Only changes of this table. */
  readonly table?: string | undefined
  readonly event?: JudgedChange['event'] | undefined
  /** Only changes that some subscriber did not receive. */
  readonly kept?: 'yes' | undefined
  /** Words in the row. */
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
