// The structure between two others in which rows can be put back: as the second one, without what would refuse or change them.
// Pure.
import { type JsonValue, stableStringify } from '../../../core/json.ts'
import type { RelationRecord } from '../../../database/catalog/relations.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'

/**
 * Leaves out foreign keys, other constraints and indexes that the first structure does not have, and the triggers and rules of
 * the tables. Columns that come back may be empty until their values are there.
 */
export function restorable(
  from: SchemaStructure,
  to: SchemaStructure,
  tables: readonly string[],
): SchemaStructure {
  const isKnown = knownIn([...from.constraints, ...from.indexes])
  const isFree = ({ table }: { readonly table: string }) => !tables.includes(table)
  return {
    ...to,
    relations: to.relations.map((relation) =>
      tables.includes(relation.name) ? withEmptyColumns(relation, from) : relation,
    ),
    constraints: to.constraints.filter((one) => one.kind !== 'foreign' && isKnown(one)),
    indexes: to.indexes.filter(isKnown),
    triggers: to.triggers.filter(isFree),
    rules: to.rules.filter(isFree),
    comments: to.comments.filter(
      ({ object }) => !/^(?:constraint|index|trigger|rule) /.test(object),
    ),
  }
}

function knownIn(
  records: readonly { readonly key: string }[],
): (record: { readonly key: string }) => boolean {
  const textOf = (record: object) => stableStringify({ ...record } as unknown as JsonValue)
  const texts = new Map(records.map((record) => [record.key, textOf(record)]))
  return (record) => texts.get(record.key) === textOf(record)
}

function withEmptyColumns(
  relation: RelationRecord,
  { relations }: SchemaStructure,
): RelationRecord {
  const known = relations.find(({ name }) => name === relation.name)?.columns
  if (known === undefined) return relation
  const names = new Set(known.map(({ name }) => name))
  return {
    ...relation,
    columns: relation.columns.map((column) => {
      if (names.has(column.name)) return column
      const { notNull: _, ...empty } = column
      return empty
    }),
  }
}
