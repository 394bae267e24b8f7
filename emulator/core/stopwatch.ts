// Measures the stages of one request, for the header `Server-Timing` and for the inspector. A request has a stopwatch when it has
// the header `x-tenantry-timing` (docs/wire/README.md#timing), or while an inspector is open.

/** A named duration in wall-clock milliseconds with fractions. */
export interface StagePart {
  readonly name: string
  readonly millis: number
}

export interface Stage extends StagePart {
  /** Durations that are part of this stage. */
  readonly parts: readonly StagePart[]
}

export interface Stopwatch {
  /** Ends a stage, which began where the stage before it ended. */
  readonly lap: (stage: string) => void
  /** Adds a duration that is part of the stage that ends next. */
  readonly add: (part: string, millis: number) => void
  /** The stages so far, in the order of time. */
  readonly stages: readonly Stage[]
  /** The value of `Server-Timing` (W3C, "Server Timing"), with `total` since the start. */
  header(): string
}

export const TIMING_HEADER = 'x-tenantry-timing'

/** A clock for durations, in wall-clock milliseconds with fractions. Only the difference of two values has a meaning. */
export type PreciseClock = () => number

export function startStopwatch(preciseNow: PreciseClock): Stopwatch {
  const started = preciseNow()
  const stages: Stage[] = []
  let parts: StagePart[] = []
  let last = started
  return {
    stages,
    add: (name, millis) => {
      parts.push({ name, millis })
    },
    lap: (name) => {
      const now = preciseNow()
      stages.push({ name, millis: now - last, parts })
      parts = []
      last = now
    },
    header: () => {
      const total = { name: 'total', millis: preciseNow() - started }
      const named = [...stages.flatMap((stage) => [...stage.parts, stage]), total]
      return [...sums(named)].map(([name, millis]) => `${name};dur=${millis.toFixed(3)}`).join(', ')
    },
  }
}

function sums(named: readonly StagePart[]): ReadonlyMap<string, number> {
  const millisOf = new Map<string, number>()
  for (const { name, millis } of named) millisOf.set(name, (millisOf.get(name) ?? 0) + millis)
  return millisOf
}
