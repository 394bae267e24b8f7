// Changes platform time, and loads what expires next.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  ClockCommand,
  ClockState,
  ExpiryList,
  ExpiryReceipt,
} from '../../emulator/contract/clock.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

const RENEW_MILLIS = 5_000

/** Loads the next expiries again every five seconds and after each move of the clock. */
export function useExpiries(): UseQueryResult<ExpiryList> {
  return useOperation('GET /clock/expiries', ['expiries'], {}, { refetchInterval: RENEW_MILLIS })
}

/** Loads what expired when the clock was last moved forward, and again after each move. */
export function useExpiryReceipt(): UseQueryResult<ExpiryReceipt | null> {
  return useQuery({
    queryKey: ['expiries', 'receipt'],
    queryFn: async ({ signal }) => (await call('GET /clock/receipt', { signal })) ?? null,
  })
}

/** @throws {ApiError} */
export function moveClock(command: ClockCommand): Promise<ClockState> {
  return call('POST /clock', { body: command })
}
