// Splits a policy's expression at AND, OR and NOT into leaves, and a leaf into the parts it compares. pg_get_expr puts
// parentheses around every operation and expands BETWEEN and IN lists. So the scanner's tokens and their depth give the text of
// each part, which a parse tree does not. The parser then checks every part. Pure.
import type { Operand } from '../../../contract/explain.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import { type ExpressionNode, isTrustedSplit, parseExpression } from './expression-node.ts'

export type Condition =
  | {
      readonly kind: 'and' | 'or' | 'not'
      readonly text: string
      readonly children: readonly Condition[]
    }
  | Leaf

export interface Leaf {
  readonly kind: 'leaf'
  /** The text that Postgres prints, without the outer parentheses. */
  readonly text: string
  readonly operator: string | null
  /** The compared values or a function's arguments, in the order of the text. */
  readonly operands: readonly LeafOperand[]
  /** Query text of a scalar subquery, or of EXISTS, IN, ANY or ALL. */
  readonly subquery: string | null
}

export interface LeafOperand {
  readonly text: string
  readonly from: Operand['from']
}

/** Splits an expression. An operation stays one leaf if the parser does not confirm the operation's parts. */
export function splitExpression(parser: SqlParser, text: string): Condition {
  const tokens = placeTokens(parser, text)
  const range = { first: 0, end: tokens.length }
  return new Splitter(parser, text, tokens).split(range)
}

/** Token indexes of a part. `end` is the index after its last token. */
interface Range {
  readonly first: number
  readonly end: number
}

class Splitter {
  readonly #parser: SqlParser
  readonly #text: string
  readonly #tokens: readonly PlacedToken[]

  constructor(parser: SqlParser, text: string, tokens: readonly PlacedToken[]) {
    this.#parser = parser
    this.#text = text
    this.#tokens = tokens
  }

