// Loads the open realtime connections, and the latest row changes with their verdicts.
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import type { JudgedChangePage, RealtimeOverview } from '../../emulator/contract/realtime.ts'
import { useOperation } from './use-operation.ts'

/** Number of changes that the screen loads when it opens. Later changes arrive over the event stream. */
const LATEST = 500
const REFRESH_MILLIS = 2_000

/** Loads connections, channels, bindings and presence, and reloads them every two seconds. */
export function useRealtimeOverview(project: string): UseQueryResult<RealtimeOverview> {
  return useOperation(
    'GET /projects/:ref/realtime',
    ['realtime', project, 'overview'],
    { params: { ref: project } },
    { refetchInterval: REFRESH_MILLIS, placeholderData: keepPreviousData },
  )
}

/** Loads the latest changes, in the order of the emulator's response. */
export function useChanges(project: string): UseQueryResult<JudgedChangePage> {
  return useOperation('GET /projects/:ref/realtime/changes', ['changes', project], {
    params: { ref: project },
    query: { limit: LATEST },
  })
}
