// Shortens long values in the middle, because both ends of an id or a key distinguish it. Pure.

/** The two parts of a line: the first is cut where space is narrow, the last stays whole. */
export function splitForMiddle(
  text: string,
  tailLength = 6,
): readonly [head: string, tail: string] {
  const letters = [...text]
  if (letters.length <= tailLength * 2) return [text, '']
  return [letters.slice(0, -tailLength).join(''), letters.slice(-tailLength).join('')]
}

/** At most `limit` characters, with `…` in place of those left out. */
export function middleTruncate(text: string, limit: number): string {
  const letters = [...text]
  if (letters.length <= limit) return text
  const kept = Math.max(0, limit - 1)
  const head = Math.ceil(kept / 2)
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (kept - head)).join('')}`
}
