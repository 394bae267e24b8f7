// Recorded requests: pages of the journal, one request with all details, its access chain, and replays.
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { AccessChain } from '../../emulator/contract/explain.ts'
import type { JournalEntry, JournalRoutes } from '../../emulator/contract/journal.ts'
import type { RequestPlan } from '../../emulator/contract/query-plans.ts'
import type {
  RecordingSettings,
  ReplayAnswer,
  ReplayRequest,
  RequestDetail,
} from '../../emulator/contract/recording.ts'
import { call } from './client.ts'
import { FIRST_ROWS } from './first-answer.ts'
import { MEASURED_MILLIS } from './sql.ts'
import { useOperation } from './use-operation.ts'

/** Number of entries that one call reads. The emulator needs about 20 ms for a call, and answers no other request meanwhile. */
const PAGE = 1_000

/** Loads the newest requests, newest first. */
export function useNewestRequests(
  limit: number = FIRST_ROWS,
): UseQueryResult<readonly JournalEntry[]> {
  return useQuery({
    queryKey: ['journal', 'newest', limit],
    queryFn: async ({ signal }) =>
      (await call('GET /journal', { query: { limit }, signal })).entries,
  })
}

/**
 * Loads requests older than the newest ones, up to `limit`. Returns all of them in one answer, so that the screen is drawn only
 * once.
 */
export function useOlderRequests(
  newest: readonly JournalEntry[] | undefined,
  limit: number,
): UseQueryResult<readonly JournalEntry[]> {
  const before =
    newest === undefined || newest.length < FIRST_ROWS ? undefined : newest.at(-1)?.sequence
  return useQuery({
    queryKey: ['journal', 'older', newest === undefined ? undefined : (before ?? null), limit],
    enabled: newest !== undefined,
    queryFn: async ({ signal }) => {
      const older: JournalEntry[] = []
      let next = before
      while (next !== undefined && older.length < limit) {
        const query = { limit: PAGE, before: next }
        const { entries } = await call('GET /journal', { query, signal })
        older.push(...entries)
        next = entries.length < PAGE ? undefined : entries.at(-1)?.sequence
      }
      return older
    },
  })
}

/** Loads which bodies the emulator keeps. */
export function useRecordingSettings(): UseQueryResult<RecordingSettings> {
  return useOperation('GET /journal/recording', RECORDING_KEY, {})
}

/** Switches the recording of bodies of refused requests on or off. */
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

/** Explains the statement of a request. The statement runs and is measured only when the request reads. */
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
