// Problems, health and totals of the home screen.
import type { UseQueryResult } from '@tanstack/react-query'
import type { Home } from '../../emulator/contract/home.ts'
import { useOperation } from './use-operation.ts'

/**
 * The interval between reloads, in wall-clock milliseconds. The screen polls instead of receiving every request, so that an
 * application under load does not wait for an open page.
 */
const RENEW_MILLIS = 5_000

export function useHome(): UseQueryResult<Home> {
  return useOperation('GET /home', ['home'], {}, { refetchInterval: RENEW_MILLIS })
}
