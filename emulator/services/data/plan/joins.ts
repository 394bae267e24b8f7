// Joins the levels of a read plan along their relationships, and resolves orders and filters that refer to an embed. planRead
// calls these functions (PostgREST, "Resource Embedding", "Related Order", "Null filtering on embedded resources"). Pure.
import { DataError } from '../errors.ts'
import type { ApiRequest } from '../request/api-request.ts'
import {
  type ColumnPairs,
  isToOne,
  type Relationship,
  type SchemaCache,
} from '../schema-cache/schema-cache.ts'
import type { QualifiedName } from '../settings.ts'
import { type Draft, nameOfEmbed, notEmbedded } from './draft.ts'
import { findRelationship } from './find-relationship.ts'
import {
  type JoinCondition,
  type PlannedLogic,
  type PlannedOrder,
  SOURCE_NAME,
  type Source,
} from './plan.ts'

export function joinLevels(cache: SchemaCache, request: ApiRequest, root: Draft): void {
  if (request.action.kind !== 'read') {
    root.source = { schema: undefined, name: SOURCE_NAME }
    root.sourceAlias = root.relation.name
  }
  for (const child of root.children) joinTo(cache, request.schema, root, child)
}

export function resolveRelatedOrders(draft: Draft): void {
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

// `embed=is.null` selects the rows whose embed is empty.
export function resolveEmbedFilters(draft: Draft, tree: PlannedLogic): PlannedLogic {
  if (tree.kind === 'group')
    return { ...tree, members: tree.members.map((member) => resolveEmbedFilters(draft, member)) }
  if (tree.kind !== 'filter') return tree
  const { field, operation, isNegated } = tree.filter
  if (operation.kind !== 'is' || operation.value !== 'null' || field.path.length > 0) return tree
  const target = draft.children.find((child) => nameOfEmbed(child) === field.name)
  if (target === undefined) return tree
  return { kind: 'embedIsNull', aggregateAlias: target.aggregateAlias, isNegated }
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
  // If the relationship has a junction, FROM lists the junction and the target, and the target keeps its own name.
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
