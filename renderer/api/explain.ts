// Why rows are shown, hidden, accepted or refused; and who can be looked through.
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
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
import { getJson, postJson } from './client.ts'

/** Idle while there is nothing to ask; what is on the screen stays until the next answer. */
export function useExplanation(
  project: string,
  request: ExplainRequest | undefined,
): UseQueryResult<Explanation> {
  return useQuery({
    queryKey: ['explain', project, 'rows', request],
    enabled: request !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => postJson<Explanation>(`${explainPath(project)}`, request, { signal }),
  })
}

/** The X-ray of one row: never another row's while it loads. */
export function useXRay(
  project: string,
  request: ExplainRequest | undefined,
): UseQueryResult<Explanation> {
  return useQuery({
    queryKey: ['explain', project, 'x-ray', request],
    enabled: request !== undefined,
    queryFn: ({ signal }) => postJson<Explanation>(`${explainPath(project)}`, request, { signal }),
  })
}

/** Rows × identities; idle while there is nothing to ask. */
export function useVerdictMatrix(
  project: string,
  request: MatrixRequest | undefined,
): UseQueryResult<VerdictMatrix> {
  return useQuery({
    queryKey: ['explain', project, 'matrix', request],
    enabled: request !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      postJson<VerdictMatrix>(`${explainPath(project)}/matrix`, request, { signal }),
  })
}

/** Changes that reverse one row's verdict. */
export function useSuggestedFixes(
  project: string,
  request: SuggestedFixesRequest | undefined,
): UseQueryResult<SuggestedFixes> {
  return useQuery({
    queryKey: ['explain', project, 'suggested-fixes', request],
    enabled: request !== undefined,
    queryFn: ({ signal }) =>
      postJson<SuggestedFixes>(`${explainPath(project)}/suggested-fixes`, request, { signal }),
  })
}

/** Every table's policies, grants and warnings. */
export function usePolicies(project: string): UseQueryResult<PolicyOverview> {
  return useQuery({
    queryKey: ['explain', project, 'policies'],
    queryFn: ({ signal }) =>
      getJson<PolicyOverview>(`/projects/${encodeURIComponent(project)}/policies`, { signal }),
  })
}

/** Anon, service and the project's people; idle while no project is chosen. */
export function useIdentities(project: string): UseQueryResult<IdentityChoices> {
  return useQuery({
    queryKey: ['identities', project],
    enabled: project !== '',
    staleTime: 10_000,
    queryFn: ({ signal }) =>
      getJson<IdentityChoices>(`/projects/${encodeURIComponent(project)}/identities`, { signal }),
  })
}

function explainPath(project: string): string {
  return `/projects/${encodeURIComponent(project)}/explain`
}
