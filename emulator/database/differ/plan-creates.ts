// The second part of a step: creates and alters objects in the order of dependency. New objects get the same statements as in a
// clone (template/plan-units.ts). Pure.

import type { ConstraintRecord } from '../catalog/attached.ts'
import { quoteIdentifier } from '../sql.ts'
import { addConstraint, alterConstraintIndex } from '../template/ddl/create-attached.ts'
import type { Qualify } from '../template/ddl/create-object.ts'
import { orderUnits, type Phase, type Unit } from '../template/ddl/unit.ts'
import { planUnits } from '../template/plan-units.ts'
import { alterColumns } from './alter-columns.ts'
import { alterObject } from './alter-object.ts'
import { alterTableSettings } from './alter-table.ts'
import { joinsParent } from './can-alter.ts'
import { type Draft, draft } from './difference.ts'
import { type KeptTable, parentsOf } from './inherited-columns.ts'
import { plainIdentifier } from './local-names.ts'
import { defaultKey, isTable, type Objects, relationKey, type SchemaObject } from './objects.ts'
import type { DraftUnit } from './plan-drops.ts'
import { type Changes, isCreated, isKept } from './rebuild.ts'

const PHASE_OF = {
  collations: 'collation',
  conversions: 'collation',
  dictionaries: 'dictionary',
  configurations: 'configuration',
  types: 'type',
  sequences: 'sequence',
  routines: 'routine',
  operators: 'operator',
  casts: 'cast',
  relations: 'view',
  defaults: 'attachment',
  constraints: 'constraint',
  indexes: 'index',
  statistics: 'behaviour',
  triggers: 'behaviour',
  rules: 'behaviour',
  policies: 'behaviour',
} as const satisfies Record<SchemaObject['section'], Phase>

export function planCreates(changes: Changes, qualify: Qualify): readonly Draft[] {
  const clone = planUnits(changes.to.structure, true)
  const units = [
    ...cloneUnits(changes, clone),
    ...copiedChecks(changes, clone, qualify),
    ...attachedUnits(changes, qualify),
    ...changedUnits(changes, qualify),
    ...tableUnits(changes, qualify),
    ...ownerships(changes, qualify),
  ]
  return orderUnits(units).flatMap(({ drafts }) => drafts)
}

/** The clone's units for objects that the step creates, except constraints and defaults of existing tables. */
function cloneUnits(changes: Changes, units: readonly Unit[]): readonly DraftUnit[] {
  const { to } = changes
  const created = (key: string) => isCreated(changes, key)
  return units.flatMap(({ key, needs, phase, statements }): DraftUnit[] => {
    const object = to.byKey.get(key)
    const isWanted = object === undefined ? createsPart(changes, key) : created(key)
    const isAttached =
      object?.table !== undefined && isConstraintOrDefault(object) && isKept(changes, object.table)
    if (!isWanted || isAttached || statements.length === 0) return []
    const drafts = isServicePolicy(changes, key) ? [] : statements.map(({ text }) => draft(text))
    const table = object?.section === 'relations' ? object.record : undefined
    return [
      {
        key,
        phase,
        drafts:
          table === undefined ? drafts : [...drafts, ...withoutServicePolicy(changes, table.name)],
        needs: [...needs, ...to.needs(key), ...attachmentNeeds(changes, key)],
      },
    ]
  })
}

/** Whether the step creates the object that a unit such as `attachment:…` or `setting:…` belongs to. */
function createsPart(changes: Changes, key: string): boolean {
  const [, kind = '', name = ''] = /^(\w+):([\s\S]*)$/.exec(key) ?? []
  if (kind === 'attachment') return isCreated(changes, relationKey(name))
  if (kind !== 'setting') return false
  const object = changes.to.byKey.get(name)
  return object?.section === 'constraints'
    ? isCreated(changes, relationKey(object.record.table))
    : isCreated(changes, relationKey(name))
}

function isConstraintOrDefault({ section }: SchemaObject): boolean {
  return section === 'constraints' || section === 'defaults'
}

const SERVICE_POLICY = 'service_role_all'

/** Whether the platform creates the policy together with its table (docs/wire/platform.md#default-grants). */
function isServicePolicy(changes: Changes, key: string): boolean {
  const object = changes.to.byKey.get(key)
  if (object?.section !== 'policies' || object.record.name !== SERVICE_POLICY) return false
  return isCreated(changes, relationKey(object.record.table)) && isStandard(object.record)
}

