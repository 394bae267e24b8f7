// Parses `select=`: columns, aliases, casts, JSON paths, aggregates and embeds (PostgREST, "Vertical Filtering", "Resource
// Embedding", "Aggregate Functions"). Pure.
import type { Aggregate, JoinKind, SelectItem } from './api-request.ts'
import { field, fieldName, identifierText, lexeme } from './names.ts'
import {
  ahead,
  attempt,
  char,
  endOfInput,
  filter,
  lazy,
  map,
  notFollowedBy,
  oneOf,
  option,
  type Parser,
  satisfy,
  separated,
  sequence,
  word,
} from './scanner.ts'

const NOTHING = undefined
/**
 * Maximum nesting depth of embeds. Each embed is a join, and planning 500 joins takes Postgres longer than a statement's
 * timeout.
 */
const MAX_EMBED_DEPTH = 100

const aliasSeparator = sequence(
  [char(':'), notFollowedBy(satisfy((found) => found === ':'))],
  () => ':',
)

const alias = option(attempt(sequence([fieldName, aliasSeparator], (name) => name)), NOTHING)

type EmbedParameter =
  | { readonly kind: 'join'; readonly join: JoinKind }
  | { readonly kind: 'hint'; readonly hint: string }

const embedParameter: Parser<EmbedParameter> = sequence(
  [
    char('!'),
    oneOf<EmbedParameter>(
      map(attempt(word('left')), () => ({ kind: 'join', join: 'left' })),
      map(attempt(word('inner')), () => ({ kind: 'join', join: 'inner' })),
      map(attempt(fieldName), (hint) => ({ kind: 'hint', hint })),
    ),
  ],
  (_, parameter) => parameter,
)

const embedParameters = sequence(
  [option(embedParameter, NOTHING), option(embedParameter, NOTHING)],
  (first, second) => ({
    hint: hintOf(first) ?? hintOf(second),
    join: joinOf(first) ?? joinOf(second),
  }),
)

const opening = attempt(ahead(word('(')))

interface EmbedHead {
  readonly relation: string
  readonly alias: string | undefined
  readonly hint: string | undefined
  readonly join: JoinKind | undefined
  readonly isSpread: boolean
}

const spreadHead: Parser<EmbedHead> = lexeme(
  sequence(
    [sequence([word('...'), fieldName], (_, name) => name), embedParameters, opening],
    (relation, { hint, join }) => ({ relation, alias: NOTHING, hint, join, isSpread: true }),
  ),
)

// `count(` starts an aggregate, not an embed called `count`.
const embedHead: Parser<EmbedHead> = lexeme(
  sequence(
    [alias, filter(fieldName, (name) => name !== 'count'), embedParameters, opening],
    (name, relation, { hint, join }) => ({ relation, alias: name, hint, join, isSpread: false }),
  ),
)

const itemEnd = oneOf<unknown>(
  attempt(ahead(word(')'))),
  attempt(ahead(word(','))),
  attempt(endOfInput),
)

const cast = option(
  sequence([word('::'), identifierText], (_, name) => name),
  NOTHING,
)

const aggregateName: Parser<Aggregate> = oneOf<Aggregate>(
  map(word('sum'), () => 'sum'),
  map(word('avg'), () => 'avg'),
  map(word('count'), () => 'count'),
  map(attempt(word('max')), () => 'max'),
  map(attempt(word('min')), () => 'min'),
)

const aggregate = option(
  attempt(sequence([char('.'), aggregateName, word('()')], (_, name) => name)),
  NOTHING,
)

const star: Parser<SelectItem> = attempt(
  sequence([word('*'), itemEnd], () => fieldItem({ field: { name: '*', path: [] } })),
)

const countAll: Parser<SelectItem> = attempt(
  sequence([alias, word('count()'), cast, itemEnd], (name, _, aggregateCast) =>
    fieldItem({ field: { name: '*', path: [] }, aggregate: 'count', aggregateCast, alias: name }),
  ),
)

const plainField: Parser<SelectItem> = sequence(
  [alias, field, cast, aggregate, cast, itemEnd],
  (name, column, fieldCast, aggregated, aggregateCast) =>
    fieldItem({
      field: column,
      cast: fieldCast,
      aggregate: aggregated,
      aggregateCast,
      alias: name,
    }),
)

const fieldSelect = lexeme(oneOf(star, countAll, plainField))

const nested: Parser<readonly SelectItem[]> = sequence(
  [char('('), lazy(() => selectList, MAX_EMBED_DEPTH), char(')')],
  (_, items) => items,
)

const embedItem = (head: Parser<EmbedHead>): Parser<SelectItem> =>
  sequence([attempt(head), nested], (embed, select) => ({ kind: 'embed', ...embed, select }))

const item: Parser<SelectItem> = oneOf(embedItem(spreadHead), embedItem(embedHead), fieldSelect)

/** The value of `select`; an empty value selects nothing. */
export const selectList: Parser<readonly SelectItem[]> = option(
  separated(item, lexeme(char(','))),
  [],
)

function fieldItem(
  given: Partial<Extract<SelectItem, { kind: 'field' }>> &
    Pick<Extract<SelectItem, { kind: 'field' }>, 'field'>,
): SelectItem {
  return {
    kind: 'field',
    aggregate: NOTHING,
    aggregateCast: NOTHING,
    cast: NOTHING,
    alias: NOTHING,
    ...given,
  }
}

function hintOf(parameter: EmbedParameter | undefined): string | undefined {
  return parameter?.kind === 'hint' ? parameter.hint : undefined
}

function joinOf(parameter: EmbedParameter | undefined): JoinKind | undefined {
  return parameter?.kind === 'join' ? parameter.join : undefined
}
