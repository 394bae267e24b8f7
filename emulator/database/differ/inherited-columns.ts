// Finds the columns that a table shares with its parents. Postgres changes such a column together with the parent's column. Pure.
import type { RelationRecord } from '../catalog/relations.ts'
import { plainIdentifier } from './local-names.ts'
import { type Changes, isKept } from './rebuild.ts'

/** A table that the step does not drop, in its form in the first and in the second structure. */
export interface KeptTable {
  readonly changes: Changes
  readonly before: RelationRecord
  readonly after: RelationRecord
}

/** Whether a parent that the table keeps has the column in the first structure. */
export function wasInherited(table: KeptTable, column: string): boolean {
  return parentsOf(table).some(({ before }) => hasColumn(before, column))
}

/** Whether a parent that the table keeps has the column in the second structure. */
export function isInherited(table: KeptTable, column: string): boolean {
  return parentsOf(table).some(({ after }) => hasColumn(after, column))
}

/** Whether the change of a parent already gives the generated column this new expression. */
export function inheritsExpression(table: KeptTable, column: string, expression: string): boolean {
  return parentsOf(table).some(({ before, after }) => {
    const [old, now] = [before, after].map((one) => columnOf(one, column)?.expression)
    return old !== now && now === expression
  })
}

/**
 * Whether a child keeps a column that the table loses and that no other parent has. The column must then be dropped with
 * ALTER TABLE ONLY, so that the child keeps its values.
 */
export function isKeptByChild(table: KeptTable, column: string): boolean {
  if (hasColumn(table.after, column)) return false
  return childrenOf(table).some(
    (child) =>
      hasColumn(child.after, column) &&
      !isInherited(child, column) &&
      !child.changes.regenerated.has(`${child.after.name}.${column}`),
  )
}

/** Returns the tables that are children of the table in both structures. */
export function childrenOf({ after: { name }, changes }: KeptTable): readonly KeptTable[] {
  return changes.to.structure.relations.flatMap((after) => {
    const before = changes.from.relation(after.name)
    if (before === undefined || !isKept(changes, after.name)) return []
    const child = { changes, before, after }
    return parentsOf(child).some((parent) => parent.after.name === name) ? [child] : []
  })
}

/** Whether a parent loses the column, but leaves it in its children. */
export function isLeftByParent(table: KeptTable, column: string): boolean {
  return parentsOf(table).some(
    (parent) => hasColumn(parent.before, column) && isKeptByChild(parent, column),
  )
}

/** Returns the parents of the table in both structures. Returns none for a partition that the step detaches and moves. */
export function parentsOf({ after, before, changes }: KeptTable): readonly KeptTable[] {
  if (after.partitionBound !== before.partitionBound) return []
  const { from, to } = changes
  const names = (after.parents ?? []).filter((parent) => before.parents?.includes(parent))
  if (names.length === 0) return []
  return to.structure.relations.flatMap((parent) => {
    const old = from.relation(parent.name)
    const isParent = names.includes(`${to.structure.schemaName}.${plainIdentifier(parent.name)}`)
    return isParent && old !== undefined && isKept(changes, parent.name)
      ? [{ changes, before: old, after: parent }]
      : []
  })
}

function columnOf({ columns }: RelationRecord, column: string) {
  return columns.find(({ name }) => name === column)
}

function hasColumn(table: RelationRecord, column: string): boolean {
  return columnOf(table, column) !== undefined
}
