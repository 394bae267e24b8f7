// Parses operators and their values: `eq.3`, `not.in.(a,b)`, `like(any).{a*,b*}`, `fts(english).word` (PostgREST,
// "Operators"). Pure.
import {
  type IsValue,
  type Operation,
  QUANTIFIABLE_OPERATORS,
  type QuantifiableOperator,
  SIMPLE_OPERATORS,
  type SimpleOperator,
  TEXT_SEARCH_OPERATORS,
  type TextSearchOperator,
} from './api-request.ts'
import { bareMember, delimiter, identifierText, lexeme, quotedMember } from './names.ts'
import {
  attempt,
  char,
  map,
  named,
  oneOf,
  option,
  type Parser,
  run,
  separated,
  sequence,
  succeed,
  word,
} from './scanner.ts'

export interface OperatorExpression {
  readonly isNegated: boolean
  readonly operation: Operation
}

function keyword<T extends string>(text: T): Parser<T> {
  return map(attempt(word(text)), () => text)
}

const simpleOperator: Parser<SimpleOperator> = named(
  oneOf(...SIMPLE_OPERATORS.map((name) => keyword(name))),
  'unknown single value operator',
)

const quantifiableOperator: Parser<QuantifiableOperator> = named(
  oneOf(...QUANTIFIABLE_OPERATORS.map((name) => keyword(name))),
  'unknown single value operator',
)

const textSearchOperator: Parser<TextSearchOperator> = oneOf(
  ...TEXT_SEARCH_OPERATORS.map((name) => keyword(name)),
)

const listMember: Parser<string> = oneOf(quotedMember, bareMember)

const list: Parser<string[]> = sequence(
  [lexeme(char('(')), separated(listMember, char(',')), lexeme(char(')'))],
  (_, values) => values,
)

const anyCase = (text: string): Parser<string> =>
  sequence(
    Array.from(text, (each) => oneOf(char(each), char(each.toUpperCase()))),
    () => text,
  )

const isValue: Parser<IsValue> = named(
  oneOf<IsValue>(
    ...(['null', 'not_null', 'true', 'false', 'unknown'] as const).map((value) =>
      map(attempt(anyCase(value)), () => value),
    ),
  ),
  'isVal: (null, not_null, true, false, unknown)',
)

const introduced = (text: string): Parser<string> =>
  attempt(sequence([word(text), delimiter], () => text))

const quantifier = option(
  attempt(
    sequence(
      [
        char('('),
        oneOf<'any' | 'all'>(
          keyword('any'),
          map(word('all'), () => 'all'),
        ),
        char(')'),
      ],
      (_, chosen) => chosen,
    ),
  ),
  undefined,
)

const language = option(
  attempt(sequence([char('('), identifierText, char(')')], (_, name) => name)),
  undefined,
)

/** Parses an optional `not.`, an operator and its value. */
export function operatorExpression(value: Parser<string>): Parser<OperatorExpression> {
  const isIn = sequence(
    [introduced('in'), list],
    (_, values): Operation => ({
      kind: 'in',
      values,
    }),
  )
  const is = sequence(
    [introduced('is'), isValue],
    (_, chosen): Operation => ({
      kind: 'is',
      value: chosen,
    }),
  )
  const isDistinct = sequence(
    [introduced('isdistinct'), value],
    (_, other): Operation => ({ kind: 'isDistinct', value: other }),
  )
  const textSearch = sequence(
    [textSearchOperator, language, delimiter, value],
    (operator, configuration, _, query): Operation => ({
      kind: 'textSearch',
      operator,
      language: configuration,
      value: query,
    }),
  )
  const simple = sequence(
    [simpleOperator, delimiter, value],
    (operator, _, operand): Operation => ({ kind: 'simple', operator, value: operand }),
  )
  const quantified = sequence(
    [quantifiableOperator, quantifier, delimiter, value],
    (operator, chosen, _, operand): Operation => ({
      kind: 'quantifiable',
      operator,
      quantifier: chosen,
      value: operand,
    }),
  )
  const operation = named(
    oneOf<Operation>(
      isIn,
      is,
      isDistinct,
      attempt(textSearch),
      attempt(simple),
      attempt(quantified),
    ),
    'operator (eq, gt, ...)',
  )
  const negation = oneOf<boolean>(
    map(introduced('not'), () => true),
    succeed(false),
  )
  return sequence([negation, operation], (isNegated, chosen) => ({
    isNegated,
    operation: chosen,
  }))
}

/** Takes the remaining text as one value. */
export const wholeValue: Parser<string> = run(() => true, 0)

const pgArray: Parser<string> = sequence(
  [word('{'), run((found) => found !== '{' && found !== '}', 0), word('}')],
  (open, inner, close) => open + inner + close,
)

/** Parses a value inside `and(…)` and `or(…)`. */
export const memberValue: Parser<string> = oneOf(quotedMember, attempt(pgArray), bareMember)

/** Parses the value of a filter parameter. */
export const filterValue: Parser<OperatorExpression> = operatorExpression(wholeValue)

/**
 * Parses a query parameter of a function that is called by GET. Returns `undefined` for a value without an operator, because such
 * a parameter is an argument of the function.
 */
export const filterOrArgument: Parser<OperatorExpression | undefined> = option(
  filterValue,
  undefined,
)
