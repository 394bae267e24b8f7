// The whole platform at a moment: saving, going back, comparing.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  ResetAnswer,
  Snapshot,
  SnapshotDiff,
  SnapshotList,
  SnapshotOrder,
} from '../../emulator/contract/snapshots.ts'
import { deleteJson, getJson, postJson } from './client.ts'

/** Newest first. */
export function useSnapshots(): UseQueryResult<SnapshotList> {
  return useQuery({
    queryKey: ['snapshots'],
    queryFn: ({ signal }) => getJson<SnapshotList>('/snapshots', { signal }),
  })
}

/** `other` is another's name, or absent for now. */
export function useSnapshotDiff(
  name: string,
  other: string | undefined,
): UseQueryResult<SnapshotDiff> {
  return useQuery({
    queryKey: ['snapshot-diff', name, other],
    gcTime: 0,
    queryFn: ({ signal }) =>
      getJson<SnapshotDiff>(`${pathOf(name)}/compare`, { query: { with: other }, signal }),
  })
}

/** @throws {ApiError} */
export function saveSnapshot(order: SnapshotOrder): Promise<Snapshot> {
  return postJson<Snapshot>('/snapshots', order)
}

/** @throws {ApiError} */
export function restoreSnapshot(name: string): Promise<Snapshot> {
  return postJson<Snapshot>(`${pathOf(name)}/restore`)
}

/** @throws {ApiError} */
export function deleteSnapshot(name: string): Promise<void> {
  return deleteJson(pathOf(name))
}

/** Back to the state after the last fixture, or to an empty start. @throws {ApiError} */
export function resetPlatform(): Promise<ResetAnswer> {
  return postJson<ResetAnswer>('/reset')
}

function pathOf(name: string): string {
  return `/snapshots/${encodeURIComponent(name)}`
}
