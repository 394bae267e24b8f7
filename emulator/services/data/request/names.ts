// Parsers for the tokens of the query grammar: names, JSON paths and quoted values. Pure.
import type { Field, JsonOperand, JsonStep } from './api-request.ts'
import {
  ahead,
  attempt,
  char,
  endOfInput,
  many,
  manyLevels,
  map,
  named,
  notFollowedBy,
  oneOf,
  option,
  type Parser,
  run,
  satisfy,
  separated,
  sequence,
  word,
} from './scanner.ts'

const LETTER = /^\p{L}$/u
const NAME_ASCII = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_ $')

function isNameChar(found: string): boolean {
  return NAME_ASCII.has(found) || (found > '\x7f' && LETTER.test(found))
}

const isDigit = (found: string): boolean => found >= '0' && found <= '9'

export const blanks: Parser<string> = run((found) => found === ' ' || found === '\t', 0)

/** Allows spaces before and after the text that the parser reads. */
export function lexeme<T>(parser: Parser<T>): Parser<T> {
  return sequence([blanks, parser, blanks], (_, value) => value)
}

/** Parses letters, digits, `_`, `$` and inner spaces. Casts and text search configurations have the same form. */
export const identifierText: Parser<string> = map(run(isNameChar, 1, ['letter', 'digit']), (text) =>
  text.trim(),
)

const quotedChar = oneOf(
  satisfy((found) => found !== '\\' && found !== '"'),
  sequence([char('\\'), satisfy(() => true)], (_, escaped) => escaped),
)

/** Parses `"…"`, where a backslash escapes the next character. */
export const quotedValue: Parser<string> = sequence(
  [char('"'), many(quotedChar), char('"')],
  (_, chars) => chars.join(''),
)

/** Parses a quoted member of a list. */
export const quotedMember: Parser<string> = attempt(
  sequence(
    [quotedValue, notFollowedBy(satisfy((found) => found !== ',' && found !== ')'))],
    (value) => value,
  ),
)

/** Parses text up to the next comma or closing parenthesis. */
export const bareMember: Parser<string> = run((found) => found !== ',' && found !== ')', 0)

// Removes Unicode spaces at both ends. Haskell's set of spaces differs from that of JavaScript's `trim`.
function stripped(text: string): string {
  return text.replace(/^[\t-\r\p{Zs}]+|[\t-\r\p{Zs}]+$/gu, '')
}

// A dash is part of a name unless a `>` follows.
const dash = attempt(
  sequence([char('-'), notFollowedBy(satisfy((found) => found === '>'))], () => '-'),
)

function dashed(parser: Parser<string>): Parser<string> {
  return map(separated(parser, dash), (parts) => parts.join('-'))
}

export const fieldName: Parser<string> = named(
  oneOf(quotedValue, dashed(identifierText)),
  'field name (* or [a..z0..9_$])',
)

export const delimiter: Parser<string> = named(char('.'), 'delimiter (.)')

const jsonKey: Parser<JsonOperand> = map(
  named(
    oneOf(
      quotedValue,
      dashed(
        map(
          run((found) => !'(-:.,>)'.includes(found), 1),
          stripped,
        ),
      ),
    ),
    'any non reserved character different from: .,>()',
  ),
  (key) => ({ kind: 'key', key }),
)

const indexEnd = oneOf<unknown>(
  attempt(ahead(word('->'))),
  attempt(ahead(word('::'))),
  attempt(ahead(word('.'))),
  attempt(ahead(word(','))),
  attempt(endOfInput),
)

const jsonIndex: Parser<JsonOperand> = sequence(
  [option(char('-'), '+'), run(isDigit, 1, ['digit']), indexEnd],
  (sign, digits) => ({ kind: 'index', index: sign + digits }),
)

const arrow: Parser<JsonStep['arrow']> = oneOf(
  map(attempt(word('->>')), () => '->>' as const),
  map(attempt(word('->')), () => '->' as const),
)

export const jsonPath: Parser<JsonStep[]> = manyLevels(
  sequence([arrow, oneOf(attempt(jsonIndex), attempt(jsonKey))], (step, operand) => ({
    arrow: step,
    operand,
  })),
)

const NO_PATH: readonly JsonStep[] = []

export const field: Parser<Field> = lexeme(
  sequence([fieldName, option(jsonPath, NO_PATH)], (name, path) => ({ name, path })),
)

/** The target of a filter or an order, for example `embed.embed.column->path`. */
export interface TreePath {
  readonly path: readonly string[]
  readonly field: Field
}

export const treePath: Parser<TreePath> = sequence(
  [separated(fieldName, delimiter), option(jsonPath, NO_PATH)],
  (names, path) => ({ path: names.slice(0, -1), field: { name: names.at(-1) ?? '', path } }),
)

export const nameList: Parser<string[]> = separated(fieldName, lexeme(char(',')))
