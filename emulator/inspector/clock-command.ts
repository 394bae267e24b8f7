// Reading and moving platform time over /_emulator/v1/clock.
import { z } from 'zod'
import type { ClockState } from '../contract/clock.ts'
import type { Clock } from '../core/clock.ts'
import type { PlatformClock } from '../core/platform-clock.ts'
import { toIso } from '../core/time.ts'
import { instant } from './decode.ts'

/** Ten thousand years: beyond it ISO 8601 and Postgres part ways. */
const MAX_STEP_MILLIS = 10_000 * 366 * 86_400_000

export const clockCommandSchema = z.union([
  z.strictObject({ advance_ms: z.number().min(-MAX_STEP_MILLIS).max(MAX_STEP_MILLIS) }),
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

/** Moves the clock as told. */
export function moveClock(
  clock: PlatformClock,
  command: z.output<typeof clockCommandSchema>,
): void {
  if ('advance_ms' in command) clock.advance(command.advance_ms)
  else if ('set' in command) clock.set(command.set)
  else if ('freeze' in command) clock.freeze(command.freeze === true ? clock.now() : command.freeze)
  else if ('resume' in command) clock.resume()
  else clock.reset()
}
