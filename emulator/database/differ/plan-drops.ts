// The first part of a step: drops objects that the second structure lacks, and objects that must be created again. The order is
// the reverse order of dependency. Pure.
import type { Qualify } from '../template/ddl/create-object.ts'
import type { Phase } from '../template/ddl/unit.ts'
import { orderUnits } from '../template/ddl/unit.ts'
import { alterColumns } from './alter-columns.ts'
import { enableCopy, unclusterTable } from './alter-object.ts'
import { alterTableSettings } from './alter-table.ts'
import { carrierOf, isOwnerDropped } from './carriers.ts'
import { type Draft, draft } from './difference.ts'
import { dropObject, dropRetired, retire } from './drop-object.ts'
import { parentsOf } from './inherited-columns.ts'
import { isTable, type SchemaObject } from './objects.ts'
import { type Changes, isCreated, isKept } from './rebuild.ts'

export interface DraftUnit {
  readonly key: string
  readonly phase: Phase
  readonly drafts: readonly Draft[]
  readonly needs: readonly string[]
}

export interface Drops {
  /** Statements that run before anything is created. */
  readonly first: readonly Draft[]
  /** Statements that drop replaced objects, after all objects that use them have been changed. */
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
      const columns = alterColumns(before, after, changes, qualify)
      const settings = alterTableSettings(before, after, changes, qualify)
      const parents = parentsOf({ changes, before, after }).map((parent) => parent.before.key)
      const late = { ...unit(`late:${before.name}`, columns.late), needs: [before.key, ...parents] }
      return [unit(before.key, [...settings.before, ...columns.before]), late]
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
  const enabled = objects.flatMap((object) =>
    isCopyOfKept(changes, object) ? enableCopy(object, qualify) : [],
  )
  const late = objects.filter(({ key }) => delayed.has(key))
  return {
    first: [
      ...inOrder,
      ...kept,
      ...enabled,
      ...late.flatMap((object) =>
        isCreated(changes, object.key) ? (retire(object, qualify) ?? []) : [],
      ),
    ],
    last: orderUnits(
      late.map((object) => unit(object.key, lateDrop(changes, object, qualify))),
    ).flatMap(({ drafts }) => drafts),
  }
}

/** Whether the object is a partition's copy of a kept trigger. A structure lists such a copy only when it fires unusually. */
function isCopyOfKept(changes: Changes, { record, section }: SchemaObject): boolean {
  if (section !== 'triggers' || record.definition !== undefined) return false
  const { from, rebuilt, to } = changes
  const [before, after] = [from.relation(record.table), to.relation(record.table)]
  if (before === undefined || after === undefined || rebuilt.has(before.key)) return false
  return parentsOf({ changes, before, after }).some(({ before: parent }) => {
    const key = `trigger:${parent.name}.${record.name}`
    return from.byKey.has(key) ? !rebuilt.has(key) : to.byKey.has(key)
  })
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

/** Returns the replaced types that columns use until a later statement changes them, and the objects that these types need. */
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
