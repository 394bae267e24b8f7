// Moving platform time.
import type { ClockCommand, ClockState } from '../../emulator/contract/clock.ts'
import { postJson } from './client.ts'

/** @throws {ApiError} */
export function moveClock(command: ClockCommand): Promise<ClockState> {
  return postJson<ClockState>('/clock', command)
}
