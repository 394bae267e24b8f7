// Realtime as the emulator sees it: who is connected, and the latest row changes with what became of them.
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { JudgedChangePage, RealtimeOverview } from '../../emulator/contract/realtime.ts'
import { call } from './client.ts'

/** Changes read when the screen opens; the event stream tells the rest. */
const LATEST = 500
const REFRESH_MILLIS = 2_000

/** Connections, channels, bindings and presence, read again every two seconds. */
export function useRealtimeOverview(project: string): UseQueryResult<RealtimeOverview> {
  return useQuery({
    queryKey: ['realtime', project, 'overview'],
    refetchInterval: REFRESH_MILLIS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /projects/:ref/realtime', { params: { ref: project }, signal }),
  })
}

/** The latest changes, newest or oldest first as the emulator gives them. */
export function useChanges(project: string): UseQueryResult<JudgedChangePage> {
  return useQuery({
    queryKey: ['changes', project],
    queryFn: ({ signal }) =>
      call('GET /projects/:ref/realtime/changes', {
        params: { ref: project },
        query: { limit: LATEST },
        signal,
      }),
  })
}
