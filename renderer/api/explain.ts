// Queries of the policy screens: why rows are visible, hidden, accepted or refused, and which identities the user can choose.
import { keepPreviousData, skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  ExplainRequest,
  Explanation,
  MatrixRequest,
  PolicyOverview,
  SuggestedFixes,
  SuggestedFixesRequest,
  VerdictMatrix,
} from '../../emulator/contract/explain.ts'
import type { IdentityChoices } from '../../emulator/contract/identities.ts'
import { call } from './client.ts'

/**
 * The query loads nothing while `request` is undefined. The query keeps the previous answer while the next one loads.
 */
export function useExplanation(
  project: string,
  request: ExplainRequest | undefined,
): UseQueryResult<Explanation> {
  return useQuery({
    queryKey: ['explain', project, 'rows', request],
    placeholderData: keepPreviousData,
    queryFn: explaining(project, request),
  })
}

/** Loads the X-ray of one row. The query has no answer while the X-ray of another row loads. */
export function useXRay(
  project: string,
  request: ExplainRequest | undefined,
): UseQueryResult<Explanation> {
  return useQuery({
    queryKey: ['explain', project, 'x-ray', request],
    queryFn: explaining(project, request),
  })
}

/** Loads the verdicts of several identities on each row. The query loads nothing while `request` is undefined. */
export function useVerdictMatrix(
  project: string,
  request: MatrixRequest | undefined,
): UseQueryResult<VerdictMatrix> {
  return useQuery({
    queryKey: ['explain', project, 'matrix', request],
    placeholderData: keepPreviousData,
    queryFn:
      request === undefined
        ? skipToken
        : ({ signal }) =>
            call('POST /projects/:ref/explain/matrix', {
              params: { ref: project },
              body: request,
              signal,
            }),
  })
}

/** Loads changes that would reverse one row's verdict. */
export function useSuggestedFixes(
  project: string,
  request: SuggestedFixesRequest | undefined,
): UseQueryResult<SuggestedFixes> {
  return useQuery({
    queryKey: ['explain', project, 'suggested-fixes', request],
    queryFn:
      request === undefined
        ? skipToken
        : ({ signal }) =>
            call('POST /projects/:ref/explain/suggested-fixes', {
              params: { ref: project },
              body: request,
              signal,
            }),
  })
}

/** Loads the policies, grants and warnings of every table. */
export function usePolicies(project: string): UseQueryResult<PolicyOverview> {
  return useQuery({
    queryKey: ['explain', project, 'policies'],
    queryFn: ({ signal }) =>
      call('GET /projects/:ref/policies', { params: { ref: project }, signal }),
  })
}

/**
 * Loads the identities of a project: anon, service_role and its users. The query loads nothing while no project is
 * chosen.
 */
export function useIdentities(project: string): UseQueryResult<IdentityChoices> {
  return useQuery({
    queryKey: ['identities', project],
    enabled: project !== '',
    staleTime: 10_000,
    queryFn: ({ signal }) =>
      call('GET /projects/:ref/identities', { params: { ref: project }, signal }),
  })
}

function explaining(project: string, request: ExplainRequest | undefined) {
  if (request === undefined) return skipToken
  return ({ signal }: { readonly signal: AbortSignal }) =>
    call('POST /projects/:ref/explain', { params: { ref: project }, body: request, signal })
}
