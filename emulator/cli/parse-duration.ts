// Parses durations such as `30d`, `1h30m`, `90s` and `-2w`.
import { DAY_MILLIS, HOUR_MILLIS, MINUTE_MILLIS, SECOND_MILLIS } from '../core/time.ts'

const UNITS: Readonly<Record<string, number>> = {
  w: 7 * DAY_MILLIS,
  d: DAY_MILLIS,
  h: HOUR_MILLIS,
  m: MINUTE_MILLIS,
  s: SECOND_MILLIS,
  ms: 1,
}
const WHOLE = /^-?(\d+(\.\d+)?(ms|[wdhms]))+$/
const PART = /(\d+(?:\.\d+)?)(ms|[wdhms])/g

/** Returns milliseconds, or `undefined` when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  if (!WHOLE.test(text)) return undefined
  let millis = 0
  for (const [, number, unit = ''] of text.matchAll(PART))
    millis += Number(number) * (UNITS[unit] ?? 0)
  return Math.round(text.startsWith('-') ? -millis : millis)
}
