// Plans how an embed's rows appear in the parent's rows: as an object, an array, or spread over the parent's columns. Aggregates
// in a spread move to the level that groups the rows (PostgREST, "Spread embedded resource", "Aggregate functions in spreads").
// Pure.
import { DataError } from '../errors.ts'
import { isToOne } from '../schema-cache/schema-cache.ts'
import { type Draft, nameOfEmbed } from './draft.ts'
import type { EmbedSelect, PlannedOrder, PlannedSelect, SpreadField } from './plan.ts'
import { unknownField } from './resolve-field.ts'

/** Fills `embeds` of every level, and moves aggregates out of to-one spreads. */
export function planEmbeds(root: Draft): void {
  selectEmbeds(root)
  hoistAggregates(root)
}

function selectEmbeds(draft: Draft): void {
  for (const child of draft.children) selectEmbeds(child)
  draft.embeds = draft.children.map(embedOf)
}

function embedOf(child: Draft): EmbedSelect {
  const { aggregateAlias, relationship } = child
  if (child.spread !== undefined)
    return { kind: 'spread', aggregateAlias, fields: spreadFields(child) }
  return {
    kind: relationship !== undefined && isToOne(relationship) ? 'object' : 'array',
    name: nameOfEmbed(child),
    aggregateAlias,
    isEmpty: selectsNothing(child),
  }
}

function selectsNothing(draft: Draft): boolean {
  return draft.select.length === 0 && draft.children.every(selectsNothing)
}

function spreadFields(child: Draft): readonly SpreadField[] {
  const own = child.select.map(({ alias, field }) => spreadField(alias ?? field.name))
  const below = child.embeds.flatMap((embed) =>
    embed.kind === 'spread' ? embed.fields : [spreadField(embed.name)],
  )
  return [...own, ...below]
}

function spreadField(name: string): SpreadField {
  return { name, aggregate: undefined, aggregateCast: undefined, alias: undefined }
}

interface Hoisted {
  readonly from: string
  readonly name: string
  readonly selected: PlannedSelect
}

// An aggregate in a to-one subquery would get only one row. So the aggregate moves up to the nearest level that groups rows.
function hoistAggregates(draft: Draft): readonly Hoisted[] {
  const fromChildren = draft.children.flatMap(hoistAggregates)
  const isSpreadToOne = draft.spread?.kind === 'toOne'
  const own = isSpreadToOne ? takeAggregates(draft) : []
  if (isSpreadToOne)
    return [...own, ...fromChildren.map((each) => ({ ...each, from: draft.aggregateAlias }))]
  draft.embeds = draft.embeds.map((embed) => withAggregates(embed, fromChildren))
  return []
}

function takeAggregates(draft: Draft): readonly Hoisted[] {
  const taken = draft.select.flatMap((selected) =>
    selected.aggregate === undefined
      ? []
      : [
          {
            from: draft.aggregateAlias,
            name: selected.alias ?? selected.field.name,
            selected,
          },
        ],
  )
  draft.select = draft.select.map((selected) => ({
    ...selected,
    ...(selected.aggregate === undefined ? {} : { aggregate: undefined, aggregateCast: undefined }),
  }))
  return taken
}

function withAggregates(embed: EmbedSelect, hoisted: readonly Hoisted[]): EmbedSelect {
  if (embed.kind !== 'spread') return embed
  const fields = embed.fields.map((field) => {
    const found = hoisted.find(
      (each) => each.from === embed.aggregateAlias && each.name === field.name,
    )
    if (found === undefined) return field
    const { aggregate, aggregateCast, alias } = found.selected
    return { ...field, aggregate, aggregateCast, alias }
  })
  return { ...embed, fields }
}

/**
 * Orders the rows of a to-many spread while they are aggregated, and selects the columns needed for this order.
 * @throws {DataError} PGRST127 for aggregates in such a spread.
 */
export function planToManyOrders(draft: Draft): void {
  if (draft.spread?.kind !== 'toMany') return
  const aggregates =
    draft.select.some(({ aggregate }) => aggregate !== undefined) ||
    draft.embeds.some(
      (embed) =>
        embed.kind === 'spread' && embed.fields.some(({ aggregate }) => aggregate !== undefined),
    )
  if (aggregates)
    throw new DataError('PGRST127', 'Feature not implemented', {
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    })
  const terms = draft.order.map((term, index) => orderedBy(draft.aggregateAlias, term, index + 1))
  draft.spread = {
    kind: 'toMany',
    extraSelect: terms.map(({ extra }) => extra),
    order: terms.map(({ order }) => order),
  }
  draft.order = []
}

function orderedBy(aggregateAlias: string, term: PlannedOrder, position: number) {
  const alias = `${aggregateAlias}_${term.field.name}_${position}`
  return {
    extra: {
      relation: term.relation,
      select: {
        field: term.field,
        aggregate: undefined,
        aggregateCast: undefined,
        cast: undefined,
        alias,
      },
    },
    order: { ...term, relation: undefined, field: unknownField(alias) },
  }
}
