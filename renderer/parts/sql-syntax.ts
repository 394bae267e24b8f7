// Splits SQL into tokens with the editor's grammar, and formats conditions over several lines. Import this file from lazy modules
// only, so that the first screen loads without the editor. Pure.
import { PostgreSQL } from '@codemirror/lang-sql'

export type SqlTokenKind = 'keyword' | 'name' | 'value' | 'sign' | 'space' | 'comment'

export interface SqlToken {
  readonly kind: SqlTokenKind
  readonly text: string
}

/** Token kinds by the grammar's node names. Nodes with other names are punctuation. */
const KINDS: Readonly<Record<string, SqlTokenKind>> = {
  Keyword: 'keyword',
  Type: 'keyword',
  Builtin: 'keyword',
  Bool: 'keyword',
  Null: 'keyword',
  SpecialVar: 'keyword',
  String: 'value',
  Number: 'value',
  Bits: 'value',
  Bytes: 'value',
  Identifier: 'name',
  QuotedIdentifier: 'name',
  LineComment: 'comment',
  BlockComment: 'comment',
}

/** Splits the text into tokens. The tokens together contain every character in order. */
export function sqlTokens(sql: string): readonly SqlToken[] {
  const tokens: SqlToken[] = []
  let end = 0
  const addUntil = (to: number, kind: SqlTokenKind) => {
    if (to > end) tokens.push({ kind, text: sql.slice(end, to) })
    end = Math.max(end, to)
  }
  PostgreSQL.language.parser.parse(sql).iterate({
    enter: ({ name, node, from, to }) => {
      if (node.firstChild !== null) return
      addUntil(from, 'space')
      addUntil(to, KINDS[name] ?? 'sign')
    },
  })
  addUntil(sql.length, 'space')
  return tokens
}

/** Formats a condition: removes the parentheses around the whole, and adds a line break before each outer AND and OR. */
export function prettyCondition(text: string): string {
  const bare = withoutOuterParentheses(text.trim())
  const tokens = sqlTokens(bare)
  let depth = 0
  let isBetween = false
  let cases = 0
  const pieces = tokens.map((token) => {
    if (token.text === '(') depth += 1
    if (token.text === ')') depth -= 1
    if (token.kind !== 'keyword') return token.text
    const word = token.text.toLowerCase()
    if (word === 'between') isBetween = true
    if (word === 'case') cases += 1
    if (word === 'end') cases -= 1
    if (depth > 0 || cases > 0 || (word !== 'and' && word !== 'or')) return token.text
    if (word === 'and' && isBetween) {
      isBetween = false
      return token.text
    }
    return `\n${token.text}`
  })
  return pieces.join('').replaceAll(/[ \t]+\n/g, '\n')
}

/** Removes parentheses around the whole: `(a = b)` → `a = b`. The parentheses of `(a) OR (b)` stay. */
export function withoutOuterParentheses(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text
  let depth = 0
  let position = 0
  for (const token of sqlTokens(text)) {
    if (token.text === '(') depth += 1
    if (token.text === ')') depth -= 1
    position += token.text.length
    if (depth === 0 && position < text.length) return text
  }
  return depth === 0 ? withoutOuterParentheses(text.slice(1, -1).trim()) : text
}
