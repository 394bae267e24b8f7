// Runs jobs of the stock while the engine has no other work. The jobs are short, because a request that arrives during one waits
// for its end.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { Engine } from '../../engine.ts'

/** Wall milliseconds without other work after which the engine counts as unused. */
const QUIET_MILLIS = 250

/** The emulator is closing, so no further job runs. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

export interface IdleJobsDeps {
  readonly engine: Pick<Engine, 'stats'>
  readonly wallClock: Clock
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal
}

export class IdleJobs {
  readonly #deps: IdleJobsDeps
  /** The number of the engine's jobs after the last job of the stock, or at the last check. */
  #seen = -1

  constructor(deps: IdleJobsDeps) {
    this.#deps = deps
  }

  /**
   * Runs one job. Waits until no other work has arrived for QUIET_MILLIS; consecutive jobs follow each other directly.
   * @param job must submit exactly one job to the engine before it awaits
   * @throws {Stopped}
   */
  async run<Result>(job: () => Promise<Result>): Promise<Result> {
    const { engine } = this.#deps
    while (!this.#isUnused()) {
      this.#seen = engine.stats().submitted
      await this.#pause()
    }
    const running = job()
    this.#seen = engine.stats().submitted
    return await running
  }

  #isUnused(): boolean {
    const { isIdle, submitted } = this.#deps.engine.stats()
    return isIdle && submitted === this.#seen
  }

  #pause(): Promise<void> {
    const { closing, wallClock } = this.#deps
    return new Promise((resolve, reject) => {
      let cancel: Cancel = () => {}
      const stop = (): void => {
        cancel()
        reject(new Stopped('the emulator is closing'))
      }
      if (closing.aborted) {
        stop()
        return
      }
      closing.addEventListener('abort', stop, { once: true })
      cancel = wallClock.after(QUIET_MILLIS, () => {
        closing.removeEventListener('abort', stop)
        resolve()
      })
    })
  }
}
