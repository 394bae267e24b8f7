// Work that no request waits for: tasks of timers, event handlers, sweeps. No caller could catch what it throws, so a failure
// is reported instead: once when a series of failures begins, and once when the work succeeds again.
import { diskFailureOf } from './disk-failure.ts'
import type { BackgroundFailed, Observer } from './observation.ts'

export interface Background {
  /** Runs `work`; false when it failed. Never throws. */
  run(work: () => void): boolean
  /** The same for work that takes time. Never rejects. */
  runAsync(work: () => Promise<void>): Promise<boolean>
}

/** @param name what is done, as a verb and its object: "write the journal" */
export function createBackground(name: string, observe: Observer): Background {
  let failures = 0

  function succeeded(): true {
    if (failures > 0) observe({ kind: 'backgroundResumed', work: name, failures })
    failures = 0
    return true
  }
  function failed(error: unknown): false {
    failures += 1
    if (failures > 1) return false
    observe({ kind: 'backgroundFailed', work: name, error: diskFailureOf(error) ?? error })
    return false
  }
  return {
    run: (work) => {
      try {
        work()
      } catch (error) {
        return failed(error)
      }
      return succeeded()
    },
    runAsync: (work) => work().then(succeeded, failed),
  }
}

/** The report as one sentence for people. */
export function backgroundSentence({ work, error }: BackgroundFailed): string {
  const reason = error instanceof Error ? error.message : String(error)
  return `could not ${work}: ${reason} It will be tried again; further failures are not reported.`
}
