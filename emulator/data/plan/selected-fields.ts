// Replaces `*` by column names where a conversion, an aggregate or a spread needs them, and names fields without an alias. Called
// by planRead. Pure.
import type { SchemaCache, Table } from '../schema-cache/schema-cache.ts'
import { keyOf } from '../schema-cache/schema-cache.ts'
import { type Draft, levelsOf } from './draft.ts'
import type { PlannedSelect } from './plan.ts'
import { asOutput, fieldOfColumn, hasOutputForms } from './resolve-field.ts'

/** Replaces `*` by column names when rows are grouped or aggregated, or when columns have a conversion to JSON. */
export function expandStars(cache: SchemaCache, root: Draft): void {
  expand(cache, root, false)
}

function expand(cache: SchemaCache, draft: Draft, isWithinAggregate: boolean): void {
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
  for (const child of draft.children) expand(cache, child, aggregates)
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

/** Adds aliases to fields that Postgres would name differently: JSON paths, converted columns and aggregates in spreads. */
export function nameFields(root: Draft): void {
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
