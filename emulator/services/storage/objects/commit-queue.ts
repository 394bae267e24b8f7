// Commits the records of all requests that finish at the same time with one disk flush. Without the commit queue, each upload
// would wait for its own flush.
import type { SystemDb } from '../../../database/system-db/system-db.ts'

/**
 * Runs `work` in a transaction shared with other requests, and resolves when the transaction is durable. Only the promise of
 * this `work` rejects when `work` throws, and the earlier writes of `work` are committed. Therefore `work` must check first and
 * write last.
 */
export type CommitQueue = <Result>(work: () => Result) => Promise<Result>

interface Waiting {
  /**
   * Runs the work. The returned function settles the caller's promise. The queue calls that function when the transaction is
   * durable.
   */
  readonly run: () => () => void
  readonly reject: (error: unknown) => void
}

/** Batches all work submitted in one turn of the event loop. */
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
