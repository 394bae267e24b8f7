// Saves, restores and deletes snapshots of the whole platform, and resets the platform.
import type { UseQueryResult } from '@tanstack/react-query'
import type {
  ResetAnswer,
  ResetTarget,
  Snapshot,
  SnapshotList,
  SnapshotOrder,
} from '../../emulator/contract/snapshots.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

/** Loads all snapshots, newest first. */
export function useSnapshots(): UseQueryResult<SnapshotList> {
  return useOperation('GET /snapshots', ['snapshots'], {})
}

/** @throws {ApiError} */
export function saveSnapshot(order: SnapshotOrder): Promise<Snapshot> {
  return call('POST /snapshots', { body: order })
}

/** @throws {ApiError} */
export function restoreSnapshot(name: string): Promise<Snapshot> {
  return call('POST /snapshots/:name/restore', { params: { name } })
}

/** @throws {ApiError} */
export function deleteSnapshot(name: string): Promise<Snapshot> {
  return call('DELETE /snapshots/:name', { params: { name } })
}

/** Returns the platform to its state after the last fixture, or to what its fixtures describe. @throws {ApiError} */
export function resetPlatform(to: ResetTarget): Promise<ResetAnswer> {
  return call('POST /reset', { body: { to } })
}
