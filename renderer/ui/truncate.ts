// Shortening long values in the middle: both ends of an id or a key tell it apart. Pure.

/** The two parts a line shows: the first gives way, the last stays whole. */
export function splitForMiddle(
  text: string,
  tailLength = 6,
): readonly [head: string, tail: string] {
  const letters = [...text]
  if (letters.length <= tailLength * 2) return [text, '']
  return [letters.slice(0, -tailLength).join(''), letters.slice(-tailLength).join('')]
}

/** At most `limit` characters, with `…` where some were left out. */
export function middleTruncate(text: string, limit: number): string {
  const letters = [...text]
  if (letters.length <= limit) return text
  const kept = Math.max(0, limit - 1)
  const head = Math.ceil(kept / 2)
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (kept - head)).join('')}`
}
