// Reading and moving platform time over /_emulator/v1/clock.
import { z } from 'zod'
import { instant } from '../api-kit/decode.ts'
import { InspectorError } from '../api-kit/errors.ts'
import type { ClockState } from '../contract/clock.ts'
import type { Clock } from '../core/clock.ts'
import { ClockRangeError, type PlatformClock } from '../core/platform-clock.ts'
import { toIso } from '../core/time.ts'

export const clockCommandSchema = z.union([
  z.strictObject({ advance_ms: z.number() }),
  z.strictObject({ set: instant }),
  z.strictObject({ freeze: z.union([z.literal(true), instant]) }),
  z.strictObject({ resume: z.literal(true) }),
  z.strictObject({ reset: z.literal(true) }),
])

export function clockState(clock: PlatformClock, wallClock: Clock): ClockState {
  return {
    now: toIso(clock.now()),
    frozen: clock.time.kind === 'frozen',
    offset_ms: clock.now() - wallClock.now(),
  }
}

/** Moves the clock as told. @throws {InspectorError} `invalid_request` when that is out of range */
export function moveClock(
  clock: PlatformClock,
  command: z.output<typeof clockCommandSchema>,
): void {
  try {
    move(clock, command)
  } catch (error) {
    if (!(error instanceof ClockRangeError)) throw error
    const { message, hint = '' } = error
    throw new InspectorError('invalid_request', message, { hint, cause: error })
  }
}

function move(clock: PlatformClock, command: z.output<typeof clockCommandSchema>): void {
  if ('advance_ms' in command) clock.advance(command.advance_ms)
  else if ('set' in command) clock.set(command.set)
  else if ('freeze' in command) clock.freeze(command.freeze === true ? clock.now() : command.freeze)
  else if ('resume' in command) clock.resume()
  else clock.reset()
}
