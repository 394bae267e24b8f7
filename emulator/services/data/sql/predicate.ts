// Compiles filters and trees of filters to conditions (PostgREST, "Operators", "Logical operators"). Pure; never throws.
import { join, type Sql, sql } from '../../../database/sql.ts'
import type { PlannedField, PlannedFilter, PlannedLogic, Source } from '../plan/plan.ts'
import type {
  IsValue,
  Operation,
  QuantifiableOperator,
  SimpleOperator,
  TextSearchOperator,
} from '../request/api-request.ts'
import { converted, fieldOf, quoted } from './fragments.ts'

/** Compiles the test whether the embed with this alias is empty. */
export type EmbedCondition = (aggregateAlias: string, isNegated: boolean) => Sql

/** The embed is joined as a subquery. If the embed is empty, the subquery's whole row is null. */
export const joinedEmbed: EmbedCondition = (aggregateAlias, isNegated) =>
  isNegated
    ? sql`${quoted(aggregateAlias)} is distinct from null`
    : sql`${quoted(aggregateAlias)} is not distinct from null`

export function conditionOf(
  source: Source,
  tree: PlannedLogic,
  embedCondition: EmbedCondition = joinedEmbed,
): Sql {
  switch (tree.kind) {
    case 'filter':
      return filterOf(source, tree.filter)
    case 'embedIsNull':
      return embedCondition(tree.aggregateAlias, tree.isNegated)
    case 'group': {
      const members = tree.members.map((member) => conditionOf(source, member, embedCondition))
      const joined = sql`(${join(members, tree.connective === 'and' ? ' and ' : ' or ')})`
      return tree.isNegated ? sql`not ${joined}` : joined
    }
    default:
      return tree satisfies never
  }
}

function filterOf(source: Source, { field, isNegated, operation }: PlannedFilter): Sql {
  const test = sql`${fieldOf(source, field)} ${comparison(field, operation)}`
  return isNegated ? sql`not ${test}` : test
}

const SIMPLE: Readonly<Record<SimpleOperator, Sql>> = {
  neq: sql`<>`,
  cs: sql`@>`,
  cd: sql`<@`,
  ov: sql`&&`,
  sl: sql`<<`,
  sr: sql`>>`,
  nxr: sql`&<`,
  nxl: sql`&>`,
  adj: sql`-|-`,
}

interface Quantifiable {
  readonly sign: Sql
  /** Replaces `*` by `%` in a `pattern`. */
  readonly operand: 'value' | 'pattern'
}

const QUANTIFIABLE: Readonly<Record<QuantifiableOperator, Quantifiable>> = {
  eq: { sign: sql`=`, operand: 'value' },
  gte: { sign: sql`>=`, operand: 'value' },
  gt: { sign: sql`>`, operand: 'value' },
  lte: { sign: sql`<=`, operand: 'value' },
  lt: { sign: sql`<`, operand: 'value' },
  like: { sign: sql`like`, operand: 'pattern' },
  ilike: { sign: sql`ilike`, operand: 'pattern' },
  match: { sign: sql`~`, operand: 'value' },
  imatch: { sign: sql`~*`, operand: 'value' },
}

const TEXT_SEARCH: Readonly<Record<TextSearchOperator, Sql>> = {
  fts: sql`@@ to_tsquery`,
  plfts: sql`@@ plainto_tsquery`,
  phfts: sql`@@ phraseto_tsquery`,
  wfts: sql`@@ websearch_to_tsquery`,
}

// SQL's `is` accepts no parameter. These keywords are the only values that the grammar allows.
const IS: Readonly<Record<IsValue, Sql>> = {
  null: sql`is null`,
  not_null: sql`is not null`,
  true: sql`is true`,
  false: sql`is false`,
  unknown: sql`is unknown`,
}

function comparison(field: PlannedField, operation: Operation): Sql {
  switch (operation.kind) {
    case 'simple':
      return sql`${SIMPLE[operation.operator]} ${converted(field, sql`${operation.value}`)}`
    case 'quantifiable':
      return quantified(field, operation)
    case 'in':
      return oneOf(field, operation.values)
    case 'is':
      return IS[operation.value]
    case 'isDistinct':
      return sql`is distinct from ${operation.value}`
    case 'textSearch': {
      const { language, value } = operation
      const start = TEXT_SEARCH[operation.operator]
      return language === undefined ? sql`${start}(${value})` : sql`${start}(${language}, ${value})`
    }
    default:
      return operation satisfies never
  }
}

function quantified(
  field: PlannedField,
  { operator, quantifier, value }: Extract<Operation, { kind: 'quantifiable' }>,
): Sql {
  const { sign, operand: kind } = QUANTIFIABLE[operator]
  const operand =
    kind === 'pattern' ? sql`${value.replaceAll('*', '%')}` : converted(field, sql`${value}`)
  if (quantifier === undefined) return sql`${sign} ${operand}`
  const word = quantifier === 'any' ? sql`any` : sql`all`
  return sql`${sign} ${word}(${operand})`
}

// Passes all values as one array parameter, so that the statement is the same for any number of values.
function oneOf(field: PlannedField, values: readonly string[]): Sql {
  const array = values.length === 1 && values[0] === '' ? '{}' : arrayLiteral(values)
  if (field.transform === undefined) return sql`= any (${array})`
  return sql`= any (select ${converted(field, sql`unnest(${array}::text[])`)})`
}

/** Formats an array of text in Postgres's syntax (PostgreSQL, "Array Value Input"). */
export function arrayLiteral(values: readonly string[]): string {
  const members = values.map(
    (value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  )
  return `{${members.join(',')}}`
}
