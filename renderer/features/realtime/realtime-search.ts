// Search parameters in the address of the realtime screen: the open view, the selected change and the filters of the list.
import type { JudgedChange } from '../../../emulator/contract/realtime.ts'
import { number, oneOf, rowKey, type SearchReader, searchReader, text } from '../../parts/search.ts'

export const REALTIME_VIEWS = ['changes', 'connections', 'try'] as const
export type RealtimeView = (typeof REALTIME_VIEWS)[number]

export interface RealtimeSearch {
  /** The open view. The screen shows the changes when the parameter is absent. */
  readonly view?: RealtimeView | undefined
  /**
   * The number of the change with the open fan-out. The screen shows the latest change when the parameter is absent.
   */
  readonly change?: number | undefined
  /** The list shows only changes of this table. */
  readonly table?: string | undefined
  readonly event?: JudgedChange['event'] | undefined
  /** The list shows only changes that at least one subscriber did not receive. */
  readonly kept?: 'yes' | undefined
  /** The form that changes a row is open. */
  readonly sheet?: 'row' | undefined
  /** The table of the form. */
  readonly rows?: string | undefined
  /** The form shows only the row with this key, in the format of row-key.ts. */
  readonly row?: string | undefined
  /** The list shows only rows that contain these words. */
  readonly q?: string | undefined
}

export const parseRealtimeSearch: SearchReader<RealtimeSearch> = searchReader<RealtimeSearch>({
  view: oneOf(REALTIME_VIEWS, 'changes'),
  change: number,
  table: text,
  event: oneOf(['INSERT', 'UPDATE', 'DELETE']),
  kept: oneOf(['yes']),
  sheet: oneOf(['row']),
  rows: text,
  row: rowKey,
  q: text,
})
