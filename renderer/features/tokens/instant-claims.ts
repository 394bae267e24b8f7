// Claims that are moments, in seconds since 1970, as ISO 8601. Pure.
import { isoOf } from '../../api/time.ts'

const NAMES = [
  ['iat', 'Issued'],
  ['nbf', 'Not before'],
] as const

/** The expiry is told apart, by the emulator. */
export function instantClaims(
  claims: Readonly<Record<string, unknown>> | null,
): readonly (readonly [name: string, iso: string])[] {
  return NAMES.flatMap(([claim, name]) => {
    const value = claims?.[claim]
    // A date reaches 8.64e15 milliseconds and no further.
    return typeof value === 'number' && Math.abs(value) < 8.64e12
      ? [[name, isoOf(value * 1_000)] as const]
      : []
  })
}
