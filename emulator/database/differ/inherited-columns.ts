// Columns that a table shares with its parents. Postgres changes them together with the parent's. Pure.
import type { RelationRecord } from '../catalog/relations.ts'
import { plainIdentifier } from './local-names.ts'
import { type Changes, isKept } from './rebuild.ts'

/** A table that stays, as both structures have it. */
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

/** Whether a parent gives the generated column the same new expression. */
export function inheritsExpression(table: KeptTable, column: string, expression: string): boolean {
  return parentsOf(table).some(({ before, after }) => {
    const [old, now] = [before, after].map((one) => columnOf(one, column)?.expression)
    return old !== now && now === expression
  })
}

/**
 * Whether a child keeps a column that the table loses, and no other parent gives it. It has to be dropped from the table only, with
 * the child's values.
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

/** The children that the table keeps. */
export function childrenOf({ after: { name }, changes }: KeptTable): readonly KeptTable[] {
  return changes.to.structure.relations.flatMap((after) => {
    const before = changes.from.relation(after.name)
    if (before === undefined || !isKept(changes, after.name)) return []
    const child = { changes, before, after }
    return parentsOf(child).some((parent) => parent.after.name === name) ? [child] : []
  })
}

/** Whether a parent loses the column, and leaves it to its children. */
export function isLeftByParent(table: KeptTable, column: string): boolean {
  return parentsOf(table).some(
    (parent) => hasColumn(parent.before, column) && isKeptByChild(parent, column),
  )
}

/** The parents that the table keeps. A partition that moves is detached meanwhile. */
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
