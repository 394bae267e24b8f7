// A clock for conformance runs through a proxy that drops or changes frames.
import { type Cancel, type Clock, SystemClock } from '../../emulator/core/clock.ts'
import type { EpochMillis } from '../../emulator/core/time.ts'
import { patiently } from './patience.ts'

const SYSTEM = new SystemClock()

/**
 * Shortens the 5 s that a check waits for a frame, after the proxy has changed a frame. Otherwise a check waits the full time.
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

  /** Call this function after the proxy has changed a frame. */
  begin(): void {
    this.#isOn = true
    for (const again of this.#waits) again()
  }

  /** Call this function before the next check. */
  end(): void {
    this.#isOn = false
  }
}
