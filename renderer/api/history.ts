// The recorded changes of rows: of one request, of one row, and the undo of a request's changes.
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import type { HistoryTimeline, RowHistory, Undo } from '../../emulator/contract/history.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

const HISTORY = 'GET /projects/:ref/history'
const TIMELINE = 'GET /projects/:ref/history/timeline'
const UNDO = 'POST /projects/:ref/undo'

/** The number of changes that one answer has at most. */
export const MOST_CHANGES = 200

/** In this file, `project` is a slug. Loads the changes of a request. Loads nothing while `project` is undefined. */
export function useRequestChanges(
  project: string | undefined,
  requestId: string,
): UseQueryResult<RowHistory> {
  return useOperation(
    HISTORY,
    ['history', project, 'request', requestId],
    project === undefined
      ? undefined
      : { params: { ref: project }, query: { request_id: requestId, limit: MOST_CHANGES } },
  )
}

/**
 * Loads the changes of one row. Loads nothing while `key` is undefined.
 * @param key the primary key in the format of the operation
 */
export function useRowChanges(
  project: string,
  table: string,
  key: string | undefined,
): UseQueryResult<RowHistory> {
  return useOperation(
    HISTORY,
    ['history', project, 'row', table, key],
    key === undefined
      ? undefined
      : { params: { ref: project }, query: { table, key, limit: MOST_CHANGES } },
  )
}

/** Loads the requests and transactions that changed rows of a table, or of all tables when `table` is undefined. */
export function useTimeline(
  project: string,
  table: string | undefined,
): UseQueryResult<HistoryTimeline> {
  return useOperation(
    TIMELINE,
    ['history', project, 'timeline', table],
    { params: { ref: project }, query: table === undefined ? {} : { table } },
    { placeholderData: keepPreviousData },
  )
}

/** Finds out what an undo of the request would change. Loads nothing while `isWanted` is false. */
export function useUndoPreview(
  project: string,
  requestId: string,
  isWanted: boolean,
): UseQueryResult<Undo> {
  return useOperation(
    UNDO,
    ['history', project, 'undo', requestId],
    { params: { ref: project }, body: { request_id: requestId, apply: false } },
    { enabled: isWanted, gcTime: 0 },
  )
}

/** Undoes the changes of the request. Changes nothing when the answer's `is_applied` is false. @throws {ApiError} */
export function undoRequest(project: string, requestId: string): Promise<Undo> {
  return call(UNDO, {
    params: { ref: project },
    body: { request_id: requestId, apply: true },
  })
}
