// Finds the line of a text that contains an offset. Pure.
export interface Line {
  /** The line's number, where the first line has number 1. */
  readonly line: number
  readonly column: number
  readonly text: string
}

/** @param offset 0-based; an offset beyond the text counts as its end */
export function lineOf(text: string, offset: number): Line {
  const at = Math.min(Math.max(0, offset), text.length)
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  return {
    line: text.slice(0, at).split('\n').length,
    column: at - start + 1,
    text: text.slice(start, end === -1 ? text.length : end),
  }
}
