// Adds a request's filters, orders and bounds to the levels of a read plan. planRead calls these functions in the order of
// PostgREST's planner (PostgREST, "Horizontal Filtering", "Ordering", "Pagination"). Pure.
import type { ApiRequest, LogicTree, OrderTerm } from '../request/api-request.ts'
import type { SchemaCache } from '../schema-cache/schema-cache.ts'
import type { QualifiedName } from '../settings.ts'
import { changeAt, type Draft } from './draft.ts'
import type { PlannedField, PlannedLogic } from './plan.ts'
import { resolveField, resolveFiltered, unknownField } from './resolve-field.ts'

export function addFilters(cache: SchemaCache, request: ApiRequest, root: Draft): void {
  for (const { path, value } of request.query.filters.toReversed()) {
    if (!isAboutReading(request, path)) continue
    changeAt(root, path, (draft) => {
      const planned = planFilter(cache, draft.relation, { kind: 'filter', filter: value })
      draft.where = [planned, ...draft.where]
    })
  }
}

export function addOrders(cache: SchemaCache, request: ApiRequest, root: Draft): void {
  for (const { path, value } of request.query.order.toReversed())
    changeAt(root, path, (draft) => {
      draft.order = value.map((term) => ({
        relation: term.relation,
        field: orderedField(cache, draft, term),
        direction: term.direction,
        nulls: term.nulls,
      }))
    })
}

export function addRanges(request: ApiRequest, root: Draft): void {
  if (request.action.kind === 'mutate') return
  root.range = request.range
  for (const { path, value } of request.query.ranges.toReversed())
    changeAt(root, path, (draft) => {
      draft.range = value
    })
}

export function addLogic(cache: SchemaCache, request: ApiRequest, root: Draft): void {
  for (const { path, value } of request.query.logic.toReversed()) {
    if (!isAboutReading(request, path)) continue
    changeAt(root, path, (draft) => {
      draft.where = [planFilter(cache, draft.relation, value), ...draft.where]
    })
  }
}

/** Plans a filter, or a tree of filters, on columns of `table`. */
export function planFilter(
  cache: SchemaCache,
  table: QualifiedName,
  tree: LogicTree,
): PlannedLogic {
  if (tree.kind === 'group')
    return { ...tree, members: tree.members.map((member) => planFilter(cache, table, member)) }
  const { field, isNegated, operation } = tree.filter
  return {
    kind: 'filter',
    filter: { field: resolveFiltered(cache, table, field, operation), isNegated, operation },
  }
}

// Root filters of a mutation select the rows to change. Only a mutation's filters on embeds affect which rows are read back.
function isAboutReading(request: ApiRequest, path: readonly string[]): boolean {
  return request.action.kind !== 'mutate' || path.length > 0
}

// Looks up column types only at the root, because the relations of embeds are not yet known.
function orderedField(
  cache: SchemaCache,
  draft: Draft,
  { relation, field }: OrderTerm,
): PlannedField {
  if (relation !== undefined) return { ...unknownField(field.name), path: field.path }
  if (draft.depth > 0) return { ...unknownField(field.name), path: field.path, toJson: true }
  return resolveField(cache, draft.relation, field)
}
