// Loads the fault catalogue; arms and disarms faults.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  ArmedFault,
  FaultCatalogue,
  FaultList,
  FaultOrder,
} from '../../emulator/contract/faults.ts'
import { call } from './client.ts'

export function useFaults(): UseQueryResult<FaultList> {
  return useQuery({
    queryKey: ['faults', 'armed'],
    queryFn: ({ signal }) => call('GET /faults', { signal }),
  })
}

/** Loads every error that the platform documents, and the operations in which a fault can produce it. */
export function useFaultCatalogue(): UseQueryResult<FaultCatalogue> {
  return useQuery({
    queryKey: ['fault-catalogue'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => call('GET /faults/catalogue', { signal }),
  })
}

/** @throws {ApiError} */
export function armFault(order: FaultOrder): Promise<ArmedFault> {
  return call('POST /faults', { body: order })
}

/** Disarms one fault, or all faults when `id` is undefined. @throws {ApiError} */
export async function disarmFaults(id: string | undefined): Promise<void> {
  if (id === undefined) await call('DELETE /faults')
  else await call('DELETE /faults/:id', { params: { id } })
}
