// A clock for runs of conformance whose proxy drops or alters frames.
import { type Cancel, type Clock, SystemClock } from '../../emulator/core/clock.ts'
import type { EpochMillis } from '../../emulator/core/time.ts'
import { patiently } from './patience.ts'

const SYSTEM = new SystemClock()

/**
 * Shortens the 5 s that a check waits for a frame, as soon as the proxy has altered one. What the proxy does not alter gets the
 * whole time.
 */
export class Impatience implements Clock {
  readonly #waits = new Set<() => void>()
  #isOn = false

  now(): EpochMillis {
    return SYSTEM.now()
  }

  after(millis: number, task: () => void): Cancel {
    if (millis !== 5_000) return SYSTEM.after(millis, task)
    const arm = (): Cancel => SYSTEM.after(this.#isOn ? patiently(200) : millis, task)
    let cancel = arm()
    const again = (): void => {
      cancel()
      cancel = arm()
    }
    this.#waits.add(again)
    return () => {
      this.#waits.delete(again)
      cancel()
    }
  }

  /** After the proxy altered a frame. */
  begin(): void {
    this.#isOn = true
    for (const again of this.#waits) again()
  }

  /** Before the next check. */
  end(): void {
    this.#isOn = false
  }
}
