// Measures how deep JSON text is nested without parsing it, because later code recurses once per level. Pure.

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Returns true when arrays and objects are nested more than `levels` deep. */
export function isDeeperThan(text: string, levels: number): boolean {
  if (text.length <= levels) return false
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
    if (depth > levels) return true
  }
  return false
}

function stepOf(code: number): number {
  if (code === 0x5b || code === 0x7b) return 1
  return code === 0x5d || code === 0x7d ? -1 : 0
}
