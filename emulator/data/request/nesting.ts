// How deep a JSON text is nested, without parsing it. Postgres's JSON parser recurses once a level and uses so little of
// the stack it watches that a million levels end the embedded engine instead of raising 54001. Pure.

/** Deeper texts are refused before Postgres sees them; the engine bears five times as many levels (measured). */
export const MAX_NESTING = 50_000

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether arrays and objects stand inside each other more than `MAX_NESTING` deep. */
export function isNestedTooDeep(text: string): boolean {
  if (text.length <= MAX_NESTING) return false
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === BACKSLASH) index += 1
      else if (code === QUOTE) isInString = false
      continue
    }
    if (code === QUOTE) isInString = true
    else depth += stepOf(code)
    if (depth > MAX_NESTING) return true
  }
  return false
}

function stepOf(code: number): number {
  if (code === 0x5b || code === 0x7b) return 1
  return code === 0x5d || code === 0x7d ? -1 : 0
}
