// Reads a pasted credential, the time until the credential expires, and the claims that are instants. Pure.
import { isoOf } from '../../api/time.ts'
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

const INSTANTS = [
  ['iat', 'Issued'],
  ['nbf', 'Not before'],
] as const

/**
 * The claims that are instants, in seconds since 1970. The list omits the expiry, which the emulator reports
 * separately.
 */
export function instantClaims(
  claims: Readonly<Record<string, unknown>> | null,
): readonly (readonly [name: string, iso: string])[] {
  return INSTANTS.flatMap(([claim, name]) => {
    const value = claims?.[claim]
    // 8.64e15 ms is the last instant that a Date can represent.
    return typeof value === 'number' && Math.abs(value) < 8.64e12
      ? [[name, isoOf(value * 1_000)] as const]
      : []
  })
}
