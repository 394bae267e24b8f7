// A select with its filters, orders and bounds to a tree of joined levels (PostgREST, "Resource Embedding", "Horizontal
// Filtering"). Each step fills one part of the draft; their order is that of PostgREST's planner. Pure.
import { DataError } from '../errors.ts'
import type { ApiRequest, LogicTree, OrderTerm } from '../request/api-request.ts'
import { isLimitZero, NO_ROWS, type Range, restrict } from '../request/range.ts'
import {
  type ColumnPairs,
  isToOne,
  type Relationship,
  type SchemaCache,
} from '../schema-cache/schema-cache.ts'
import type { DataSettings, QualifiedName } from '../settings.ts'
import { changeAt, type Draft, draftOf, levelsOf, nameOfEmbed, notEmbedded } from './draft.ts'
import { planEmbeds, planToManyOrders } from './embeds.ts'
import { findRelationship } from './find-relationship.ts'
import {
  type JoinCondition,
  type PlannedField,
  type PlannedLogic,
  type PlannedOrder,
  type ReadPlan,
  SOURCE_NAME,
  type Source,
} from './plan.ts'
import { resolveField, resolveFiltered, unknownField } from './resolve-field.ts'
import { expandStars, nameFields } from './selected-fields.ts'

/**
 * Plans the reading part of a request: of a relation, or of the rows a mutation or a function left.
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

// A mutation's own filters say which rows change; only those of embeds are about the reading.
function isAboutReading(request: ApiRequest, path: readonly string[]): boolean {
  return request.action.kind !== 'mutate' || path.length > 0
}

function addFilters(cache: SchemaCache, request: ApiRequest, root: Draft): void {
  for (const { path, value } of request.query.filters.toReversed()) {
    if (!isAboutReading(request, path)) continue
    changeAt(root, path, (draft) => {
      const planned = planFilter(cache, draft.relation, { kind: 'filter', filter: value })
      draft.where = [planned, ...draft.where]
    })
  }
}

function addLogic(cache: SchemaCache, request: ApiRequest, root: Draft): void {
  for (const { path, value } of request.query.logic.toReversed()) {
    if (!isAboutReading(request, path)) continue
    changeAt(root, path, (draft) => {
      draft.where = [planFilter(cache, draft.relation, value), ...draft.where]
    })
  }
}

/** A filter or a tree of them over the columns of `table`. */
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

function addOrders(cache: SchemaCache, request: ApiRequest, root: Draft): void {
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

// Which relation an embed is of is not known yet, and of a related one nothing is asked: only at the root a JSON column
// can be followed as it is.
function orderedField(
  cache: SchemaCache,
  draft: Draft,
  { relation, field }: OrderTerm,
): PlannedField {
  if (relation !== undefined) return { ...unknownField(field.name), path: field.path }
  if (draft.depth > 0) return { ...unknownField(field.name), path: field.path, toJson: true }
  return resolveField(cache, draft.relation, field)
}

function addRanges(request: ApiRequest, root: Draft): void {
  if (request.action.kind === 'mutate') return
  root.range = request.range
  for (const { path, value } of request.query.ranges.toReversed())
    changeAt(root, path, (draft) => {
      draft.range = value
    })
}

function joinLevels(cache: SchemaCache, request: ApiRequest, root: Draft): void {
  if (request.action.kind !== 'read') {
    root.source = { schema: undefined, name: SOURCE_NAME }
    root.sourceAlias = root.relation.name
  }
  for (const child of root.children) joinTo(cache, request.schema, root, child)
}

function joinTo(cache: SchemaCache, schema: string, parent: Draft, draft: Draft): void {
  const origin =
    parent.depth === 0 ? (parent.sourceAlias ?? parent.source.name) : parent.source.name
  const relationship = findRelationship(cache, schema, origin, draft.name, draft.hint)
  const { foreignTable } = relationship
  const isJunction =
    relationship.kind === 'foreignKey' && relationship.cardinality.kind === 'manyToMany'
  draft.relationship = relationship
  draft.relation = foreignTable
  draft.source = foreignTable
  // A junction is joined implicitly, beside the target under its own name.
  draft.sourceAlias = isJunction ? undefined : `${foreignTable.name}_${draft.depth}`
  draft.aggregateAlias = `${relationship.table.name}_${nameOfEmbed(draft)}_${draft.depth}`
  draft.parentAlias = parent.sourceAlias
  draft.joinConditions = conditionsOf(relationship, draft.sourceAlias, parent.sourceAlias)
  if (draft.spread !== undefined && !isToOne(relationship))
    draft.spread = { kind: 'toMany', extraSelect: [], order: [] }
  for (const child of draft.children) joinTo(cache, schema, draft, child)
}

function conditionsOf(
  relationship: Relationship,
  alias: string | undefined,
  parentAlias: string | undefined,
): readonly JoinCondition[] {
  if (relationship.kind === 'computed') return []
  const { cardinality, table, foreignTable } = relationship
  const parent = aliased(parentAlias, table)
  if (cardinality.kind !== 'manyToMany')
    return pair(cardinality.columns, parent, aliased(alias, foreignTable))
  const { junction } = cardinality
  return [
    ...pair(junction.targetColumns, foreignTable, junction.table),
    ...pair(junction.sourceColumns, parent, junction.table),
  ]
}

function aliased(alias: string | undefined, table: QualifiedName): Source {
  return alias === undefined ? table : { schema: undefined, name: alias }
}

function pair(columns: ColumnPairs, own: Source, foreign: Source): JoinCondition[] {
  return columns.map(([column, foreignColumn]) => ({
    left: [foreign, foreignColumn],
    right: [own, column],
  }))
}

function resolveRelatedOrders(draft: Draft): void {
  draft.order = draft.order.map((term): PlannedOrder => {
    if (term.relation === undefined) return term
    const target = draft.children.find((child) => nameOfEmbed(child) === term.relation)
    if (target === undefined) throw notEmbedded(term.relation)
    if (target.relationship === undefined || !isToOne(target.relationship))
      throw new DataError(
        'PGRST118',
        `A related order on '${nameOfEmbed(target)}' is not possible`,
        {
          details: `'${draft.source.name}' and '${nameOfEmbed(target)}' do not form a many-to-one or one-to-one relationship`,
        },
      )
    return { ...term, relation: target.aggregateAlias }
  })
}

// `embed=is.null` asks whether the embed found nothing.
function resolveEmbedFilters(draft: Draft, tree: PlannedLogic): PlannedLogic {
  if (tree.kind === 'group')
    return { ...tree, members: tree.members.map((member) => resolveEmbedFilters(draft, member)) }
  if (tree.kind !== 'filter') return tree
  const { field, operation, isNegated } = tree.filter
  if (operation.kind !== 'is' || operation.value !== 'null' || field.path.length > 0) return tree
  const target = draft.children.find((child) => nameOfEmbed(child) === field.name)
  if (target === undefined) return tree
  return { kind: 'embedIsNull', aggregateAlias: target.aggregateAlias, isNegated }
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
