// Queries of the SQL console: runs SQL as an identity of a project, and loads names for completion.
import type { UseQueryResult } from '@tanstack/react-query'
import type {
  AdviceAnswer,
  AdviceRequest,
  PlanAnswer,
  PlanRequest,
} from '../../emulator/contract/query-plans.ts'
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

/** Wall-clock milliseconds in which a measured plan or advice is shown again without a new measurement. */
export const MEASURED_MILLIS = 60_000

/** Finds and tries advice on one statement. The answer contains Postgres errors. */
export function usePlanAdvice(
  project: string,
  request: AdviceRequest,
): UseQueryResult<AdviceAnswer> {
  return useOperation(
    'POST /projects/:ref/sql/advice',
    ['tables', project, 'advice', request],
    { params: { ref: project }, body: request },
    { staleTime: MEASURED_MILLIS },
  )
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
