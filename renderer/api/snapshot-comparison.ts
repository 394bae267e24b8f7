// Compares a snapshot, and renews the comparison after data changed.
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SnapshotDiff } from '../../emulator/contract/snapshots.ts'
import { changesData } from './data-events.ts'
import { onLiveEvents } from './live.ts'
import { after, wallNow } from './time.ts'
import { useOperation } from './use-operation.ts'

export interface SnapshotComparison {
  readonly query: UseQueryResult<SnapshotDiff>
  /** Whether data changed after the comparison was taken. */
  readonly isOutdated: boolean
  readonly renew: () => void
}

/** Minimum wall-clock milliseconds between two comparisons, so that many writes do not cause as many comparisons. */
const RENEW_MILLIS = 1_000
/** When a comparison took longer than this, only the user can renew it. */
const RENEWS_WITHIN_MILLIS = 1_000

/** Compares the snapshot `name` with the snapshot `other`, or with the current state when `other` is absent. */
export function useSnapshotComparison(name: string, other: string | undefined): SnapshotComparison {
  const query = useOperation(
    'GET /snapshots/:name/compare',
    ['snapshot-diff', name, other],
    { params: { name }, query: { with: other } },
    { gcTime: 0 },
  )
  const [isOutdated, setOutdated] = useState(false)
  const { data, dataUpdatedAt, isFetching, refetch } = query
  // A comparison of two snapshots is never outdated, because changes of the current state do not affect it.
  const isLive = other === undefined
  useEffect(() => {
    setOutdated(false)
    if (!isLive) return undefined
    return onLiveEvents((events) => {
      if (events.some(changesData)) setOutdated(true)
    })
  }, [isLive])
  const isQuick = data !== undefined && data.duration_ms <= RENEWS_WITHIN_MILLIS
  useEffect(() => {
    if (!(isOutdated && isQuick) || isFetching) return undefined
    return after(Math.max(0, dataUpdatedAt + RENEW_MILLIS - wallNow()), () => {
      setOutdated(false)
      void refetch()
    })
  }, [isOutdated, isQuick, isFetching, dataUpdatedAt, refetch])
  return {
    query,
    isOutdated,
    renew: () => {
      setOutdated(false)
      void refetch()
    },
  }
}
