// Parses `order=column.desc.nullslast,embed(column)` (PostgREST, "Ordering", "Related Order"). Pure.
import type { OrderTerm } from './api-request.ts'
import { delimiter, field, fieldName, lexeme } from './names.ts'
import {
  ahead,
  attempt,
  char,
  endOfInput,
  map,
  oneOf,
  option,
  type Parser,
  separated,
  sequence,
  word,
} from './scanner.ts'

const suffix = <T>(text: string, value: T): Parser<T> =>
  attempt(sequence([delimiter, word(text)], () => value))

const direction = option(
  oneOf<'asc' | 'desc'>(suffix('asc', 'asc'), suffix('desc', 'desc')),
  undefined,
)
const nulls = option(
  oneOf<'first' | 'last'>(suffix('nullsfirst', 'first'), suffix('nullslast', 'last')),
  undefined,
)
const termEnd = oneOf<undefined>(
  map(attempt(ahead(char(','))), () => undefined),
  attempt(endOfInput),
)
const nullsAndEnd = oneOf<'first' | 'last' | undefined>(
  sequence([nulls, termEnd], (chosen) => chosen),
  termEnd,
)

const ownTerm: Parser<OrderTerm> = sequence(
  [field, direction, nullsAndEnd],
  (column, chosen, nullOrder) => ({
    relation: undefined,
    field: column,
    direction: chosen,
    nulls: nullOrder,
  }),
)

const relatedTerm: Parser<OrderTerm> = sequence(
  [
    fieldName,
    sequence([char('('), field, char(')')], (_, column) => column),
    direction,
    nullsAndEnd,
  ],
  (relation, column, chosen, nullOrder) => ({
    relation,
    field: column,
    direction: chosen,
    nulls: nullOrder,
  }),
)

export const orderList: Parser<OrderTerm[]> = separated(
  lexeme(oneOf(attempt(relatedTerm), ownTerm)),
  char(','),
)
