// The SQL console's way to the emulator: running SQL as anyone of a project, and the names its editor offers.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { SqlAnswer, SqlCompletions, SqlRequest } from '../../emulator/contract/sql-console.ts'
import { call } from './client.ts'

/** What Postgres refuses is in the answer. Aborting cancels the statement. @throws {ApiError} */
export function runSql(
  project: string,
  request: SqlRequest,
  signal: AbortSignal,
): Promise<SqlAnswer> {
  return call('POST /projects/:ref/sql', { params: { ref: project }, body: request, signal })
}

/** Tables, columns and functions; read again when the structure changed. */
export function useCompletions(project: string): UseQueryResult<SqlCompletions> {
  return useQuery({
    queryKey: ['tables', project, 'completions'],
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      call('GET /projects/:ref/completions', { params: { ref: project }, signal }),
  })
}
