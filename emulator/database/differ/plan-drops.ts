// The first part of a step: drops what is gone or has to be built again, in reverse order of dependency. Pure.
import type { RelationRecord } from '../catalog/relations.ts'
import type { Qualify } from '../template/ddl/create-object.ts'
import type { Phase } from '../template/ddl/unit.ts'
import { orderUnits } from '../template/ddl/unit.ts'
import { alterColumns } from './alter-columns.ts'
import { unclusterTable } from './alter-object.ts'
import { alterTableSettings } from './alter-table.ts'
import { type Draft, draft } from './difference.ts'
import { dropObject, dropRetired, retire } from './drop-object.ts'
import { plainIdentifier } from './local-names.ts'
import { isTable, relationKey, type SchemaObject } from './objects.ts'
import { type Changes, isCreated, isKept } from './rebuild.ts'

export interface DraftUnit {
  readonly key: string
  readonly phase: Phase
  readonly drafts: readonly Draft[]
  readonly needs: readonly string[]
}

export interface Drops {
  /** Before anything is created. */
  readonly first: readonly Draft[]
  /** After the objects that use them have been changed. */
  readonly last: readonly Draft[]
}

export function planDrops(changes: Changes, qualify: Qualify): Drops {
  const { from, rebuilt, to } = changes
  const objects = [...rebuilt].flatMap((key) => from.byKey.get(key) ?? [])
  const delayed = delayedKeys(changes)
  const carrier = (key: string) => carrierOf(changes, key)
  const usersOf = (key: string) => from.users(key).map(carrier)
  const unit = (key: string, drafts: readonly Draft[]): DraftUnit => ({
    key,
    phase: 'table',
    drafts,
    needs: usersOf(key).filter((user) => user !== key),
  })
  const first = [
    ...objects
      .filter(({ key }) => !delayed.has(key) && carrier(key) === key)
      .map((object) => unit(object.key, dropObject(object, qualify))),
    ...from.structure.relations.flatMap((before) => {
      const after = to.relation(before.name)
      if (after === undefined || !isTable(before) || !isKept(changes, before.name)) return []
      const isDropped = (parent: string) =>
        from.structure.relations.some(
          ({ key, name }) => rebuilt.has(key) && parent === qualifiedName(changes, name),
        )
      return unit(before.key, [
        ...alterTableSettings(before, after, isDropped, qualify).before,
        ...alterColumns(before, after, changes, qualify).before,
      ])
    }),
    ...from.structure.sequences.flatMap(({ key, name, ownedBy }) => {
      const isFreed = ownedBy !== undefined && to.byKey.has(key) && isOwnerDropped(changes, ownedBy)
      const drafts = isFreed ? [draft(`alter sequence ${qualify(name)} owned by none`)] : []
      return isFreed && !rebuilt.has(key) ? [{ ...unit(key, drafts), needs: [] }] : []
    }),
  ]
  const inOrder = orderUnits(withSequencesFirst(first)).flatMap(({ drafts }) => drafts)
  const kept = [...to.byKey.values()].flatMap((after) => {
    const before = from.byKey.get(after.key)
    return before === undefined || rebuilt.has(after.key)
      ? []
      : unclusterTable(before, after, qualify)
  })
  const late = objects.filter(({ key }) => delayed.has(key))
  return {
    first: [
      ...inOrder,
      ...kept,
      ...late.flatMap((object) =>
        isCreated(changes, object.key) ? (retire(object, qualify) ?? []) : [],
      ),
    ],
    last: orderUnits(
      late.map((object) => unit(object.key, lateDrop(changes, object, qualify))),
    ).flatMap(({ drafts }) => drafts),
  }
}

function lateDrop(changes: Changes, object: SchemaObject, qualify: Qualify): readonly Draft[] {
  return isCreated(changes, object.key) ? dropRetired(object, qualify) : dropObject(object, qualify)
}

function withSequencesFirst(units: readonly DraftUnit[]): readonly DraftUnit[] {
  return units.map((unit) =>
    unit.key.startsWith('sequence:') && unit.needs.length === 0
      ? { ...unit, phase: 'collation' }
      : unit,
  )
}

/** Types that columns have until they are changed, and what those types need. */
function delayedKeys({ from, rebuilt }: Changes): ReadonlySet<string> {
  const delayed = new Set<string>()
  const isLate = (key: string): boolean => {
    const user = from.byKey.get(key)
    return (
      delayed.has(key) ||
      (user?.section === 'relations' && isTable(user.record) && !rebuilt.has(key))
    )
  }
  for (let size = -1; size !== delayed.size; ) {
    size = delayed.size
    for (const key of rebuilt) {
      const section = from.byKey.get(key)?.section
      const isType = section === 'types' || section === 'collations'
      const users = from.users(key)
      if (isType ? users.some(isLate) : users.some((user) => delayed.has(user))) delayed.add(key)
    }
  }
  return delayed
}

/** Returns the key of the object whose statement drops this object, too. */
function carrierOf(changes: Changes, key: string): string {
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
  if (object.table === undefined) return key
  const table = relationKey(object.table)
  if (isInCircle(changes, object)) return key
  if (rebuilt.has(table)) return carrierOf(changes, table)
  if (object.section === 'defaults' && isColumnDropped(changes, object.table, object.record.column))
    return table
  if (object.section === 'indexes' || object.section === 'constraints') {
    const parent = from
      .users(key)
      .find((user) => rebuilt.has(user) && isParentOf(changes, user, object))
    if (parent !== undefined) return carrierOf(changes, parent)
  }
  return key
}

// A partition goes with its parent. Alone it cannot be dropped while the parent has a foreign key to itself.
function droppedParentOf(
  changes: Changes,
  { parents = [], partitionBound }: RelationRecord,
): string | undefined {
  if (partitionBound === undefined) return undefined
  return changes.from.structure.relations.find(
    ({ key, name }) => changes.rebuilt.has(key) && parents.includes(qualifiedName(changes, name)),
  )?.key
}

// Tables that refer to each other in a circle can be dropped only without their foreign keys. The same holds for a table and a
// function that reads it and gives one of its columns a default.
function isInCircle({ from, rebuilt }: Changes, { key, section, table }: SchemaObject): boolean {
  const kind = section === 'constraints' ? 'relation:' : section === 'defaults' ? 'routine:' : '-'
  return from
    .needs(key)
    .some((need) => need.startsWith(kind) && need !== relationKey(table ?? '') && rebuilt.has(need))
}

function isParentOf(changes: Changes, key: string, copy: SchemaObject): boolean {
  const parent = changes.from.byKey.get(key)
  if (parent?.section !== 'indexes' && parent?.section !== 'constraints') return false
  const parents = changes.from.relation(copy.table ?? '')?.parents ?? []
  return parents.includes(qualifiedName(changes, parent.record.table))
}

function qualifiedName({ from }: Changes, name: string): string {
  return `${from.structure.schemaName}.${plainIdentifier(name)}`
}

function isOwnerDropped(
  changes: Changes,
  { column, table }: { readonly column: string; readonly table: string },
): boolean {
  return changes.rebuilt.has(relationKey(table)) || isColumnDropped(changes, table, column)
}

function isColumnDropped({ regenerated, to }: Changes, table: string, column: string): boolean {
  const after = to.relation(table)?.columns.find(({ name }) => name === column)
  return (
    after === undefined || regenerated.has(`${table}.${column}`) || after.generated !== undefined
  )
}
