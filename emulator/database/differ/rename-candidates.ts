// Finds a dropped and an added object that may be one renamed object. Pure.
import type { ColumnRecord, RelationRecord } from '../catalog/relations.ts'
import type { SchemaStructure } from '../template/structure.ts'
import type { Rename } from './difference.ts'
import { isTable } from './objects.ts'

/**
 * Finds a dropped and an added column of one type in a table, and a dropped and an added table with equal columns. A column
 * that a parent table declares is renamed together with the parent's.
 */
export function findRenameCandidates(
  from: SchemaStructure,
  to: SchemaStructure,
): readonly Rename[] {
  const [before, after] = [from, to].map(
    ({ relations }) => new Map(relations.filter(isTable).map((table) => [table.name, table])),
  )
  if (before === undefined || after === undefined) return []
  const gone = [...before.values()].filter(({ name }) => !after.has(name))
  const added = [...after.values()].filter(({ name }) => !before.has(name))
  return [
    ...gone.flatMap((old) =>
      added
        .filter((table) => shapeOf(table) === shapeOf(old))
        .map((table): Rename => ({ kind: 'table', from: old.name, to: table.name })),
    ),
    ...[...before.values()].flatMap((old) => columnCandidates(old, after.get(old.name))),
  ]
}

function columnCandidates(
  before: RelationRecord,
  after: RelationRecord | undefined,
): readonly Rename[] {
  if (after === undefined) return []
  const lacks = (table: RelationRecord) => (column: ColumnRecord) =>
    column.local && table.columns.every(({ name }) => name !== column.name)
  const gone = before.columns.filter(lacks(after))
  const added = after.columns.filter(lacks(before))
  return gone.flatMap((old) =>
    added
      .filter((column) => column.type === old.type && column.generated === old.generated)
      .map(
        (column): Rename => ({
          kind: 'column',
          from: `${before.name}.${old.name}`,
          to: `${before.name}.${column.name}`,
        }),
      ),
  )
}

function shapeOf({ columns }: RelationRecord): string {
  return columns
    .map(({ name, type }) => `${name} ${type}`)
    .sort()
    .join()
}
