// The changes of one project as the page shows them, standing still while paused.
import { useMemo, useState } from 'react'
import type { JudgedChange } from '../../../emulator/contract/realtime.ts'
import { useLive } from '../../api/live.ts'
import { useChanges } from '../../api/realtime.ts'
import { joinChanges } from './change-list.ts'

export interface ChangeTail {
  /** Newest first. */
  readonly changes: readonly JudgedChange[]
  readonly isPaused: boolean
  readonly waiting: number
  toggle(): void
  readonly isLoading: boolean
  readonly error: Error | null
  retry(): void
}

const NONE: readonly JudgedChange[] = []

export function useChangeTail(tenant: string): ChangeTail {
  const live = useLive((snapshot) => snapshot.changes)
  const read = useChanges(tenant)
  const [pausedAt, setPausedAt] = useState<number>()
  const history = read.data?.changes ?? NONE
  const all = useMemo(() => joinChanges(history, live, `proj_${tenant}`), [history, live, tenant])
  const newest = all[0]?.number ?? 0
  // Numbers begin anew in another process: nothing is held back that is older than the pause.
  const changes = useMemo(
    () => (pausedAt === undefined ? all : all.filter(({ number }) => number <= pausedAt)),
    [all, pausedAt],
  )
  return {
    changes,
    isPaused: pausedAt !== undefined,
    waiting: all.length - changes.length,
    toggle: () => setPausedAt(pausedAt === undefined ? newest : undefined),
    isLoading: read.isPending,
    error: read.error,
    retry: () => void read.refetch(),
  }
}
