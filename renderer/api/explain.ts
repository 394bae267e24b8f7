// Queries of the policy screens: why rows are visible, hidden, accepted or refused, and which identities the user can choose.
import { keepPreviousData, skipToken, type UseQueryResult } from '@tanstack/react-query'
import type {
  ExplainRequest,
  Explanation,
  MatrixRequest,
  PolicyOverview,
  VerdictMatrix,
} from '../../emulator/contract/explain.ts'
import type { IdentityChoices, IdentityReference } from '../../emulator/contract/identities.ts'
import type {
  DraftAnswer,
  DraftRequest,
  PolicyTemplates,
} from '../../emulator/contract/policy-drafts.ts'
import type { ReadableTables } from '../../emulator/contract/readable-tables.ts'
import type {
  FixEffect,
  FixEffectRequest,
  SuggestedFixes,
  SuggestedFixesRequest,
} from '../../emulator/contract/suggested-fixes.ts'
import { call } from './client.ts'
import { type Answered, useFirstThenAll } from './first-answer.ts'
import { useOperation } from './use-operation.ts'

/**
 * Loads the verdicts on rows: first on the first rows, then on all up to `limit`. The query loads nothing while `request` is
 * undefined. The previous answer stays while the next one loads.
 */
export function useExplanation(
  project: string,
  request: (ExplainRequest & { readonly limit: number }) | undefined,
): Answered<Explanation> {
  return useFirstThenAll(request?.limit ?? 0, request !== undefined, (limit) => {
    const body = request && { ...request, limit }
    return {
      queryKey: ['explain', project, 'rows', body],
      queryFn:
        body === undefined
          ? skipToken
          : ({ signal }) =>
              call('POST /projects/:ref/explain', { params: { ref: project }, body, signal }),
    }
  })
}

/** Loads the X-ray of one row. The query has no answer while the X-ray of another row loads. */
export function useXRay(
  project: string,
  request: ExplainRequest | undefined,
): UseQueryResult<Explanation> {
  return useOperation(
    'POST /projects/:ref/explain',
    ['explain', project, 'x-ray', request],
    request && { params: { ref: project }, body: request },
  )
}

/** Loads the verdicts of several identities on each row. The query loads nothing while `request` is undefined. */
export function useVerdictMatrix(
  project: string,
  request: MatrixRequest | undefined,
): UseQueryResult<VerdictMatrix> {
  return useOperation(
    'POST /projects/:ref/explain/matrix',
    ['explain', project, 'matrix', request],
    request && { params: { ref: project }, body: request },
    { placeholderData: keepPreviousData },
  )
}

/** Judges rows with the owner's statements and without them. The query keeps the previous answer while the next one loads. */
export function useDraftMatrix(
  project: string,
  request: DraftRequest | undefined,
): UseQueryResult<DraftAnswer> {
  return useOperation(
    'POST /projects/:ref/explain/draft',
    ['explain', project, 'draft', request],
    request && { params: { ref: project }, body: request },
    { placeholderData: keepPreviousData },
  )
}

/** Loads policies that fit a table, as starting points for a draft. */
export function usePolicyTemplates(
  project: string,
  table: string,
): UseQueryResult<PolicyTemplates> {
  return useOperation(
    'GET /projects/:ref/policies/:table/templates',
    ['explain', project, 'templates', table],
    { params: { ref: project, table } },
  )
}

/** Loads changes that would reverse one row's verdict. */
export function useSuggestedFixes(
  project: string,
  request: SuggestedFixesRequest | undefined,
): UseQueryResult<SuggestedFixes> {
  return useOperation(
    'POST /projects/:ref/explain/suggested-fixes',
    ['explain', project, 'suggested-fixes', request],
    request && { params: { ref: project }, body: request },
  )
}

/** Counts the rows of every table that an identity can read. The query loads nothing while `identity` is undefined. */
export function useReadableTables(
  project: string,
  identity: IdentityReference | undefined,
): UseQueryResult<ReadableTables> {
  return useOperation(
    'POST /projects/:ref/explain/tables',
    ['explain', project, 'tables', identity],
    identity && { params: { ref: project }, body: { identity } },
  )
}

/** Measures which rows statements of the owner would open and hide. The query loads nothing while `request` is undefined. */
export function useFixEffect(
  project: string,
  request: FixEffectRequest | undefined,
): UseQueryResult<FixEffect> {
  return useOperation(
    'POST /projects/:ref/explain/fix-effect',
    ['explain', project, 'fix-effect', request],
    request && { params: { ref: project }, body: request },
  )
}

/** Loads the policies, grants and warnings of every table. */
export function usePolicies(project: string): UseQueryResult<PolicyOverview> {
  return useOperation('GET /projects/:ref/policies', ['explain', project, 'policies'], {
    params: { ref: project },
  })
}

/**
 * Loads the identities of a project: anon, service_role and its users. The query loads nothing while no project is
 * chosen.
 */
export function useIdentities(project: string): UseQueryResult<IdentityChoices> {
  return useOperation(
    'GET /projects/:ref/identities',
    ['identities', project],
    { params: { ref: project } },
    { enabled: project !== '', staleTime: 10_000 },
  )
}
