// Recorded requests: pages of the journal, one request with all details, its access chain, and replays.
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { AccessChain } from '../../emulator/contract/explain.ts'
import type { JournalPage, JournalRoutes } from '../../emulator/contract/journal.ts'
import type { RequestPlan } from '../../emulator/contract/query-plans.ts'
import type {
  RecordingSettings,
  ReplayAnswer,
  ReplayRequest,
  RequestDetail,
} from '../../emulator/contract/recording.ts'
import { call } from './client.ts'
import { MEASURED_MILLIS } from './sql.ts'
import { useOperation } from './use-operation.ts'

/** Number of journal entries per page. */
const PAGE = 1_000

/** Loads requests from before the page was opened, newest first. Older pages load on demand. */
export function useJournal(): UseInfiniteQueryResult<InfiniteData<JournalPage>> {
  return useInfiniteQuery({
    queryKey: ['journal', 'tail'],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('GET /journal', { query: { limit: PAGE, before: pageParam }, signal }),
    getNextPageParam: ({ entries }) =>
      entries.length < PAGE ? undefined : entries.at(-1)?.sequence,
  })
}

/** Loads which bodies the emulator keeps. */
export function useRecordingSettings(): UseQueryResult<RecordingSettings> {
  return useOperation('GET /journal/recording', RECORDING_KEY, {})
}

/** Keeps the bodies of refused requests, or forgets them. */
export function useKeepRefusedBodies(): UseMutationResult<RecordingSettings, Error, boolean> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (isOn: boolean) =>
      call('PUT /journal/recording', { body: { refused_bodies: isOn } }),
    onSuccess: (settings) => queries.setQueryData(RECORDING_KEY, settings),
  })
}

const RECORDING_KEY = ['journal', 'recording'] as const

/** Loads one request with its headers, its bodies and the row changes that the request made. */
export function useRequestDetail(requestId: string): UseQueryResult<RequestDetail> {
  return useOperation('GET /journal/:request_id', ['journal', 'request', requestId], {
    params: { request_id: requestId },
  })
}

/** The interval between reloads of the open table of routes, in wall-clock milliseconds. */
const ROUTES_MILLIS = 3_000

/** Loads the measures of all routes. @param hasOwn whether requests of the inspector's pages count */
export function useRoutes(hasOwn: boolean): UseQueryResult<JournalRoutes> {
  return useOperation(
    'GET /journal/routes',
    ['journal', 'routes', hasOwn],
    { query: hasOwn ? {} : { from_inspector: 'false' } },
    { refetchInterval: ROUTES_MILLIS },
  )
}

/** Explains the statement of a request. A request that reads is measured; the answer does not change by itself. */
export function useRequestPlan(requestId: string): UseQueryResult<RequestPlan> {
  return useOperation(
    'GET /journal/:request_id/plan',
    ['journal', 'plan', requestId],
    { params: { request_id: requestId } },
    { staleTime: MEASURED_MILLIS },
  )
}

/**
 * Loads the access chain of a request: the checks that the request passed, in order, and the check that failed. The query loads
 * nothing while `isWanted` is false.
 */
export function useAccessChain(requestId: string, isWanted = true): UseQueryResult<AccessChain> {
  return useOperation(
    'GET /journal/:request_id/chain',
    ['journal', 'chain', requestId],
    { params: { request_id: requestId } },
    { enabled: isWanted },
  )
}

/** Sends a recorded request again as the same identity, with `edits` applied. @throws {ApiError} */
export function replayRequest(requestId: string, edits: ReplayRequest = {}): Promise<ReplayAnswer> {
  return call('POST /journal/:request_id/replay', {
    params: { request_id: requestId },
    body: edits,
  })
}
