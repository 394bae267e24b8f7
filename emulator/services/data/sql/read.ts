// Compiles read plans to selects with lateral joins (PostgREST, "Resource Embedding"). Pure; never throws.
import { EMPTY, join, type Sql, sql } from '../../../database/sql.ts'
import type {
  EmbedSelect,
  JoinCondition,
  PlannedOrder,
  PlannedSelect,
  ReadPlan,
  Source,
  SpreadField,
} from '../plan/plan.ts'
import { unknownField } from '../plan/resolve-field.ts'
import { isAllRows, limitOf, type Range } from '../request/range.ts'
import {
  aggregated,
  clause,
  columnOf,
  fieldOf,
  local,
  named,
  quoted,
  selectedOf,
  sourceName,
} from './fragments.ts'
import { conditionOf, type EmbedCondition } from './predicate.ts'

/** Compiles the query for one level's rows, joined with the rows of its embeds. */
export function compileRead(plan: ReadPlan): Sql {
  const source = rowsOf(plan)
  const conditions = [
    ...plan.where.map((tree) => conditionOf(source, tree)),
    ...plan.joinConditions.map(joinCondition),
  ]
  const parts = [
    sql`select ${join(selectList(plan, source))}`,
    fromClause(plan),
    ...plan.embeds.map((embed) => joinOf(embed, plan.children)),
    clause(sql`where`, conditions, ' and '),
    groupClause(plan, source),
    orderClause(source, plan.order),
    limitClause(plan.range),
  ]
  return join(
    parts.filter((part) => part !== EMPTY),
    '\n',
  )
}

/**
 * Compiles a select that returns one row for each row to count. The count respects conditions, inner embeds and null filters,
 * but not limit and offset (PostgREST, "Exact Count", "Top-level filtering").
 */
export function compileCount(plan: ReadPlan): Sql {
  const source = rowsOf(plan)
  const embedCondition: EmbedCondition = (aggregateAlias, isNegated) => {
    const child = plan.children.find((each) => each.aggregateAlias === aggregateAlias)
    if (child === undefined) return sql`true`
    const rows = compileCount(child)
    return isNegated ? sql`exists (${rows})` : sql`not exists (${rows})`
  }
  const conditions = [
    ...plan.where.map((tree) => conditionOf(source, tree, embedCondition)),
    ...plan.joinConditions.map(joinCondition),
    ...plan.children
      .filter((child) => child.join === 'inner')
      .map((child) => sql`exists (${compileCount(child)})`),
  ]
  const parts = [sql`select 1`, fromClause(plan), clause(sql`where`, conditions, ' and ')]
  return join(
    parts.filter((part) => part !== EMPTY),
    ' ',
  )
}

/** The relation or alias that qualifies this level's own columns. */
function rowsOf(plan: ReadPlan): Source {
  if (plan.relationship?.kind === 'computed')
    return local(plan.sourceAlias ?? plan.relationship.routine.name)
  return plan.sourceAlias === undefined ? plan.source : local(plan.sourceAlias)
}

/** Compiles FROM with this level's relation, and with the junction table of a many-to-many embed. */
function fromClause(plan: ReadPlan): Sql {
  const { relationship, sourceAlias } = plan
  const alias = sourceAlias === undefined ? EMPTY : sql` as ${quoted(sourceAlias)}`
  if (relationship?.kind === 'computed') {
    const row = quoted(plan.parentAlias ?? relationship.table.name)
    // The cast selects the overload that takes a row of this relation.
    return sql`from ${sourceName(relationship.routine)}(${row}::${sourceName(relationship.table)})${alias}`
  }
  const junction =
    relationship?.kind === 'foreignKey' && relationship.cardinality.kind === 'manyToMany'
      ? sql`, ${sourceName(relationship.cardinality.junction.table)}`
      : EMPTY
  return sql`from ${sourceName(plan.source)}${alias}${junction}`
}

function joinCondition({ left, right }: JoinCondition): Sql {
  return sql`${columnOf(...left)} = ${columnOf(...right)}`
}

export function orderClause(source: Source, terms: readonly PlannedOrder[]): Sql {
  return clause(
    sql`order by`,
    terms.map((term) => orderTerm(source, term)),
  )
}

const WHOLE_ROW: PlannedSelect = {
  field: unknownField('*'),
  aggregate: undefined,
  aggregateCast: undefined,
  cast: undefined,
  alias: undefined,
}

