// Measures the stages of a request for the Server-Timing header (PostgREST, "Server-Timing Header").
import type { Stage } from '../../emulator/services/data/request/api-request.ts'

export interface Stopwatch {
  /** Ends a stage. The stage began at the end of the stage before. */
  readonly lap: (stage: 'jwt' | Stage) => void
  /** The header's value: every stage in milliseconds, including stages that the request did not use. */
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
