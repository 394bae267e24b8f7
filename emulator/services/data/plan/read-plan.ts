// Plans `select` with its filters, orders and bounds as a tree of joined levels (PostgREST, "Resource Embedding"). Each step
// fills one part of the draft. The steps run in the order of PostgREST's planner. Pure.
import { DataError } from '../errors.ts'
import type { ApiRequest } from '../request/api-request.ts'
import { isLimitZero, NO_ROWS, type Range, restrict } from '../request/range.ts'
import { keyOf, type SchemaCache, type Table } from '../schema-cache/schema-cache.ts'
import type { DataSettings, QualifiedName } from '../settings.ts'
import { addFilters, addLogic, addOrders, addRanges } from './conditions.ts'
import { type Draft, draftOf, levelsOf } from './draft.ts'
import { planEmbeds, planToManyOrders } from './embeds.ts'
import { joinLevels, resolveEmbedFilters, resolveRelatedOrders } from './joins.ts'
import type { PlannedSelect, ReadPlan } from './plan.ts'
import { asOutput, fieldOfColumn, hasOutputForms } from './resolve-field.ts'

/**
 * Plans which rows the response shows: rows of a relation, or the rows that a mutation or a function returned.
 * @throws {DataError} PGRST108, 118, 123, 127, 200, 201
 */
export function planRead(
  cache: SchemaCache,
  request: ApiRequest,
  relation: QualifiedName,
  settings: DataSettings,
): ReadPlan {
  const root = draftOf(cache, relation, request.query.select)
  addFilters(cache, request, root)
  addOrders(cache, request, root)
  addRanges(request, root)
  addLogic(cache, request, root)
  joinLevels(cache, request, root)
  expandStars(cache, root)
  nameFields(root)
  for (const draft of levelsOf(root)) resolveRelatedOrders(draft)
  for (const draft of levelsOf(root))
    draft.where = draft.where.map((tree) => resolveEmbedFilters(draft, tree))
  if (!settings.aggregatesEnabled) refuseAggregates(root)
  planEmbeds(root)
  for (const draft of levelsOf(root)) planToManyOrders(draft)
  if (request.action.kind !== 'mutate') restrictRanges(root, settings.maxRows)
  return root
}

function refuseAggregates(root: Draft): void {
  for (const draft of levelsOf(root))
    if (draft.select.some((selected) => selected.aggregate !== undefined))
      throw new DataError('PGRST123', 'Use of aggregate functions is not allowed')
}

function restrictRanges(root: Draft, maxRows: number | undefined): void {
  if (maxRows === undefined) return
  for (const draft of levelsOf(root)) draft.range = restricted(draft.range, BigInt(maxRows))
}

function restricted(range: Range, maxRows: bigint): Range {
  return isLimitZero(range) ? NO_ROWS : restrict(range, maxRows)
}

// Replaces `*` by column names when rows are grouped or aggregated, or when columns have a conversion to JSON.
function expandStars(cache: SchemaCache, draft: Draft, isWithinAggregate = false): void {
  const aggregates =
    isWithinAggregate ||
    draft.select.some((selected) => selected.aggregate !== undefined) ||
    draft.spread?.kind === 'toMany'
  const table = cache.tables.get(keyOf(draft.relation))
  // If the columns of a function's result are unknown, `*` expands to no column.
  if (aggregates || (table !== undefined && hasOutputForms(cache, table)))
    draft.select = draft.select.flatMap((selected) =>
      expandOne(cache, table, selected, draft.spread !== undefined),
    )
  for (const child of draft.children) expandStars(cache, child, aggregates)
}

function expandOne(
  cache: SchemaCache,
  table: Table | undefined,
  selected: PlannedSelect,
  isSpread: boolean,
): readonly PlannedSelect[] {
  const { field, aggregate } = selected
  if (field.name !== '*' || field.path.length > 0) return [selected]
  if (aggregate === undefined)
    return [...(table?.columns.values() ?? [])].map((column) => ({
      ...selected,
      field: asOutput(cache, fieldOfColumn(column)),
    }))
  // In a spread, `count(*)` would count all joined rows. Counting the embed's whole row excludes the rows without an embed.
  if (aggregate === 'count' && isSpread)
    return [{ ...selected, field: { ...field, isWholeRow: true } }]
  return [selected]
}

// Adds aliases to fields that Postgres would name differently: JSON paths, converted columns and aggregates in spreads.
function nameFields(root: Draft): void {
  for (const draft of levelsOf(root))
    draft.select = draft.select.map((selected) => {
      if (selected.alias !== undefined) return selected
      const alias = nameFor(selected, draft.spread !== undefined)
      return alias === undefined ? selected : { ...selected, alias }
    })
}

function nameFor(selected: PlannedSelect, isSpread: boolean): string | undefined {
  const { field, aggregate } = selected
  if (aggregate !== undefined) return isSpread ? aggregate : undefined
  if (field.path.length === 0) return field.transform === undefined ? undefined : field.name
  for (const { operand } of field.path.toReversed()) if (operand.kind === 'key') return operand.key
  return field.name
}
