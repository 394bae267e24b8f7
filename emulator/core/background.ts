// Runs background work: timer tasks, event handlers and sweeps. No caller can catch exceptions of this work, so this file reports
// them. Reports once when a task begins to fail, and once when the task succeeds again.
import { diskFailureOf } from './disk-failure.ts'
import type { BackgroundFailed, Observer } from './observation.ts'

export interface Background {
  /** Runs `work`; never throws. Returns false when the work failed. */
  run(work: () => void): boolean
  /** Runs asynchronous work in the same way as `run`. Never rejects. */
  runAsync(work: () => Promise<void>): Promise<boolean>
}

/** @param name the work as verb and object, e.g. "write the journal" */
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

/** Returns the report as one sentence. */
export function backgroundSentence({ work, error }: BackgroundFailed): string {
  const reason = error instanceof Error ? error.message : String(error)
  return `could not ${work}: ${reason} It will be tried again; further failures are not reported.`
}
