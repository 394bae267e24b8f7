// Provides the tail: entries of the journal and the event stream as the page shows them. Pausing freezes the list.
import { useEffect, useMemo, useState } from 'react'
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { useLive } from '../../api/live.ts'
import { useJournal } from '../../api/requests.ts'
import { countNewer, joinTail, TAIL_LIMIT, upTo } from './join-tail.ts'

export interface Tail {
  /** Newest first. */
  readonly entries: readonly JournalEntry[]
  readonly isPaused: boolean
  /** The number of requests since the pause. */
  readonly waiting: number
  pause(): void
  resume(): void
  /** Whether all entries of the journal are loaded. */
  readonly isWhole: boolean
  readonly isLoading: boolean
  /** Why the journal could not be read. */
  readonly error: Error | null
  retry(): void
}

export interface TailOptions {
  /** Loads the whole journal page by page, so that counts and orders cover all of it. */
  readonly isWhole?: boolean
}

export function useTail({ isWhole = false }: TailOptions = {}): Tail {
  const live = useLive(({ requests }) => requests)
  const bootId = useLive((snapshot) => snapshot.bootId)
  const journal = useJournal()
  const [pause, setPause] = useState<{ readonly at: number; readonly bootId: string | undefined }>()
  const history = useMemo(
    () => journal.data?.pages.flatMap((page) => page.entries) ?? [],
    [journal.data],
  )
  const tail = useMemo(() => joinTail(history, live), [history, live])
  // A restart of the emulator ends a pause, because sequence numbers restart as well.
  const pausedAt = pause !== undefined && pause.bootId === bootId ? pause.at : undefined
  const entries = useMemo(
    () => (pausedAt === undefined ? tail : upTo(tail, pausedAt)),
    [tail, pausedAt],
  )
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = journal
  const isWanted = isWhole && hasNextPage && !isFetchingNextPage && tail.length < TAIL_LIMIT
  useEffect(() => {
    if (isWanted) void fetchNextPage()
  }, [isWanted, fetchNextPage])
  return {
    entries,
    isPaused: pausedAt !== undefined,
    waiting: pausedAt === undefined ? 0 : countNewer(tail, pausedAt),
    pause: () => setPause({ at: tail[0]?.sequence ?? 0, bootId }),
    resume: () => setPause(undefined),
    isWhole: !journal.isPending && !journal.hasNextPage,
    isLoading: journal.isPending,
    error: journal.error,
    retry: () => void journal.refetch(),
  }
}
