// Compiles the count of a read's rows. The count respects conditions, inner embeds and null filters, but not limit and offset
// (PostgREST, "Exact Count", "Top-level filtering"). Pure; never throws.
import { EMPTY, join, type Sql, sql } from '../../database/sql.ts'
import type { ReadPlan } from '../plan/plan.ts'
import { clause } from './fragments.ts'
import { conditionOf, type EmbedCondition } from './predicate.ts'
import { fromClause, joinCondition, rowsOf } from './read.ts'

/** Compiles a select that returns one row for each row to count. */
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
