// Changes platform time.
import type { ClockCommand, ClockState } from '../../emulator/contract/clock.ts'
import { call } from './client.ts'

/** @throws {ApiError} */
export function moveClock(command: ClockCommand): Promise<ClockState> {
  return call('POST /clock', { body: command })
}
