// Holds the query cache of all screens, and reloads queries after events. The first word of a query key names its
// subject.
import { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '../../emulator/contract/events.ts'
import { onAdminToken } from './admin-token.ts'
import { ApiError } from './client.ts'
import { liveSnapshot, onLiveEvents, subscribeLive } from './live.ts'

/** Data younger than this is not loaded again when a screen opens. */
export const FRESH_MILLIS = 2_000

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MILLIS,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
    },
  },
})

const STALE_AFTER: Readonly<Partial<Record<LiveEvent['kind'], readonly string[]>>> = {
  project: [
    'home',
    'overview',
    'info',
    'fleet',
    'tables',
    'rows',
    'explain',
    'history',
    'identities',
  ],
  message: ['mailbox'],
  clock: ['clock', 'expiries'],
  faults: ['faults', 'home'],
  engine: ['home', 'overview'],
  failure: ['home', 'overview'],
  realtime: ['realtime'],
  fixture: ['fixtures'],
  follow: ['fixtures'],
  snapshot: ['snapshots'],
}

/** Reloads the affected queries after each event. */
export function renewOnEvents(): void {
  let lost = liveSnapshot().lost
  subscribeLive(() => {
    if (liveSnapshot().lost === lost) return
    lost = liveSnapshot().lost
    void queryClient.invalidateQueries()
  })
  onAdminToken(() => void queryClient.invalidateQueries())
  onLiveEvents((events) => {
    if (events.some(isUpheaval)) return void queryClient.invalidateQueries()
    const roots = new Set(events.flatMap(({ kind }) => STALE_AFTER[kind] ?? []))
    for (const root of roots) void queryClient.invalidateQueries({ queryKey: [root] })
  })
}

// Whether an event can change everything on the screen: a restored snapshot, a reset, an applied fixture or a rebuild.
function isUpheaval(event: LiveEvent): boolean {
  if (event.kind === 'snapshot') return event.change === 'restored' || event.change === 'reset'
  if (event.kind === 'follow') return event.event !== 'refused'
  return event.kind === 'fixture' && event.total > 0 && event.done >= event.total
}
