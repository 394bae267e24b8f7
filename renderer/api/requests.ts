// Recorded requests: the journal's pages, one request in full, why it was refused, and sending it again.
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import type { AccessChain } from '../../emulator/contract/explain.ts'
import type { JournalPage } from '../../emulator/contract/journal.ts'
import type {
  ReplayAnswer,
  ReplayRequest,
  RequestDetail,
} from '../../emulator/contract/recording.ts'
import { getJson, postJson } from './client.ts'

/** Entries of one page. */
const PAGE = 1_000

/** What happened before the page was opened, newest first; older pages on demand. */
export function useJournal(): UseInfiniteQueryResult<InfiniteData<JournalPage>> {
  return useInfiniteQuery({
    queryKey: ['journal', 'tail'],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      getJson<JournalPage>('/journal', { query: { limit: PAGE, before: pageParam }, signal }),
    getNextPageParam: ({ entries }) =>
      entries.length < PAGE ? undefined : entries.at(-1)?.sequence,
  })
}

/** One request with headers, bodies and the changes it made. */
export function useRequestDetail(requestId: string): UseQueryResult<RequestDetail> {
  return useQuery({
    queryKey: ['journal', 'request', requestId],
    queryFn: ({ signal }) => getJson<RequestDetail>(requestPath(requestId), { signal }),
  })
}

/** The chain of a request; idle while nobody wants it. */
export function useAccessChain(requestId: string, isWanted = true): UseQueryResult<AccessChain> {
  return useQuery({
    queryKey: ['journal', 'chain', requestId],
    enabled: isWanted,
    queryFn: ({ signal }) => getJson<AccessChain>(`${requestPath(requestId)}/chain`, { signal }),
  })
}

/** Sends a request again as the same identity, edited when told. @throws {ApiError} */
export function replayRequest(requestId: string, edits: ReplayRequest = {}): Promise<ReplayAnswer> {
  return postJson<ReplayAnswer>(`${requestPath(requestId)}/replay`, edits)
}

function requestPath(requestId: string): string {
  return `/journal/${encodeURIComponent(requestId)}`
}
