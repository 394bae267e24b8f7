// Moves the platform clock of an emulator in another process.
import type { ClockCommand, ClockState } from '../../contract/clock.ts'
import { callEmulator, type Platform } from './platform.ts'

/** Platform time, which decides every expiry. All tenants of the emulator share it. */
export interface TestClock {
  /** The current instant of platform time, in ISO 8601. */
  now(): Promise<string>
  /** Moves platform time by milliseconds; a negative number moves it back. A frozen clock stays frozen. */
  advance(millis: number): Promise<void>
  /** Sets the current instant, given in ISO 8601. A running clock continues from that instant. */
  set(instant: string): Promise<void>
  /** Freezes at the current instant, or at `instant`. */
  freeze(instant?: string): Promise<void>
  /** Lets a frozen clock run again from the instant at which it was frozen. */
  resume(): Promise<void>
  /** Sets platform time back to the machine's time. */
  reset(): Promise<void>
}

/** A clock that knows whether it was used. */
export interface OwnClock extends TestClock {
  /** Resets platform time, if this clock moved or froze it. */
  restore(): Promise<void>
}

export function createTestClock(platform: Platform): OwnClock {
  let isMoved = false
  const command = async (body: ClockCommand): Promise<void> => {
    isMoved = !('reset' in body)
    await callEmulator<ClockState>(platform, 'POST', '/clock', body)
  }
  const reset = (): Promise<void> => command({ reset: true })
  return {
    now: async () => (await callEmulator<ClockState>(platform, 'GET', '/clock')).now,
    advance: (millis) => command({ advance_ms: millis }),
    set: (instant) => command({ set: instant }),
    freeze: (instant) => command({ freeze: instant ?? true }),
    resume: () => command({ resume: true }),
    reset,
    restore: async () => {
      if (isMoved) await reset()
    },
  }
}
