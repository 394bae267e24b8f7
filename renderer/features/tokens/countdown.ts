// Time left until something expires, in words that fit a chip. Pure.
import { formatDuration } from '../../ui/format.ts'

export interface Countdown {
  readonly isPast: boolean
  /** `expires in 59 min 12 s`, `expired 3 s ago`. */
  readonly sentence: string
}

/** Both in milliseconds since 1970, platform time. */
export function countdown(expiresAt: number, now: number): Countdown {
  const isPast = expiresAt <= now
  const span = spanOf(Math.abs(expiresAt - now))
  return { isPast, sentence: isPast ? `expired ${span} ago` : `expires in ${span}` }
}

function spanOf(millis: number): string {
  const whole = Math.round(millis / 1_000) * 1_000
  return whole === 0 ? '0 s' : formatDuration(whole)
}