  split(whole: Range): Condition {
    const range = this.#unwrapped(whole)
    const text = this.#textOf(range)
    for (const kind of ['or', 'and'] as const) {
      const parts = this.#partsAt(range, kind)
      if (
        parts.length > 1 &&
        isTrustedSplit(
          this.#parser,
          kind,
          text,
          parts.map((part) => this.#textOf(part)),
        )
      )
        return { kind, text, children: parts.map((part) => this.split(part)) }
    }
    if (this.#word(range.first) === 'not' && range.end - range.first > 1) {
      const inner = { first: range.first + 1, end: range.end }
      if (isTrustedSplit(this.#parser, 'not', text, [this.#textOf(inner)]))
        return { kind: 'not', text, children: [this.split(inner)] }
    }
    return this.#leaf(range, text)
  }

  #leaf(range: Range, text: string): Leaf {
    const node = parseExpression(this.#parser, text)
    const bare: Leaf = { kind: 'leaf', text, operator: null, operands: [], subquery: null }
    if (node === undefined) return bare
    const subquery = this.#subqueryOf(range, node)
    if (node.kind === 'call')
      return { ...bare, subquery, operands: this.#operands(this.#argumentsOf(range)) }
    if (node.kind !== 'comparison') return { ...bare, subquery }
    const at = this.#operatorIn(range)
    if (at === undefined) return { ...bare, subquery }
    const left = { first: range.first, end: at.first }
    const right = { first: at.end, end: range.end }
    const compared = [left, right].filter(
      (side) => side.end > side.first && !(side === right && subquery !== null),
    )
    const operands = this.#operands(compared)
    if (operands.length < compared.length) return { ...bare, subquery }
    return { ...bare, subquery, operator: this.#textOf(at), operands }
  }

  #operands(ranges: readonly Range[]): readonly LeafOperand[] {
    const operands: LeafOperand[] = []
    for (const range of ranges) {
      const text = this.#textOf(this.#unwrapped(range))
      const node = parseExpression(this.#parser, text)
      if (node === undefined) return []
      operands.push({ text, from: node.from })
    }
    return operands
  }

  /**
   * Finds the operator of a comparison, for example `=`, `OPERATOR(x.=)`, `IS NOT NULL` or `IN`. An operator may precede ANY
   * or ALL.
   */
  #operatorIn(range: Range): Range | undefined {
    for (const index of this.#top(range)) {
      const word = this.#word(index)
      const end = this.#endOfOperator(index, word, range)
      if (end !== undefined) return { first: index, end }
    }
    return undefined
  }

  #endOfOperator(index: number, word: string, range: Range): number | undefined {
    let end: number | undefined
    if (word === 'operator') end = this.#closing(index + 1) + 1
    else if (word === 'is') end = this.#endOfWords(index, range)
    else if (word === 'in' || SYMBOLS.test(word)) end = index + 1
    if (end === undefined) return undefined
    return QUANTIFIERS.has(this.#word(end)) ? end + 1 : end
  }

  #endOfWords(index: number, range: Range): number {
    let end = index + 1
    while (end < range.end && WORDS_AFTER_IS.has(this.#word(end))) end++
    return end
  }

  /** Returns the query of EXISTS, IN, ANY or ALL, or of a leaf that is itself a query. */
  #subqueryOf(range: Range, node: ExpressionNode): string | null {
    if (!node.hasSubquery) return null
    for (const index of this.#top(range)) {
      const query = { first: index, end: this.#closing(index) + 1 }
      const isTested =
        SUBQUERY_HEADS.has(this.#word(index - 1)) || query.end - index === range.end - range.first
      if (this.#isSubquery(query) && isTested)
        return this.#textOf({ first: index + 1, end: query.end - 1 })
    }
    return null
  }

  #isSubquery({ first, end }: Range): boolean {
    return (
      this.#word(first) === '(' &&
      QUERY_HEADS.has(this.#word(first + 1)) &&
      this.#closing(first) === end - 1
    )
  }

  #argumentsOf(range: Range): readonly Range[] {
    const opening = this.#top(range).find((index) => this.#word(index) === '(')
    if (opening === undefined || this.#closing(opening) !== range.end - 1) return []
    const inside = { first: opening + 1, end: range.end - 1 }
    const isNamed = this.#top(inside).some((index) =>
      ['=>', ':=', 'variadic', 'distinct'].includes(this.#word(index)),
    )
    if (isNamed || inside.first === inside.end) return []
    return this.#partsAt(inside, ',')
  }

  /** Splits the range at each `separator` that is outside nested parentheses, brackets and CASE. */
  #partsAt(range: Range, separator: string): readonly Range[] {
    const parts: Range[] = []
    let first = range.first
    for (const index of this.#top(range))
      if (this.#word(index) === separator) {
        parts.push({ first, end: index })
        first = index + 1
      }
    parts.push({ first, end: range.end })
    return parts
  }

  /** Returns the tokens of the range that are outside nested parentheses, brackets and CASE. */
  #top(range: Range): readonly number[] {
    const found: number[] = []
    for (let index = range.first; index < range.end; index++) {
      found.push(index)
      const closing = this.#tokens[index]?.closing
      if (closing !== undefined) index = closing
    }
    return found
  }

  #unwrapped(range: Range): Range {
    let { first, end } = range
    while (
      end - first > 1 &&
      this.#word(first) === '(' &&
      this.#closing(first) === end - 1 &&
      !QUERY_HEADS.has(this.#word(first + 1))
    ) {
      first++
      end--
    }
    return { first, end }
  }

  #closing(index: number): number {
    return this.#tokens[index]?.closing ?? index
  }

  #word(index: number): string {
    return this.#tokens[index]?.word ?? ''
  }

  #textOf({ first, end }: Range): string {
    return this.#text.slice(this.#tokens[first]?.start ?? 0, this.#tokens[end - 1]?.end ?? 0)
  }
}

const SYMBOLS = /^[-+*/<>=~!@#%^&|`?]+$/
const QUERY_HEADS = new Set(['select', 'with', 'values'])
const SUBQUERY_HEADS = new Set(['exists', 'in', 'any', 'all', 'some'])
const QUANTIFIERS = new Set(['any', 'all', 'some'])
const WORDS_AFTER_IS = new Set(['not', 'null', 'true', 'false', 'unknown', 'distinct', 'from'])

export interface PlacedToken {
  /** The token in lower case. Quoted names and strings keep their quotes, so they never equal a keyword. */
  readonly word: string
  /** Positions of the token in the text; `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** The index of the closing token, if this token is `(`, `[` or `case`. */
  readonly closing?: number
}

/**
 * Splits an expression printed by Postgres, which contains no comments, into tokens. Returns an empty list if the expression
 * cannot be read.
 */
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
