// Loads the fault catalogue; arms and disarms faults.
import type { UseQueryResult } from '@tanstack/react-query'
import type {
  ArmedFault,
  FaultCatalogue,
  FaultList,
  FaultOrder,
} from '../../emulator/contract/faults.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

export function useFaults(): UseQueryResult<FaultList> {
  return useOperation('GET /faults', ['faults', 'armed'], {})
}

/** Loads every error that the platform documents, and the operations in which a fault can produce it. */
export function useFaultCatalogue(): UseQueryResult<FaultCatalogue> {
  return useOperation(
    'GET /faults/catalogue',
    ['fault-catalogue'],
    {},
    { staleTime: Number.POSITIVE_INFINITY },
  )
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
