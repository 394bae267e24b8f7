// The tables of a project as its owner sees them: lists, structure, rows, edits, files in and out.
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  RowEdits,
  RowEditsAnswer,
  RowsPage,
  RowsRequest,
  TableList,
  TableStructure,
} from '../../emulator/contract/tables.ts'
import type { RowFilter } from '../../emulator/contract/values.ts'
import { emulatorFetch, getJson, patchJson, postJson } from './client.ts'

export type RowsOrder = NonNullable<RowsRequest['order']>[number]
export type { RowFilter }

/** `project` is a slug in all of these. */
export function useTables(project: string): UseQueryResult<TableList> {
  return useQuery({
    queryKey: ['tables', project],
    queryFn: ({ signal }) => getJson<TableList>(`${projectPath(project)}/tables`, { signal }),
  })
}

/** Idle while no table is chosen. */
export function useTableStructure(
  project: string,
  table: string | undefined,
): UseQueryResult<TableStructure> {
  return useQuery({
    queryKey: ['tables', project, table],
    enabled: table !== undefined,
    queryFn: ({ signal }) => getJson<TableStructure>(tablePath(project, table ?? ''), { signal }),
  })
}

/** The rows on the screen stay until others have come. */
export function useRows(
  project: string,
  table: string,
  request: RowsRequest,
  isEnabled: boolean,
): UseQueryResult<RowsPage> {
  return useQuery({
    queryKey: ['rows', project, table, request],
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      postJson<RowsPage>(`${tablePath(project, table)}/rows`, request, { signal }),
  })
}

/** All of them or none. @throws {ApiError} */
export function editRows(project: string, table: string, edits: RowEdits): Promise<RowEditsAnswer> {
  return patchJson<RowEditsAnswer>(`${tablePath(project, table)}/rows`, edits)
}

/** @throws {ApiError} */
export async function importRows(
  project: string,
  table: string,
  format: 'csv' | 'json',
  file: string,
): Promise<RowEditsAnswer> {
  const response = await emulatorFetch(`${tablePath(project, table)}/import?format=${format}`, {
    method: 'POST',
    headers: { 'content-type': format === 'csv' ? 'text/csv' : 'application/json' },
    body: file,
  })
  return (await response.json()) as RowEditsAnswer
}

/** Every row as a file. @throws {ApiError} */
export async function exportRows(
  project: string,
  table: string,
  format: 'csv' | 'json',
): Promise<Blob> {
  const response = await emulatorFetch(`${tablePath(project, table)}/export?format=${format}`)
  return response.blob()
}

function projectPath(project: string): string {
  return `/projects/${encodeURIComponent(project)}`
}

function tablePath(project: string, table: string): string {
  return `${projectPath(project)}/tables/${encodeURIComponent(table)}`
}
