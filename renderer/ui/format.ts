// Formats instants, durations, sizes and counts as text. Pure. Instants are milliseconds since 1970.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const exact = new Intl.DateTimeFormat('en-CA', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
  timeZone: 'UTC',
})

const dayAndMonth = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `just now`, `12 s ago`, `in 5 min`, `3 h ago`, `6 d ago`. Instants more than a week away show their date. */
export function relativeTime(atMillis: number, nowMillis: number): string {
  const distance = atMillis - nowMillis
  const size = Math.abs(distance)
  if (size < 2 * SECOND) return 'just now'
  if (size >= 30 * DAY) return dayAndMonth.format(atMillis)
  const text = roughly(size)
  return distance > 0 ? `in ${text}` : `${text} ago`
}

/** `2026-11-21 10:00:00.000 UTC`. */
export function exactTime(atMillis: number): string {
  const parts = Object.fromEntries(
    exact.formatToParts(atMillis).map(({ type, value }) => [type, value]),
  )
  const { year, month, day, hour, minute, second, fractionalSecond } = parts
  return `${year}-${month}-${day} ${hour}:${minute}:${second}.${fractionalSecond} UTC`
}

/** `10:00:00.000`, for lists within one day. */
export function timeOfDay(atMillis: number): string {
  return exactTime(atMillis).slice(11, 23)
}

/** A duration rounded down to one unit: `59 s`, `5 min`, `3 h`, `6 d`. */
function roughly(millis: number): string {
  if (millis < MINUTE) return `${Math.floor(millis / SECOND)} s`
  if (millis < HOUR) return `${Math.floor(millis / MINUTE)} min`
  if (millis < DAY) return `${Math.floor(millis / HOUR)} h`
  return `${Math.floor(millis / DAY)} d`
}

/** `0.4 ms`, `12 ms`, `1.25 s`, `3 min 5 s`, `2 h 10 min`, `4 d 3 h`. */
export function formatDuration(millis: number): string {
  const size = Math.abs(millis)
  const sign = millis < 0 ? '−' : ''
  if (size < 10) return `${sign}${trimZeros(size.toFixed(1))} ms`
  if (size < SECOND) return `${sign}${Math.round(size)} ms`
  if (size < MINUTE) return `${sign}${trimZeros((size / SECOND).toFixed(2))} s`
  if (size < HOUR) return sign + two(size, MINUTE, 'min', SECOND, 's')
  if (size < DAY) return sign + two(size, HOUR, 'h', MINUTE, 'min')
  return sign + two(size, DAY, 'd', HOUR, 'h')
}

function two(size: number, big: number, bigName: string, small: number, smallName: string): string {
  const rest = Math.floor((size % big) / small)
  return `${Math.floor(size / big)} ${bigName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `0 B`, `12.5 KB`, `3 MB`; a KB is 1,024 bytes. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1_024 ** step
  return `${trimZeros(value.toFixed(step === 0 || value >= 100 ? 0 : 1))} ${UNITS[step]}`
}

const numbers = new Intl.NumberFormat('en-US')

/** `12,345`. */
export function formatNumber(value: number): string {
  return numbers.format(value)
}

const twoDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })

/** Rounds an estimate to two significant digits: `290,000` for 294,312. */
export function formatRoughly(value: number): string {
  return twoDigits.format(value)
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
