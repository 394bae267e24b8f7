// Measures the stages of one request for the header `Server-Timing`. Only requests with the header `x-tenantry-timing` have a
// stopwatch (docs/wire/README.md#timing).

export interface Stopwatch {
  /** Ends a stage, which began where the stage before it ended. */
  readonly lap: (stage: string) => void
  /** Adds a duration that is part of another stage. */
  readonly add: (part: string, millis: number) => void
  /** The value of `Server-Timing` (W3C, "Server Timing"), with `total` since the start. */
  header(): string
}

export const TIMING_HEADER = 'x-tenantry-timing'

/** A clock for durations, in wall-clock milliseconds with fractions. Its zero has no meaning. */
export type PreciseClock = () => number

export function startStopwatch(preciseNow: PreciseClock): Stopwatch {
  const started = preciseNow()
  const stages = new Map<string, number>()
  let last = started
  const add = (stage: string, millis: number): void => {
    stages.set(stage, (stages.get(stage) ?? 0) + millis)
  }
  return {
    add,
    lap: (stage) => {
      const now = preciseNow()
      add(stage, now - last)
      last = now
    },
    header: () =>
      [...stages, ['total', preciseNow() - started] as const]
        .map(([stage, millis]) => `${stage};dur=${millis.toFixed(3)}`)
        .join(', '),
  }
}
