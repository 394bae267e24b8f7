// Reads and writes the tables of a project as its owner: lists, structure, rows, edits, import and export.
import type { UseQueryResult } from '@tanstack/react-query'
import type {
  FileFormat,
  ProjectStructure,
  RowEdits,
  RowEditsAnswer,
  RowsPage,
  RowsRequest,
  TableList,
  TableStructure,
} from '../../emulator/contract/tables.ts'
import type { RowFilter } from '../../emulator/contract/values.ts'
import { type CountedAnswer, call, callCounted, callWithFile } from './client.ts'
import { type Answered, useFirstThenAll } from './first-answer.ts'
import { useOperation } from './use-operation.ts'

export type RowsOrder = NonNullable<RowsRequest['order']>[number]
export type { RowFilter }

/** In this file, `project` is always a slug. */
export function useTables(project: string): UseQueryResult<TableList> {
  return useOperation('GET /projects/:ref/tables', ['tables', project], {
    params: { ref: project },
  })
}

/** Loads the columns and keys of a table. The query loads nothing while `table` is undefined. */
export function useTableStructure(
  project: string,
  table: string | undefined,
): UseQueryResult<TableStructure> {
  return useOperation(
    'GET /projects/:ref/tables/:table',
    ['tables', project, table],
    table === undefined ? undefined : { params: { ref: project, table } },
  )
}

/** Loads the columns and keys of all tables. The query loads nothing while `project` is undefined. */
export function useStructure(project: string | undefined): UseQueryResult<ProjectStructure> {
  return useOperation(
    'GET /projects/:ref/structure',
    ['tables', project, 'structure', 'all'],
    project === undefined ? undefined : { params: { ref: project } },
  )
}

/** The root of the keys of past rows, which later writes do not change. */
export const PAST_ROWS = 'past-rows'

/** Loads the first rows, which show at once, and then all rows. The previous rows stay while the next ones load. */
export function useRows(
  project: string,
  table: string,
  request: RowsRequest & { readonly limit: number },
  isEnabled: boolean,
): Answered<RowsPage> {
  return useFirstThenAll(request.limit, isEnabled, (limit) => {
    const body = { ...request, limit }
    return {
      queryKey: [body.at === undefined ? 'rows' : PAST_ROWS, project, table, body],
      queryFn: ({ signal }) =>
        call('POST /projects/:ref/tables/:table/rows', {
          params: { ref: project, table },
          body,
          signal,
        }),
    }
  })
}

const EDIT = 'PATCH /projects/:ref/tables/:table/rows'

/** Applies all edits, or none when one fails. @throws {ApiError} */
export function editRows(
  project: string,
  table: string,
  edits: RowEdits,
): Promise<CountedAnswer<typeof EDIT>> {
  return callCounted(EDIT, { params: { ref: project, table }, body: edits })
}

/** @throws {ApiError} */
export async function importRows(
  project: string,
  table: string,
  format: FileFormat,
  file: string,
): Promise<RowEditsAnswer> {
  const response = await callWithFile(
    'POST /projects/:ref/tables/:table/import',
    { params: { ref: project, table }, query: { format } },
    {
      headers: { 'content-type': format === 'csv' ? 'text/csv' : 'application/json' },
      body: file,
    },
  )
  return (await response.json()) as RowEditsAnswer
}

/** Returns all rows of a table as a file. @throws {ApiError} */
export async function exportRows(
  project: string,
  table: string,
  format: FileFormat,
): Promise<Blob> {
  const inputs = { params: { ref: project, table }, query: { format } }
  const response = await callWithFile('GET /projects/:ref/tables/:table/export', inputs)
  return response.blob()
}
