// The tokens of an expression with their places, and for whatever opens something where it closes. Pure.
import type { SqlParser } from '../../database/sql-parser.ts'

export interface PlacedToken {
  /** Lower case; quoted names and strings as they stand, so that none is taken for a keyword. */
  readonly word: string
  /** String indexes. */
  readonly start: number
  readonly end: number
  /** Index of the token that closes what this one opens: `(`, `[`, `case`. */
  readonly closing?: number
}

/** Reads text that has no comments, as Postgres writes expressions; nothing when it cannot be read. */
export function placeTokens(parser: SqlParser, text: string): readonly PlacedToken[] {
  const tokens: PlacedToken[] = []
  let at = 0
  for (const { text: token } of parser.tokens(text)) {
    const start = text.indexOf(token, at)
    if (start < 0) return []
    at = start + token.length
    tokens.push({ word: token.toLowerCase(), start, end: at })
  }
  return withClosings(tokens)
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', case: 'end' }

function withClosings(tokens: readonly PlacedToken[]): readonly PlacedToken[] {
  const placed = [...tokens]
  const open: { readonly index: number; readonly closing: string }[] = []
  for (const [index, token] of tokens.entries()) {
    const closing = CLOSING[token.word]
    const last = open.at(-1)
    if (last?.closing === token.word) {
      open.pop()
      placed[last.index] = { ...(tokens[last.index] ?? token), closing: index }
    } else if (closing !== undefined) open.push({ index, closing })
  }
  return open.length === 0 ? placed : []
}