function isStandard(policy: Extract<SchemaObject, { section: 'policies' }>['record']): boolean {
  const { check, command, permissive, roles, using } = policy
  return (
    command === 'all' &&
    permissive &&
    roles.join() === 'service_role' &&
    using === 'true' &&
    check === 'true'
  )
}

function withoutServicePolicy({ to }: Changes, table: string): readonly Draft[] {
  const relation = to.relation(table)
  if (relation === undefined || !isTable(relation)) return []
  const wanted = to.structure.policies.find(
    (one) => one.table === table && one.name === SERVICE_POLICY,
  )
  return wanted !== undefined && isStandard(wanted)
    ? []
    : [
        draft(
          `drop policy ${SERVICE_POLICY} on ${to.structure.schemaName}.${quoteIdentifier(table)}`,
        ),
      ]
}

/** Units that add constraints and defaults to existing tables. */
function attachedUnits(changes: Changes, qualify: Qualify): readonly DraftUnit[] {
  const { from, to } = changes
  return [...to.byKey.values()].flatMap((object): DraftUnit[] => {
    if (object.table === undefined || !isKept(changes, object.table)) return []
    if (!isCreated(changes, object.key)) return []
    const base = { key: object.key, needs: to.needs(object.key) }
    if (object.section === 'constraints') {
      const { record } = object
      const isCopy = !record.local && (record.kind === 'check' || record.kind === 'foreign')
      const phase = record.kind === 'foreign' ? 'foreignKey' : 'constraint'
      const statements = [addConstraint(record, qualify), ...alterConstraintIndex(record, qualify)]
      return isCopy ? [] : [{ ...base, phase, drafts: statements.map(({ text }) => draft(text)) }]
    }
    if (object.section !== 'defaults') return []
    // `add column` sets the default of a new column.
    if (isColumnAdded(changes, object.table, object.record.column)) return []
    const drafts = alterObject(from.byKey.get(object.key) ?? object, object, qualify)
    return [{ ...base, phase: 'attachment', drafts }]
  })
}

function isColumnAdded({ from, regenerated }: Changes, table: string, column: string): boolean {
  const before = from.relation(table)?.columns.find(({ name }) => name === column)
  return before === undefined || regenerated.has(`${table}.${column}`)
}

/** Units that alter objects in place, except tables. */
function changedUnits(changes: Changes, qualify: Qualify): readonly DraftUnit[] {
  const { from, rebuilt, to } = changes
  return [...to.byKey.values()].flatMap((after): DraftUnit[] => {
    const before = from.byKey.get(after.key)
    if (before === undefined || before.text === after.text || rebuilt.has(after.key)) return []
    if (after.section === 'relations' && isTable(after.record)) return []
    const drafts = alterObject(before, after, qualify)
    return [{ key: after.key, phase: PHASE_OF[after.section], drafts, needs: to.needs(after.key) }]
  })
}

/** Units that alter existing tables. */
function tableUnits(changes: Changes, qualify: Qualify): readonly DraftUnit[] {
  const { from, to } = changes
  const kept = to.structure.relations.flatMap((after): KeptTable[] => {
    const before = from.relation(after.name)
    const stays = before !== undefined && isTable(after) && isKept(changes, after.name)
    return stays ? [{ changes, before, after }] : []
  })
  const parents = new Map(
    kept.map((table) => [table, parentsOf(table).map(({ after }) => after.key)]),
  )
  return kept.flatMap((table): DraftUnit[] => {
    const { after, before } = table
    const settings = alterTableSettings(before, after, changes, qualify)
    const { during, early } = alterColumns(before, after, changes, qualify)
    const children = kept.filter((child) => parents.get(child)?.includes(after.key))
    const defaults = after.columns.flatMap(({ name }) => to.needs(defaultKey(after.name, name)))
    const needs = [...to.needs(after.key), ...defaults].filter((need) => need !== after.key)
    const free = needs.filter((need) => !parents.get(table)?.includes(need))
    const merged = [table, ...children].map((one) => `early:${one.after.name}`)
    return [
      { key: `early:${after.name}`, phase: 'table', drafts: early, needs: free },
      {
        key: after.key,
        phase: 'table',
        drafts: [...during, ...settings.during],
        needs: [...needs, ...merged],
      },
      {
        key: attachmentKey(after.name),
        phase: 'attachment',
        drafts: settings.joining,
        needs: [...needs, after.key, ...attachmentNeeds(changes, attachmentKey(after.name))],
      },
      { key: `setting:${after.name}`, phase: 'setting', drafts: settings.after, needs: [] },
    ]
  })
}

