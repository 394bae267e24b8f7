// One disk flush for the records of all requests that finish at the same time. Without it each upload would wait for a
// flush of its own, one after the other.
import type { SystemDb } from '../../database/system-db/system-db.ts'

/**
 * Runs `work` in a transaction shared with others and resolves when it is durable. `work` that throws rejects alone, and
 * what it wrote before is kept: refuse first, write last.
 */
export type CommitQueue = <Result>(work: () => Result) => Promise<Result>

interface Waiting {
  /** Does the work; gives the function that settles its caller, to be called when everything is durable. */
  readonly run: () => () => void
  readonly reject: (error: unknown) => void
}

/** Collects the work of one turn of the event loop. */
export function createCommitQueue(db: SystemDb): CommitQueue {
  let waiting: Waiting[] = []

  function flush(): void {
    const batch = waiting
    waiting = []
    try {
      const settlements = db.transaction(() => batch.map(({ run }) => run()))
      for (const settle of settlements) settle()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      const run = (): (() => void) => {
        try {
          const result = work()
          return () => resolve(result)
        } catch (error) {
          return () => reject(error)
        }
      }
      waiting.push({ run, reject })
      if (waiting.length === 1) setImmediate(flush)
    })
}
