// Parses numbers and durations in command-line options.
import { InvalidArgumentError } from 'commander'
import {
  DAY_MILLIS,
  HOUR_MILLIS,
  MINUTE_MILLIS,
  parseInstant,
  SECOND_MILLIS,
  toIso,
} from '../core/time.ts'

type ParseNumber = (text: string) => number

export const parsePort: ParseNumber = wholeNumber(0, 65_535)
export const parseCount: ParseNumber = wholeNumber(1, 1_000)
/** Parses the maximum number of rows per table for a remote rehearsal. */
export const parseRowLimit: ParseNumber = wholeNumber(1, 100_000)
/** Parses the number of users that an audit examines. */
export const parseUsers: ParseNumber = wholeNumber(0, 200)
/** Parses the limit of the database's memory. Returns megabytes. */
export const parseEngineMemory: ParseNumber = wholeNumber(256, 2_048, ' of megabytes')
/** Parses the space for the history of rows. Returns megabytes. */
export const parseHistorySize: ParseNumber = wholeNumber(2, 100_000, ' of megabytes')

const parseBodyMegabytes = wholeNumber(1, 256, ' of megabytes')

/** Returns bytes. */
export function parseMegabytes(text: string): number {
  return parseBodyMegabytes(text) * 1_048_576
}

function wholeNumber(from: number, to: number, what = ''): ParseNumber {
  return (text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= from && number <= to) return number
    throw new InvalidArgumentError(`Write a number${what} from ${from} to ${to}.`)
  }
}

/** Parses the address of a collector. The variable of the option may also turn it on or off: `1`, `true`, `0` or `false`. */
export function parseOtlp(text: string): string | boolean {
  if (/^(?:1|true)$/i.test(text)) return true
  if (/^(?:0|false|)$/i.test(text)) return false
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text
  throw new InvalidArgumentError(
    'Write an address such as http://localhost:4318, or no value before "--" or another option.',
  )
}

export function parseProcess(text: string): number {
  if (!/^\d{1,10}$/.test(text))
    throw new InvalidArgumentError('Write the number that "tenantry list" shows.')
  return Number(text)
}

const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** Parses an instant with its offset, or a date, which means the beginning of that day in UTC. Returns the instant in UTC. */
export function parseInstantOption(text: string): string {
  const instant = INSTANT.test(text) ? parseInstant(text) : undefined
  if (instant !== undefined) return toIso(instant)
  throw new InvalidArgumentError('Write an instant such as 2027-01-01T09:00:00Z.')
}

/** Parses a comma-separated list. */
export function parseNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.includes('')) throw new InvalidArgumentError('Write names separated by commas.')
  return [...new Set(names)]
}

export function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !(seconds >= 0 && seconds <= 86_400))
    throw new InvalidArgumentError('Write a number of seconds, at most 86400.')
  return seconds
}

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

/** Formats a duration in days, hours, minutes and seconds. `parseDuration` can parse the text. */
export function formatDuration(millis: number): string {
  let left = millis
  const parts = ['d', 'h', 'm', 's'].flatMap((unit) => {
    const size = UNITS[unit] ?? 1
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? [] : `${count}${unit}`
  })
  return parts.join('') || '0s'
}

/** Parses a duration such as `30d`, `1h30m` or `-2w`. Returns milliseconds, or `undefined` for other text. */
export function parseDuration(text: string): number | undefined {
  if (!WHOLE.test(text)) return undefined
  let millis = 0
  for (const [, number, unit = ''] of text.matchAll(PART))
    millis += Number(number) * (UNITS[unit] ?? 0)
  return Math.round(text.startsWith('-') ? -millis : millis)
}
