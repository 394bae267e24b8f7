// The lexical shape of a statement (PostgreSQL, "SQL Syntax: Lexical Structure"), to find text outside quotes.

export type TokenKind = 'name' | 'literal' | 'place' | 'word' | 'number' | 'sign' | 'stray'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

// Patterns of tokens, tried at the current position. A character that fits no pattern is a stray.
const BLANK = /[ \n]+/y
const NAME = /"(?:[^"]|"")*"/y
const LITERAL = /'(?:[^']|'')*'/y
const ESCAPED_LITERAL = /E'(?:[^'\\]|''|\\.)*'/sy
const PLACE = /\$[0-9]+(?![0-9A-Za-z_$])/y
const WORD = /[A-Za-z_\x80-\uffff][0-9A-Za-z_$\x80-\uffff]*/y
const NUMBER = /[0-9]+(?![0-9A-Za-z_$])/y
const SIGN = /(?!--|\/\*)[-+*/<>=~!@#%^&|`?:()[\],.]/y

/**
 * Returns all tokens without blanks. A comment, a semicolon, a dollar quote or an unclosed quote begins with a stray character.
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    at += lengthOf(BLANK, text, at)
    if (at === text.length) break
    const { kind, length } = tokenAt(text, at)
    tokens.push({ kind, text: text.slice(at, at + length) })
    at += length
  }
  return tokens
}

function tokenAt(text: string, at: number): { kind: TokenKind; length: number } {
  switch (text[at]) {
    case '"':
      return tokenOf('name', NAME, text, at)
    case "'":
      return tokenOf('literal', LITERAL, text, at)
    case '$':
      return tokenOf('place', PLACE, text, at)
    case 'E':
      if (text[at + 1] === "'") return tokenOf('literal', ESCAPED_LITERAL, text, at)
      return tokenOf('word', WORD, text, at)
    default: {
      const word = lengthOf(WORD, text, at)
      if (word > 0) return { kind: 'word', length: word }
      const sign = lengthOf(SIGN, text, at)
      return sign > 0 ? { kind: 'sign', length: sign } : tokenOf('number', NUMBER, text, at)
    }
  }
}

function tokenOf(
  kind: TokenKind,
  pattern: RegExp,
  text: string,
  at: number,
): { kind: TokenKind; length: number } {
  const length = lengthOf(pattern, text, at)
  return length === 0 ? { kind: 'stray', length: 1 } : { kind, length }
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex - at : 0
}
