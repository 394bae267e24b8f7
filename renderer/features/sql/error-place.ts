// Where in a text an offset stands. Pure.

export interface Line {
  /** 1-based. */
  readonly line: number
  readonly column: number
  readonly text: string
}

/** `offset` is 0-based; beyond the end it is the end. */
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
