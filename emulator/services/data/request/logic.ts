// Parses `and=(…)`, `or=(…)`, `not.and=(…)` and trees of them (PostgREST, "Logical operators"). Pure.
import type { LogicTree } from './api-request.ts'
import { memberValue, operatorExpression } from './filter.ts'
import { delimiter, field, fieldName, lexeme } from './names.ts'
import {
  attempt,
  char,
  lazy,
  MAX_DEPTH,
  map,
  named,
  oneOf,
  type Parser,
  separated,
  sequence,
  succeed,
  word,
} from './scanner.ts'

const member: Parser<LogicTree> = attempt(
  sequence(
    [field, delimiter, operatorExpression(memberValue)],
    (column, _, { isNegated, operation }) => ({
      kind: 'filter',
      filter: { field: column, isNegated, operation },
    }),
  ),
)

const negation: Parser<boolean> = named(
  oneOf<boolean>(attempt(sequence([word('not'), delimiter], () => true)), succeed(false)),
  'negation operator (not)',
)

const connective = named(
  oneOf<'and' | 'or'>(
    map(attempt(word('and')), () => 'and'),
    map(word('or'), () => 'or'),
  ),
  'logic operator (and, or)',
)

const members: Parser<LogicTree[]> = sequence(
  [
    lexeme(char('(')),
    separated(
      lazy(() => logicTree, MAX_DEPTH),
      lexeme(char(',')),
    ),
    lexeme(char(')')),
  ],
  (_, trees) => trees,
)

/** Parses a filter or a group. The parameter's name and value are joined before parsing: `or` + `(…)`. */
export const logicTree: Parser<LogicTree> = oneOf<LogicTree>(
  member,
  sequence([negation, connective, members], (isNegated, chosen, trees) => ({
    kind: 'group',
    isNegated,
    connective: chosen,
    members: trees,
  })),
)

/** Parses the name of a logic parameter, such as `embed.not.or`: the path of the embed, and the operator. */
export const logicPath: Parser<{ readonly path: readonly string[]; readonly operator: string }> =
  map(separated(fieldName, delimiter), (names) => {
    const operator = names.at(-1) ?? ''
    return {
      path: names.slice(0, -1).filter((name) => name !== 'not'),
      operator: names.includes('not') ? `not.${operator}` : operator,
    }
  })
