// Parses instants and durations that the user types. All instants are in UTC. Pure.
import { parseInstant } from '../../api/time.ts'

/** Converts ISO 8601 to the format of the field: `2026-11-21 10:00:00`. */
export function fieldOf(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}

/**
 * Converts the field's text to ISO 8601 in UTC. Seconds may be absent, and `T` and `Z` may be as in ISO 8601. Returns `undefined`
 * when the text is not an instant.
 */
export function isoOfField(text: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[T ]+(\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?( UTC|Z)?$/i.exec(
    text.trim(),
  )
  if (match === null) return undefined
  const iso = `${match[1]}T${match[2]}${match[3] ?? ':00'}Z`
  return parseInstant(iso) === undefined ? undefined : iso
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(ms|milliseconds?)$/, 1],
  [/^(s|sec|seconds?)$/, 1_000],
  [/^(m|min|minutes?)$/, 60_000],
  [/^(h|hours?)$/, 3_600_000],
  [/^(d|days?)$/, 86_400_000],
  [/^(w|weeks?)$/, 604_800_000],
]

/**
 * Converts `90 min`, `1 h 30 min`, `-2 d` or `45` (seconds) to milliseconds. Returns `undefined` when the text is not a duration.
 */
export function spanOf(text: string): number | undefined {
  const bare = text.trim().toLowerCase()
  const sign = /^[-−]/.test(bare) ? -1 : 1
  const pieces = bare.replace(/^[-−+]/, '').match(/\d+(?:\.\d+)?\s*[a-z]*/g)
  if (pieces === null || pieces.join('').replaceAll(/\s/g, '') !== bare.replaceAll(/[\s−+-]/g, ''))
    return undefined
  let total = 0
  for (const piece of pieces) {
    const [, amount = '', unit = ''] = /^([\d.]+)\s*([a-z]*)$/.exec(piece.trim()) ?? []
    const size = unit === '' ? 1_000 : UNITS.find(([pattern]) => pattern.test(unit))?.[1]
    if (size === undefined) return undefined
    total += Number(amount) * size
  }
  return sign * Math.round(total)
}
