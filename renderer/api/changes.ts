// Changes of structure and policies: tries, rehearses, applies and undoes the statements of a change.
import type { UseQueryResult } from '@tanstack/react-query'
import type {
  AppliedChange,
  ChangeOrder,
  ChangeRehearsal,
  ChangeUndo,
  ChangeUndoOrder,
  LastChange,
} from '../../emulator/contract/changes.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

/**
 * Runs the statements in the project and rolls them back. Loads nothing while `order` is undefined, and does not load again
 * when other data changes.
 */
export function useChangeTrial(
  project: string,
  order: ChangeOrder | undefined,
): UseQueryResult<ChangeRehearsal> {
  return useOperation(
    'POST /projects/:ref/changes/rehearse',
    ['change', project, order],
    order && { params: { ref: project }, body: order },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  )
}

/** @throws {ApiError} */
export function rehearseChange(project: string, order: ChangeOrder): Promise<ChangeRehearsal> {
  return call('POST /projects/:ref/changes/rehearse', { params: { ref: project }, body: order })
}

/** @throws {ApiError} */
export function applyChange(project: string, order: ChangeOrder): Promise<AppliedChange> {
  return call('POST /projects/:ref/changes/apply', { params: { ref: project }, body: order })
}

/** Loads the change that can be undone. */
export function useLastChange(): UseQueryResult<LastChange> {
  return useOperation('GET /changes/last', ['last-change'], {})
}

/** @throws {ApiError} */
export function undoChange(project: string, order: ChangeUndoOrder): Promise<ChangeUndo> {
  return call('POST /projects/:ref/changes/undo', { params: { ref: project }, body: order })
}
