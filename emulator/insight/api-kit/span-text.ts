// Durations in words, for sentences of explanations. Pure.
import { DAY_MILLIS, HOUR_MILLIS, MINUTE_MILLIS, SECOND_MILLIS } from '../../core/time.ts'

const UNITS: readonly (readonly [millis: number, name: string])[] = [
  [DAY_MILLIS, 'day'],
  [HOUR_MILLIS, 'hour'],
  [MINUTE_MILLIS, 'minute'],
  [SECOND_MILLIS, 'second'],
]

/**
 * Formats a duration in its largest unit. Rounds to the nearest minute first, so that a token that was just issued for one hour
 * shows 1 hour, not 59 minutes. @param exact milliseconds
 */
export function spanText(exact: number): string {
  const nearest = exact < MINUTE_MILLIS ? SECOND_MILLIS : MINUTE_MILLIS
  const millis = Math.round(exact / nearest) * nearest
  const [size, name] = UNITS.find(([unit]) => millis >= unit) ?? [SECOND_MILLIS, 'second']
  const count = Math.floor(millis / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
