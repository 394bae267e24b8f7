// Queries of the audit screen: what every identity sees of a tenant, and whether identities of one tenant reach another.
import type { UseQueryResult } from '@tanstack/react-query'
import type { Audit, CrossingReport } from '../../emulator/contract/audit.ts'
import { useOperation } from './use-operation.ts'

export function useAudit(project: string): UseQueryResult<Audit> {
  return useOperation('POST /projects/:ref/audit', ['explain', project, 'audit'], {
    params: { ref: project },
  })
}

/** Asks for the data of `other` as the identities of `project`. The query loads nothing while `other` is undefined. */
export function useCrossings(
  project: string,
  other: string | undefined,
): UseQueryResult<CrossingReport> {
  return useOperation(
    'POST /projects/:ref/audit/crossings',
    ['explain', project, 'crossings', other],
    other === undefined ? undefined : { params: { ref: project }, body: { other } },
  )
}
