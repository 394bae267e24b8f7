// Plans `select` with its filters, orders and bounds as a tree of joined levels (PostgREST, "Resource Embedding"). Each step
// fills one part of the draft. The steps run in the order of PostgREST's planner. Pure.
import { DataError } from '../errors.ts'
import type { ApiRequest } from '../request/api-request.ts'
import { isLimitZero, NO_ROWS, type Range, restrict } from '../request/range.ts'
import type { SchemaCache } from '../schema-cache/schema-cache.ts'
import type { DataSettings, QualifiedName } from '../settings.ts'
import { addFilters, addLogic, addOrders, addRanges } from './conditions.ts'
import { type Draft, draftOf, levelsOf } from './draft.ts'
import { planEmbeds, planToManyOrders } from './embeds.ts'
import { joinLevels, resolveEmbedFilters, resolveRelatedOrders } from './joins.ts'
import type { ReadPlan } from './plan.ts'
import { expandStars, nameFields } from './selected-fields.ts'

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
