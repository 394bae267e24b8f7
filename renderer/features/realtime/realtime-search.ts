// What the address of this screen holds beside its path: the open view, the chosen change and the list's filters. Pure.
import { choiceIn, compact, numberIn, type RawSearch, textIn } from '../../parts/search-values.ts'

export const REALTIME_VIEWS = ['changes', 'connections', 'try'] as const
export type RealtimeView = (typeof REALTIME_VIEWS)[number]

export interface RealtimeSearch {
  /** The changes when absent. */
  readonly view?: RealtimeView
  /** Number of the change whose fan-out is open; the latest when absent. */
  readonly change?: number
  /** Only changes of this table. */
  readonly table?: string
  readonly event?: 'INSERT' | 'UPDATE' | 'DELETE'
  /** Only changes that somebody did not get although subscribed. */
  readonly kept?: 'yes'
  /** Words in the row. */
  readonly q?: string
}

const EVENTS = ['INSERT', 'UPDATE', 'DELETE'] as const

export function parseRealtimeSearch(raw: RawSearch): RealtimeSearch {
  const view = choiceIn(raw, 'view', REALTIME_VIEWS)
  return compact<RealtimeSearch>({
    view: view === 'changes' ? undefined : view,
    change: numberIn(raw, 'change'),
    table: textIn(raw, 'table'),
    event: choiceIn(raw, 'event', EVENTS),
    kept: choiceIn(raw, 'kept', ['yes'] as const),
    q: textIn(raw, 'q'),
  })
}
