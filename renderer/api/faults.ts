// Loads the fault catalogue; arms and disarms faults.
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import type {
  ArmedFault,
  FaultCatalogue,
  FaultHistory,
  FaultList,
  FaultOrder,
  FaultPreview,
} from '../../emulator/contract/faults.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

export function useFaults(): UseQueryResult<FaultList> {
  return useOperation('GET /faults', ['faults', 'armed'], {})
}

const FIRINGS_SHOWN = 200
const PREVIEW_MILLIS = 2_000

export function useFaultHistory(): UseQueryResult<FaultHistory> {
  return useOperation('GET /faults/history', ['faults', 'history'], {
    query: { limit: FIRINGS_SHOWN },
  })
}

/**
 * Loads the operations and recent requests that a fault would apply to. Loads them again every two seconds, because requests
 * arrive meanwhile. Keeps the previous answer while the next one loads.
 */
export function useFaultPreview(order: FaultOrder | undefined): UseQueryResult<FaultPreview> {
  return useOperation('POST /faults/preview', ['fault-preview', order], order && { body: order }, {
    gcTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: PREVIEW_MILLIS,
    retry: false,
  })
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
