// Time left until something expires, in words that fit a chip. Pure.

export interface Countdown {
  readonly isPast: boolean
  /** `59 min 12 s`, `2 days 3 h`, without sign. */
  readonly span: string
  /** `expires in 59 min 12 s`, `expired 3 s ago`. */
  readonly sentence: string
}

const UNITS = [
  ['days', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** Both in milliseconds since 1970, platform time. */
export function countdown(expiresAt: number, now: number): Countdown {
  const isPast = expiresAt <= now
  const span = spanOf(Math.abs(expiresAt - now))
  return { isPast, span, sentence: isPast ? `expired ${span} ago` : `expires in ${span}` }
}

/** The two largest units of a span of milliseconds. */
export function spanOf(millis: number): string {
  let seconds = Math.round(millis / 1_000)
  const parts: string[] = []
  for (const [unit, size] of UNITS) {
    const amount = Math.floor(seconds / size)
    seconds -= amount * size
    if (amount > 0) parts.push(`${amount} ${amount === 1 && unit === 'days' ? 'day' : unit}`)
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}
