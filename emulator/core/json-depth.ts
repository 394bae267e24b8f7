// Measures JSON text without parsing it: how deep it is nested, and how many values it has. Pure.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

export interface JsonBounds {
  /** Maximum nesting depth. Later code recurses once per level. */
  readonly levels: number
  /** Maximum number of members and elements. A parsed value takes many times the memory of its text. */
  readonly values: number
}

/** Returns true when arrays and objects are nested more than `levels` deep. */
export function isDeeperThan(text: string, levels: number): boolean {
  return text.length > levels && excessOf(text, { levels, values: text.length }) === 'levels'
}

/** Returns the bound that the text exceeds. The count of values may be wrong by one for each array or object. */
export function excessOf(
  text: string,
  { levels, values }: JsonBounds,
): keyof JsonBounds | undefined {
  let depth = 0
  let count = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === BACKSLASH) index += 1
      else if (code === QUOTE) isInString = false
      continue
    }
    if (code === QUOTE) isInString = true
    else if (code === COMMA) count += 1
    else depth += stepOf(code)
    if (depth > levels) return 'levels'
    if (count > values) return 'values'
  }
  return undefined
}

function stepOf(code: number): number {
  if (code === 0x5b || code === 0x7b) return 1
  return code === 0x5d || code === 0x7d ? -1 : 0
}
