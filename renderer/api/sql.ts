// Queries of the SQL console: runs SQL as an identity of a project, and loads names for completion.
import type { UseQueryResult } from '@tanstack/react-query'
import type { PlanAnswer, PlanRequest } from '../../emulator/contract/query-plans.ts'
import type { SqlAnswer, SqlCompletions, SqlRequest } from '../../emulator/contract/sql-console.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

/** Runs SQL. The answer contains Postgres errors. Aborting the request cancels the statement. @throws {ApiError} */
export function runSql(
  project: string,
  request: SqlRequest,
  signal: AbortSignal,
): Promise<SqlAnswer> {
  return call('POST /projects/:ref/sql', { params: { ref: project }, body: request, signal })
}

/** Explains one statement. The answer contains Postgres errors. Aborting the request cancels the statement. @throws {ApiError} */
export function explainSql(
  project: string,
  request: PlanRequest,
  signal: AbortSignal,
): Promise<PlanAnswer> {
  return call('POST /projects/:ref/sql/plan', { params: { ref: project }, body: request, signal })
}

/** Loads the names of tables, columns and functions. The query reloads when the database structure changes. */
export function useCompletions(project: string): UseQueryResult<SqlCompletions> {
  return useOperation(
    'GET /projects/:ref/completions',
    ['tables', project, 'completions'],
    { params: { ref: project } },
    { staleTime: 30_000 },
  )
}
