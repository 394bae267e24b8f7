// Implements SQL's LIKE with `%`, `_` and backslash. The time is proportional to text length times pattern length. Pure.

/** Returns whether the text matches. A pattern that ends with its escape character gives `undefined`; Postgres refuses it. */
export function matchesLike(text: string, pattern: string): boolean | undefined {
  const parts = parsePattern(pattern)
  return parts === undefined ? undefined : matches([...text], parts)
}

const ANY_TEXT = Symbol('%')
const ANY_CHARACTER = Symbol('_')
type Part = string | typeof ANY_TEXT | typeof ANY_CHARACTER

function parsePattern(pattern: string): readonly Part[] | undefined {
  const parts: Part[] = []
  const characters = [...pattern]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '%') parts.push(ANY_TEXT)
    else if (character === '_') parts.push(ANY_CHARACTER)
    else if (character !== '\\') parts.push(character)
    else {
      const escaped = characters[++at]
      if (escaped === undefined) return undefined
      parts.push(escaped)
    }
  }
  return parts
}

// Backtracks only to the last `%`, because the last `%` can match every text that an earlier `%` could have matched.
function matches(characters: readonly string[], parts: readonly Part[]): boolean {
  let at = 0
  let part = 0
  let retryPart = -1
  let retryAt = 0
  while (at < characters.length) {
    const wanted = parts[part]
    if (wanted === ANY_TEXT) {
      retryPart = ++part
      retryAt = at
    } else if (wanted === ANY_CHARACTER || (wanted !== undefined && wanted === characters[at])) {
      part++
      at++
    } else if (retryPart < 0) return false
    else {
      part = retryPart
      at = ++retryAt
    }
  }
  while (parts[part] === ANY_TEXT) part++
  return part === parts.length
}
