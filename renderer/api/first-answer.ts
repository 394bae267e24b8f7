// Loads a long list in two answers: its first rows, which show at once, and then all of them.
import {
  keepPreviousData,
  type QueryKey,
  type SkipToken,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { whenIdle } from './time.ts'

/** Number of rows that are loaded first. A screen has room for about seventy rows. */
export const FIRST_ROWS = 100

export type Answered<Data> = Pick<
  UseQueryResult<Data>,
  'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'
>

/** Returns the query that loads at most `limit` rows. */
export type AskFor<Data> = (limit: number) => {
  readonly queryKey: QueryKey
  readonly queryFn: SkipToken | ((context: { readonly signal: AbortSignal }) => Promise<Data>)
}

/**
 * Keeps the answer of the previous query until the first rows of the next one arrive. Loads nothing when `isWanted` is false.
 */
export function useFirstThenAll<Data extends { readonly total: number }>(
  limit: number,
  isWanted: boolean,
  ask: AskFor<Data>,
): Answered<Data> {
  const first = useQuery<Data>({
    ...ask(Math.min(limit, FIRST_ROWS)),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  const isCurrent = first.data !== undefined && !first.isPlaceholderData
  const hasMore = isCurrent && Math.min(limit, first.data?.total ?? 0) > FIRST_ROWS
  const isIdle = useIdleAfter(hasMore)
  const all = useQuery<Data>({
    ...ask(limit),
    enabled: isWanted && hasMore && isIdle,
    placeholderData: keepPreviousData,
  })
  if (!isCurrent) return { ...first, data: all.data ?? first.data }
  if (!hasMore) return first
  const isWhole = all.data !== undefined && !all.isPlaceholderData
  return { ...all, data: isWhole ? all.data : first.data, isPlaceholderData: false }
}

/** Whether the page was idle after `hasBegun`. The page draws the first rows before it reads thousands of others. */
function useIdleAfter(hasBegun: boolean): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if (!hasBegun) return
    const cancel = whenIdle(() => setIdle(true))
    return () => {
      cancel()
      setIdle(false)
    }
  }, [hasBegun])
  return isIdle
}
