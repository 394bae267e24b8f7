// A read plan under construction: a tree with one level for the relation and each embed in `select`. The steps of planRead
// fill the draft. This module imports none of these steps.

import { DataError } from '../errors.ts'
import type { JoinKind, SelectItem } from '../request/api-request.ts'
import { ALL_ROWS, type Range } from '../request/range.ts'
import type { Relationship, SchemaCache } from '../schema-cache/schema-cache.ts'
import type { QualifiedName } from '../settings.ts'
import type {
  EmbedSelect,
  JoinCondition,
  PlannedLogic,
  PlannedOrder,
  PlannedSelect,
  Source,
  Spread,
} from './plan.ts'
import { resolveOutput } from './resolve-field.ts'

/** One level of the tree. After all steps of planRead, the level is a complete ReadPlan. */
export interface Draft {
  readonly depth: number
  readonly name: string
  readonly alias: string | undefined
  readonly hint: string | undefined
  readonly join: JoinKind | undefined
  /** The relation whose columns this level selects. */
  relation: QualifiedName
  source: Source
  sourceAlias: string | undefined
  select: readonly PlannedSelect[]
  where: readonly PlannedLogic[]
  order: readonly PlannedOrder[]
  range: Range
  relationship: Relationship | undefined
  parentAlias: string | undefined
  joinConditions: readonly JoinCondition[]
  aggregateAlias: string
  spread: Spread | undefined
  embeds: readonly EmbedSelect[]
  children: readonly Draft[]
}

/** Builds the tree from `select`. The root reads `relation`. */
export function draftOf(
  cache: SchemaCache,
  relation: QualifiedName,
  items: readonly SelectItem[],
): Draft {
  return level(cache, { relation, name: relation.name, depth: 0 }, items)
}

interface Level {
  readonly relation: QualifiedName
  readonly name: string
  readonly depth: number
  readonly embed?: Extract<SelectItem, { kind: 'embed' }>
}

function level(cache: SchemaCache, own: Level, items: readonly SelectItem[]): Draft {
  const { relation, name, depth, embed } = own
  return {
    depth,
    name,
    alias: embed?.alias,
    hint: embed?.hint,
    join: embed?.join,
    relation,
    source: relation,
    sourceAlias: undefined,
    select: items.flatMap((item) =>
      item.kind === 'embed'
        ? []
        : [
            {
              field: resolveOutput(cache, relation, item.field),
              aggregate: item.aggregate,
              aggregateCast: item.aggregateCast,
              cast: item.cast,
              alias: item.alias,
            },
          ],
    ),
    where: [],
    order: [],
    range: ALL_ROWS,
    relationship: undefined,
    parentAlias: undefined,
    joinConditions: [],
    aggregateAlias: '',
    spread: embed?.isSpread ? { kind: 'toOne' } : undefined,
    embeds: [],
    children: items.flatMap((item) => {
      if (item.kind !== 'embed') return []
      const below = { schema: relation.schema, name: item.relation }
      return [
        level(
          cache,
          { relation: below, name: item.relation, depth: depth + 1, embed: item },
          item.select,
        ),
      ]
    }),
  }
}

/**
 * Applies `change` to the level at `path`. Moves the level before its siblings, as PostgREST does.
 * @throws {DataError} PGRST108 when the path names no embed.
 */
export function changeAt(
  root: Draft,
  path: readonly string[],
  change: (draft: Draft) => void,
): void {
  let current = root
  for (const name of path) {
    const target = current.children.find((child) => child.name === name || child.alias === name)
    if (target === undefined) throw notEmbedded(name)
    current.children = [target, ...current.children.filter((child) => child !== target)]
    current = target
  }
  change(current)
}

/** The name under which an embed appears in its parent's rows. */
export function nameOfEmbed(draft: Draft): string {
  return draft.alias ?? draft.name
}

export function notEmbedded(name: string): DataError {
  return new DataError('PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  })
}

/** Iterates over all levels, parents before children. */
export function* levelsOf(draft: Draft): Generator<Draft> {
  yield draft
  for (const child of draft.children) yield* levelsOf(child)
}
