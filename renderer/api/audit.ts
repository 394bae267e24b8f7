// Queries of the audit screen: what every identity sees of a tenant, and whether identities of one tenant reach another.
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Audit, CrossingReport } from '../../emulator/contract/audit.ts'
import type {
  ExposureComparison,
  ExposureContract,
} from '../../emulator/contract/exposure-contract.ts'
import { type PartialAudit, readParts } from './audit-parts.ts'
import { call, callWithFile } from './client.ts'
import { FRESH_MILLIS } from './query-client.ts'
import { useOperation } from './use-operation.ts'

/** Audits a project. The query has data as soon as the tables are known. An earlier audit stays until a new one is complete. */
export function useAudit(project: string): UseQueryResult<PartialAudit> {
  const client = useQueryClient()
  const queryKey = ['explain', project, 'audit'] as const
  return useQuery<PartialAudit>({
    queryKey,
    // When a user leaves the screen during an audit, the cache keeps only a part, which never becomes complete by itself. So a
    // part is always stale, and is loaded again when the screen opens.
    staleTime: ({ state }) => (state.data?.whole === undefined ? 0 : FRESH_MILLIS),
    queryFn: async ({ signal }) => {
      const inputs = { params: { ref: project } }
      const response = await callWithFile('POST /projects/:ref/audit/parts', inputs, { signal })
      return readParts(response, (audit) => {
        if (client.getQueryData<PartialAudit>(queryKey)?.whole === undefined)
          client.setQueryData(queryKey, audit)
      })
    },
  })
}

/**
 * Audits `others` one after the other, because each audit keeps the engine busy. When the audit of `project` is repeated, these
 * audits are repeated, too.
 */
export function useOtherAudits(
  project: string,
  others: readonly string[],
): UseQueryResult<readonly Audit[]> {
  return useQuery({
    queryKey: ['explain', project, 'audit', 'others', ...others],
    queryFn: async ({ signal }) => {
      const audits: Audit[] = []
      for (const ref of others)
        audits.push(await call('POST /projects/:ref/audit', { params: { ref }, signal }))
      return audits
    },
  })
}

/** Returns a function that repeats the audit. */
export function useAuditAgain(project: string): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: ['explain', project, 'audit'] })
}

/** Returns the contract of what anon and a new user reach, as the file that `tenantry audit` writes. @throws {ApiError} */
export async function loadContract(project: string): Promise<Blob> {
  const contract = await call('GET /projects/:ref/audit/contract', { params: { ref: project } })
  return new Blob([`${JSON.stringify(contract, null, 2)}\n`], { type: 'application/json' })
}

/** Compares what anon and a new user reach with the contract in a file. */
export function useCheckContract(
  project: string,
): UseMutationResult<ExposureComparison, Error, File> {
  return useMutation({
    mutationFn: async (file) =>
      call('POST /projects/:ref/audit/contract', {
        params: { ref: project },
        body: contractIn(await file.text(), file.name),
      }),
  })
}

// The emulator checks the content, and says what is wrong with it.
function contractIn(text: string, name: string): ExposureContract {
  try {
    return JSON.parse(text) as ExposureContract
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`${name} is not JSON.`)
    throw error
  }
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
