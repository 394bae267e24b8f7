// Provides the tail: entries of the journal and the event stream as the page shows them. Pausing freezes the list.
import { useMemo, useState } from 'react'
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
  /** Loads older entries, if the journal has any. */
  readOlder(): void
  readonly isLoading: boolean
  /** Why the journal could not be read. */
  readonly error: Error | null
  retry(): void
}

export function useTail(): Tail {
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
  return {
    entries,
    isPaused: pausedAt !== undefined,
    waiting: pausedAt === undefined ? 0 : countNewer(tail, pausedAt),
    pause: () => setPause({ at: tail[0]?.sequence ?? 0, bootId }),
    resume: () => setPause(undefined),
    readOlder: () => {
      const canRead = journal.hasNextPage && !journal.isFetchingNextPage
      if (canRead && tail.length < TAIL_LIMIT) void journal.fetchNextPage()
    },
    isLoading: journal.isPending,
    error: journal.error,
    retry: () => void journal.refetch(),
  }
}
