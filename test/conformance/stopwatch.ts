// How long the stages of a request took, as the header says it (PostgREST, "Server-Timing Header").
import type { Stage } from '../../emulator/services/data/request/api-request.ts'

export interface Stopwatch {
  /** Ends a stage, which began where the one before it ended. */
  readonly lap: (stage: 'jwt' | Stage) => void
  /** Every stage in milliseconds, also one that a request had no need of. */
  header(): string
}

export function startStopwatch(): Stopwatch {
  const stages = { jwt: 0, parse: 0, plan: 0, transaction: 0, response: 0 }
  let last = performance.now()
  return {
    lap: (stage) => {
      const now = performance.now()
      stages[stage] = now - last
      last = now
    },
    header: () =>
      Object.entries(stages)
        .map(([stage, millis]) => `${stage};dur=${millis.toFixed(1)}`)
        .join(', '),
  }
}
