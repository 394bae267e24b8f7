// Converts between positions on the timeline and durations. The scale is logarithmic, because codes expire after minutes and
// sessions after hours. Pure.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The end of the timeline. */
export const HORIZON_MILLIS: number = 30 * DAY
/** Number of positions on the timeline. */
export const POSITIONS = 1_000

const RANGE = Math.log1p(HORIZON_MILLIS / MINUTE)

/** Returns the position of a duration from 0 to `POSITIONS`. */
export function positionOf(millis: number): number {
  const share = Math.log1p(Math.max(0, millis) / MINUTE) / RANGE
  return Math.min(POSITIONS, share * POSITIONS)
}

/** Returns the duration at a position. Rounds it to the unit that is usual for durations of this size. */
export function millisAt(position: number): number {
  const millis = Math.expm1((position / POSITIONS) * RANGE) * MINUTE
  const unit = millis < HOUR ? 1_000 : millis < DAY ? MINUTE : HOUR
  return Math.round(millis / unit) * unit
}

export const TICKS: readonly (readonly [label: string, millis: number])[] = [
  ['1 min', MINUTE],
  ['10 min', 10 * MINUTE],
  ['1 h', HOUR],
  ['12 h', 12 * HOUR],
  ['1 d', DAY],
  ['7 d', 7 * DAY],
  ['30 d', 30 * DAY],
]
