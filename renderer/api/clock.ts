// Changes platform time, and loads what expires next.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ClockCommand, ClockState, ExpiryList } from '../../emulator/contract/clock.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

const RENEW_MILLIS = 5_000

/** Loads the next expiries again every five seconds and after each move of the clock. */
export function useExpiries(): UseQueryResult<ExpiryList> {
  return useOperation('GET /clock/expiries', ['expiries'], {}, { refetchInterval: RENEW_MILLIS })
}

/** @throws {ApiError} */
export function moveClock(command: ClockCommand): Promise<ClockState> {
  return call('POST /clock', { body: command })
}
