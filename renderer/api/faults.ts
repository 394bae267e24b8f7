// Faults: the catalogue, and what is armed.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  ArmedFault,
  FaultCatalogue,
  FaultList,
  FaultOrder,
} from '../../emulator/contract/faults.ts'
import { deleteJson, getJson, postJson } from './client.ts'

export function useFaults(): UseQueryResult<FaultList> {
  return useQuery({
    queryKey: ['faults', 'armed'],
    queryFn: ({ signal }) => getJson<FaultList>('/faults', { signal }),
  })
}

/** Every error the platform documents, and where it can be produced. */
export function useFaultCatalogue(): UseQueryResult<FaultCatalogue> {
  return useQuery({
    queryKey: ['fault-catalogue'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => getJson<FaultCatalogue>('/faults/catalogue', { signal }),
  })
}

/** @throws {ApiError} */
export function armFault(order: FaultOrder): Promise<ArmedFault> {
  return postJson<ArmedFault>('/faults', order)
}

/** One, or all of them. @throws {ApiError} */
export function disarmFaults(id: string | undefined): Promise<void> {
  return deleteJson(id === undefined ? '/faults' : `/faults/${encodeURIComponent(id)}`)
}