function selectList(plan: ReadPlan, source: Source): readonly Sql[] {
  const isEmpty = plan.select.length === 0 && plan.children.length === 0
  const own = isEmpty ? [WHOLE_ROW] : plan.select
  const extra = plan.spread?.kind === 'toMany' ? plan.spread.extraSelect : []
  return [
    ...own.map((selected) => selectedOf(source, selected)),
    ...extra.map(({ relation, select }) =>
      selectedOf(relation === undefined ? source : local(relation), select),
    ),
    ...plan.embeds.flatMap(embedColumns),
  ]
}

function embedColumns(embed: EmbedSelect): readonly Sql[] {
  const alias = quoted(embed.aggregateAlias)
  switch (embed.kind) {
    case 'object':
      return embed.isEmpty ? [] : [sql`row_to_json(${alias}.*)::jsonb as ${quoted(embed.name)}`]
    case 'array':
      return embed.isEmpty ? [] : [sql`coalesce(${alias}.${alias}, '[]') as ${quoted(embed.name)}`]
    case 'spread':
      return embed.fields.map((field) => {
        const value = columnOf(local(embed.aggregateAlias), field.name)
        return named(aggregated(value, field.aggregate, field.aggregateCast), field.alias)
      })
    default:
      return embed satisfies never
  }
}

function joinOf(embed: EmbedSelect, children: readonly ReadPlan[]): Sql {
  const child = children.find(({ aggregateAlias }) => aggregateAlias === embed.aggregateAlias)
  if (child === undefined) return EMPTY
  const isInner = child.join === 'inner'
  const kind = isInner ? sql`inner join lateral` : sql`left join lateral`
  const alias = quoted(embed.aggregateAlias)
  const rows = compileRead(child)
  const isToMany =
    embed.kind === 'array' || (embed.kind === 'spread' && child.spread?.kind === 'toMany')
  if (!isToMany) return sql`${kind} (\n${rows}\n) as ${alias} on true`
  const whole = sql`json_agg(${alias})::jsonb as ${alias}`
  const columns = embed.kind === 'spread' ? spreadColumns(embed.fields, child) : []
  const test = isInner ? sql`${alias} is not null` : sql`true`
  return sql`${kind} (
select ${join([whole, ...columns])}
from (\n${rows}\n) as ${alias}
) as ${alias} on ${test}`
}

function spreadColumns(fields: readonly SpreadField[], child: ReadPlan): readonly Sql[] {
  const rows = local(child.aggregateAlias)
  const order = child.spread?.kind === 'toMany' ? orderClause(rows, child.spread.order) : EMPTY
  return fields.map(
    ({ name, alias }) =>
      sql`coalesce(json_agg(${columnOf(rows, name)} ${order}), '[]')::jsonb as ${quoted(alias ?? name)}`,
  )
}

function orderTerm(source: Source, { relation, field, direction, nulls }: PlannedOrder): Sql {
  const value = fieldOf(relation === undefined ? source : local(relation), field)
  const way = direction === undefined ? EMPTY : direction === 'asc' ? sql` asc` : sql` desc`
  const rest =
    nulls === undefined ? EMPTY : nulls === 'first' ? sql` nulls first` : sql` nulls last`
  return sql`${value}${way}${rest}`
}

// Groups by every selected column that is not an aggregate.
function groupClause(plan: ReadPlan, source: Source): Sql {
  const spreads = plan.embeds.flatMap((embed) => (embed.kind === 'spread' ? embed.fields : []))
  const aggregates = [...plan.select, ...spreads].some(({ aggregate }) => aggregate !== undefined)
  if (!aggregates) return EMPTY
  const own = plan.select.flatMap(({ aggregate, alias, field }) => {
    if (aggregate !== undefined) return []
    return [alias === undefined ? fieldOf(source, field) : quoted(alias)]
  })
  const embedded = plan.embeds.flatMap((embed) => {
    if (embed.kind !== 'spread') return [quoted(embed.name)]
    return embed.fields
      .filter(({ aggregate }) => aggregate === undefined)
      .map(({ name, alias }) => columnOf(local(embed.aggregateAlias), alias ?? name))
  })
  return clause(sql`group by`, [...own, ...embedded])
}

function limitClause(range: Range): Sql {
  if (isAllRows(range)) return EMPTY
  const limit = limitOf(range)
  return limit === undefined
    ? sql`limit all offset ${range.lower}`
    : sql`limit ${limit} offset ${range.lower}`
}
