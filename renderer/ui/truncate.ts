// Shortens long values in the middle, because the start and the end of an id or key identify it. Pure.

/**
 * Splits a line into two parts. The browser cuts the first part when space is short. The last part always shows
 * completely.
 */
export function splitForMiddle(
  text: string,
  tailLength = 6,
): readonly [head: string, tail: string] {
  const letters = [...text]
  if (letters.length <= tailLength * 2) return [text, '']
  return [letters.slice(0, -tailLength).join(''), letters.slice(-tailLength).join('')]
}

/** Shortens a text to at most `limit` characters, with `…` in place of the removed characters. */
export function middleTruncate(text: string, limit: number): string {
  const letters = [...text]
  if (letters.length <= limit) return text
  const kept = Math.max(0, limit - 1)
  const head = Math.ceil(kept / 2)
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (kept - head)).join('')}`
}
