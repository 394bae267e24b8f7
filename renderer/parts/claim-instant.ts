// Recognises the claims that are instants. Pure.

import { parseInstant } from '../api/time.ts'

/** NumericDate claims of RFC 7519 section 4.1 and of OpenID Connect Core section 2. */
const INSTANTS: readonly string[] = ['exp', 'iat', 'nbf', 'auth_time']

/** The last instant that a Date can represent, in seconds since 1970. */
const LAST_SECOND = 8.64e12

/**
 * Returns the instant of a claim in milliseconds since 1970, or `undefined` when the claim is not an instant. PASETO claims are
 * ISO texts.
 */
export function claimInstant(name: string, value: unknown): number | undefined {
  if (!INSTANTS.includes(name)) return undefined
  if (typeof value === 'number') return Math.abs(value) <= LAST_SECOND ? value * 1_000 : undefined
  return typeof value === 'string' ? parseInstant(value) : undefined
}
