// Provides the tail: entries of the journal and the event stream as the page shows them. Pausing freezes the list.
import { useMemo, useState } from 'react'
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { useLive } from '../../api/live.ts'
import { useNewestRequests, useOlderRequests } from '../../api/requests.ts'
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

export function useTail(): Tail {
  const live = useLive(({ requests }) => requests)
  const bootId = useLive((snapshot) => snapshot.bootId)
  const newest = useNewestRequests()
  const older = useOlderRequests(newest.data, TAIL_LIMIT)
  const [pause, setPause] = useState<{ readonly at: number; readonly bootId: string | undefined }>()
  const tail = useMemo(
    () => joinTail([...(newest.data ?? []), ...(older.data ?? [])], live),
    [newest.data, older.data, live],
  )
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
    isWhole: newest.isSuccess && older.isSuccess,
    isLoading: newest.isPending,
    error: newest.error,
    retry: () => void newest.refetch(),
  }
}
