// Finds for a dropped object the other object whose DROP statement also drops it. Postgres drops a table with its parts, a
// partition with its parent, and an index with its column. Pure.
import type { RelationRecord } from '../catalog/relations.ts'
import { plainIdentifier } from './local-names.ts'
import { relationKey, type SchemaObject } from './objects.ts'
import { type Changes, isKept } from './rebuild.ts'

/** Returns the key of the object whose statement also drops this object, or `key` when the object needs its own statement. */
export function carrierOf(changes: Changes, key: string): string {
  const { from, rebuilt } = changes
  const object = from.byKey.get(key)
  if (object === undefined || !rebuilt.has(key)) return key
  if (object.section === 'sequences') {
    const { ownedBy } = object.record
    const goes =
      ownedBy !== undefined && !changes.to.byKey.has(key) && isOwnerDropped(changes, ownedBy)
    return goes ? relationKey(ownedBy.table) : key
  }
  if (object.section === 'relations') {
    const parent = droppedParentOf(changes, object.record)
    return parent === undefined ? key : carrierOf(changes, parent)
  }
  const table = tableOf(changes, object)
  if (table !== undefined) {
    if (isInCircle(changes, object, table.key)) return key
    if (rebuilt.has(table.key)) return carrierOf(changes, table.key)
  }
  return carrierOfPart(changes, object)
}

/** Like `carrierOf`, for a part of a table that is not dropped. */
function carrierOfPart(changes: Changes, object: SchemaObject): string {
  const { key, section, table } = object
  if (section === 'defaults' && isColumnDropped(changes, object.record.table, object.record.column))
    return relationKey(object.record.table)
  if (section === 'statistics') return tableOfDroppedColumn(changes, object) ?? key
  if (table === undefined || (section !== 'indexes' && section !== 'constraints')) return key
  const dropping = tableOfDroppedColumn(changes, object)
  if (dropping !== undefined) return dropping
  const parent = changes.from
    .users(key)
    .find((user) => changes.rebuilt.has(user) && isParentOf(changes, user, object))
  return parent === undefined ? key : carrierOf(changes, parent)
}

/** Returns the key of the object's table when a dropped column of the table also drops the object. */
function tableOfDroppedColumn(
  changes: Changes,
  object: Extract<SchemaObject, { readonly section: 'indexes' | 'constraints' | 'statistics' }>,
): string | undefined {
  const { droppedWith = [] } = object.record
  const table = tableOf(changes, object)
  const isDropped =
    table !== undefined &&
    isKept(changes, table.name) &&
    droppedWith.some((column) => isColumnDropped(changes, table.name, column))
  return isDropped ? table.key : undefined
}

/** Returns the table that the object is a part of. */
function tableOf(
  { from }: Changes,
  { key, section, table }: SchemaObject,
): RelationRecord | undefined {
  if (table !== undefined) return from.relation(table)
  if (section !== 'statistics') return undefined
  return from.structure.relations.find((relation) => from.needs(key).includes(relation.key))
}

// Postgres drops a partition with its parent. A partition cannot be dropped alone while its parent has a foreign key to itself.
function droppedParentOf(
  changes: Changes,
  { parents = [], partitionBound }: RelationRecord,
): string | undefined {
  if (partitionBound === undefined) return undefined
  return changes.from.structure.relations.find(
    ({ key, name }) => changes.rebuilt.has(key) && parents.includes(qualifiedName(changes, name)),
  )?.key
}

// Whether tables need each other through the object, so that it must be dropped before the tables. Such objects are foreign keys,
// and policies or defaults with a function that reads the table.
function isInCircle({ from, rebuilt }: Changes, object: SchemaObject, table: string): boolean {
  const seen = new Set([object.key, table])
  const follow = (key: string): boolean => {
    if (key === table) return true
    if (seen.has(key) || !rebuilt.has(key)) return false
    seen.add(key)
    const keys = [key, ...from.partsOf(key).map((part) => part.key)]
    return keys.flatMap(from.needs).some((need) => need !== key && follow(need))
  }
  // Ignores keys: a key of a partitioned table needs the keys of its partitions, but Postgres drops them together.
  const needs = from.needs(object.key).filter((need) => /^(?:relation|routine):/.test(need))
  return needs.some((need) => need !== table && follow(need))
}

function isParentOf(changes: Changes, key: string, copy: SchemaObject): boolean {
  const parent = changes.from.byKey.get(key)
  if (parent?.section !== 'indexes' && parent?.section !== 'constraints') return false
  const parents = changes.from.relation(copy.table ?? '')?.parents ?? []
  return parents.includes(qualifiedName(changes, parent.record.table))
}

export function qualifiedName({ from }: Changes, name: string): string {
  return `${from.structure.schemaName}.${plainIdentifier(name)}`
}

export function isOwnerDropped(
  changes: Changes,
  { column, table }: { readonly column: string; readonly table: string },
): boolean {
  return changes.rebuilt.has(relationKey(table)) || isColumnDropped(changes, table, column)
}

function isColumnDropped({ regenerated, to }: Changes, table: string, column: string): boolean {
  const after = to.relation(table)?.columns.find(({ name }) => name === column)
  return after === undefined || regenerated.has(`${table}.${column}`)
}
