// Formats the statement of a request: each clause and condition is on a line of its own, and subqueries are indented. Changes
// white space only. Pure.
import type { SqlParser } from '../../../database/sql-parser.ts'
import { type PlacedToken, placeTokens } from '../../explain/policies/split-expression.ts'

/** Words that begin a new line inside their query. */
const CLAUSES = new Set([
  'select',
  'from',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'union',
  'returning',
  'values',
  'set',
  'left',
  'inner',
  'cross',
])
const CONDITIONS = new Set(['and', 'or'])
const QUERY_HEADS = new Set(['select', 'with', 'insert', 'update', 'delete'])

interface Level {
  /** Whether a query is between these parentheses. Other parentheses stay on their line. */
  readonly isQuery: boolean
  readonly indent: number
}

/** @param text a statement without comments. A text that cannot be scanned is returned as it is */
export function formatSql(parser: SqlParser, text: string): string {
  const tokens = placeTokens(parser, text)
  if (tokens.length === 0) return text
  const levels: Level[] = [{ isQuery: true, indent: 0 }]
  let formatted = ''
  for (const [index, token] of tokens.entries()) {
    const level = levels.at(-1) ?? { isQuery: false, indent: 0 }
    const shown = text.slice(token.start, token.end)
    const isEnd = token.word === ')' && levels.length > 1
    const before = isEnd ? endOf(levels) : breakBefore(tokens, index, level)
    formatted += (before ?? spaceBefore(tokens, index)) + shown
    if (token.word !== '(') continue
    const isQuery = QUERY_HEADS.has(tokens[index + 1]?.word ?? '')
    levels.push({ isQuery, indent: level.indent + (isQuery ? 1 : 0) })
  }
  return formatted
}

/** Leaves a level. Returns the line break before its closing parenthesis. */
function endOf(levels: Level[]): string | undefined {
  const left = levels.pop()
  return left?.isQuery === true ? lineAt((left.indent || 1) - 1) : ''
}

function breakBefore(
  tokens: readonly PlacedToken[],
  index: number,
  { isQuery, indent }: Level,
): string | undefined {
  const word = tokens[index]?.word ?? ''
  const before = tokens[index - 1]?.word
  if (before === undefined || !isQuery) return undefined
  if (before === '(') return lineAt(indent)
  if (CONDITIONS.has(word)) return isBetween(tokens, index) ? undefined : lineAt(indent + 1)
  if (before === ',' && !isInOrder(tokens, index)) return lineAt(indent + 1)
  if (!CLAUSES.has(word) || isPartOfExpression(tokens, index)) return undefined
  return lineAt(indent)
}

/** Whether a word of `CLAUSES` is part of an expression, as in `is distinct from` or as the function `left(…)`. */
function isPartOfExpression(tokens: readonly PlacedToken[], index: number): boolean {
  const [before, word, after] = [index - 1, index, index + 1].map((at) => tokens[at]?.word)
  if (word === 'from') return before === 'distinct'
  if (word === 'left') return after === '('
  return word === 'order' && after !== 'by'
}

/** The columns of ORDER BY and GROUP BY stay on one line. */
function isInOrder(tokens: readonly PlacedToken[], index: number): boolean {
  return clauseOf(tokens, index) === 'by'
}

function isBetween(tokens: readonly PlacedToken[], index: number): boolean {
  return tokens
    .slice(Math.max(0, index - 4), index)
    .some(({ word }) => word === 'between' || word === 'symmetric')
}

/** Returns the word that begins the part of the query that the token belongs to. */
function clauseOf(tokens: readonly PlacedToken[], index: number): string | undefined {
  let depth = 0
  for (let at = index - 1; at >= 0; at -= 1) {
    const word = tokens[at]?.word ?? ''
    if (word === ')') depth += 1
    else if (word === '(') depth -= 1
    if (depth < 0) return undefined
    if (depth === 0 && (word === 'by' || CLAUSES.has(word))) return word
  }
  return undefined
}

function spaceBefore(tokens: readonly PlacedToken[], index: number): string {
  const before = tokens[index - 1]
  if (before === undefined) return ''
  const isApart = (tokens[index]?.start ?? 0) > before.end
  return isApart && before.word !== '(' ? ' ' : ''
}

function lineAt(indent: number): string {
  return `\n${'  '.repeat(indent)}`
}
