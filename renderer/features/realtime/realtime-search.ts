// What the address of this screen holds beside its path: the open view, the chosen change and the list's filters. Pure.

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

export function parseRealtimeSearch(raw: Readonly<Record<string, unknown>>): RealtimeSearch {
  const view = REALTIME_VIEWS.find((known) => known === raw['view'])
  const event = EVENTS.find((known) => known === raw['event'])
  const table = textOf(raw['table'])
  const q = textOf(raw['q'])
  const change = Number(raw['change'])
  return {
    ...(view === undefined || view === 'changes' ? {} : { view }),
    ...(raw['change'] !== undefined && Number.isSafeInteger(change) ? { change } : {}),
    ...(table === undefined ? {} : { table }),
    ...(event === undefined ? {} : { event }),
    ...(raw['kept'] === 'yes' ? { kept: 'yes' as const } : {}),
    ...(q === undefined ? {} : { q }),
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