function ownerships(changes: Changes, qualify: Qualify): readonly DraftUnit[] {
  const { from, to } = changes
  return to.structure.sequences.flatMap(({ key, name, ownedBy }): DraftUnit[] => {
    const before = from.structure.sequences.find((sequence) => sequence.key === key)?.ownedBy
    const isSame = ownedBy?.table === before?.table && ownedBy?.column === before?.column
    const isOwnerNew =
      ownedBy !== undefined &&
      (isCreated(changes, relationKey(ownedBy.table)) ||
        isColumnAdded(changes, ownedBy.table, ownedBy.column))
    if (isSame && !isCreated(changes, key) && !isOwnerNew) return []
    if (ownedBy === undefined && before === undefined) return []
    const owner =
      ownedBy === undefined
        ? 'none'
        : `${qualify(ownedBy.table)}.${quoteIdentifier(ownedBy.column)}`
    const drafts = [draft(`alter sequence ${qualify(name)} owned by ${owner}`)]
    const needs = ownedBy === undefined ? [key] : [key, relationKey(ownedBy.table)]
    return [{ key: `ownership:${name}`, phase: 'attachment', drafts, needs }]
  })
}

// Finds what a new partition must have before it is attached to its parent. Pure.

const ATTACHMENT = 'attachment:'

/** Returns the key of the unit that attaches the table. */
function attachmentKey(table: string): string {
  return `${ATTACHMENT}${table}`
}

/**
 * Lists the objects that must be complete before the unit attaches a partition. Attaching creates each index of the parent that
 * the partition lacks, and copies the parent's triggers with their present firing state.
 */
function attachmentNeeds({ from, to }: Changes, key: string): readonly string[] {
  if (!key.startsWith(ATTACHMENT)) return []
  const partition = key.slice(ATTACHMENT.length)
  const { constraints, indexes, triggers } = to.structure
  return [
    ...[...indexes, ...constraints.filter(isCopy)].filter(({ table }) => table === partition),
    ...triggers.filter((one) => from.byKey.has(one.key) && isParentOf(to, one.table, partition)),
  ].map((part) => part.key)
}

/** Creates checks of a parent in a table that joins this parent, because Postgres requires that the table has them before. */
function copiedChecks(
  changes: Changes,
  units: readonly Unit[],
  qualify: Qualify,
): readonly DraftUnit[] {
  const { from, to } = changes
  const keys = new Set(units.map(({ key }) => key))
  return to.structure.constraints.filter(isCopy).flatMap((check): DraftUnit[] => {
    // The statement that creates a new table may already contain the check, or inherit it from the parent.
    const isSeparate = isCreated(changes, relationKey(check.table))
      ? keys.has(attachmentKey(check.table)) && !keys.has(`setting:${check.key}`)
      : joinsParent(check.table, from, to)
    if (!isSeparate || !isCreated(changes, check.key) || !isCheckOfParent(changes, check)) return []
    const drafts = [draft(addConstraint(check, qualify).text)]
    return [{ key: check.key, phase: 'attachment', drafts, needs: to.needs(check.key) }]
  })
}

function isCopy({ kind, local }: ConstraintRecord): boolean {
  return kind === 'check' && !local
}

function isCheckOfParent(changes: Changes, { name, table }: ConstraintRecord): boolean {
  const { byKey, structure } = changes.to
  return structure.relations.some((parent) => {
    const key = `constraint:${parent.name}.${name}`
    return isParentOf(changes.to, parent.name, table) && byKey.has(key) && !isCreated(changes, key)
  })
}

function isParentOf({ relation, structure }: Objects, parent: string, table: string): boolean {
  const name = `${structure.schemaName}.${plainIdentifier(parent)}`
  return relation(table)?.parents?.includes(name) === true
}
