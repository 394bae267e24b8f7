// Reads a pasted credential, and the time until the credential expires. Pure.
import { formatDuration } from '../../ui/format.ts'

/** Extracts the credential from pasted text: removes `Bearer`, header names, quotes and line breaks. */
export function pastedCredential(text: string): string {
  return text
    .trim()
    .replace(/^(?:authorization|apikey)\s*:\s*/i, '')
    .replace(/^bearer\s+/i, '')
    .replace(/^["'`]+|["'`,;]+$/g, '')
    .replace(/\s+/g, '')
}

export interface Countdown {
  readonly isPast: boolean
  /** E.g. `expires in 59 min 12 s` or `expired 3 s ago`. */
  readonly sentence: string
}

/** Describes the time until expiry. Both parameters are milliseconds since 1970, platform time. */
export function countdown(expiresAt: number, now: number): Countdown {
  const isPast = expiresAt <= now
  const millis = Math.round(Math.abs(expiresAt - now) / 1_000) * 1_000
  const span = millis === 0 ? '0 s' : formatDuration(millis)
  return { isPast, sentence: isPast ? `expired ${span} ago` : `expires in ${span}` }
}
