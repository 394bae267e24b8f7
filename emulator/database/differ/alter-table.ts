// Statements that turn a table's settings into those of the second structure: parents, storage, row-level security. Pure.
import type { RelationRecord } from '../catalog/relations.ts'
import { quoteIdentifier } from '../sql.ts'
import type { Qualify } from '../template/ddl/create-object.ts'
import { optionChanges } from './column-settings.ts'
import { type Draft, draft } from './difference.ts'
import { type Changes, isCreated } from './rebuild.ts'

interface TableAlteration {
  /** Detaches a partition whose bound in its parent changes. */
  readonly before: readonly Draft[]
  readonly during: readonly Draft[]
  /** Statements that make the table a child or a partition of its new parents. */
  readonly joining: readonly Draft[]
  /** Statements that need the table's indexes. */
  readonly after: readonly Draft[]
}

export function alterTableSettings(
  before: RelationRecord,
  after: RelationRecord,
  changes: Changes,
  qualify: Qualify,
): TableAlteration {
  const table = qualify(after.name)
  const change = (text: string) => draft(`alter table ${table} ${text}`)
  const only = (text: string) => draft(`alter table only ${table} ${text}`)
  const isMoved =
    before.partitionBound !== undefined && before.partitionBound !== after.partitionBound
  const [had, has] = [before.parents ?? [], after.parents ?? []]
  const joined = isMoved ? has : has.filter((parent) => !had.includes(parent))
  return {
    before: isMoved
      ? had.map((parent) => draft(`alter table ${parent} detach partition ${table}`))
      : [],
    during: [
      ...typeChange(before, after).map(change),
      ...(before.unlogged === after.unlogged
        ? []
        : [change(after.unlogged ? 'set unlogged' : 'set logged')]),
    ],
    joining: joined.map((parent) =>
      after.partitionBound === undefined
        ? change(`inherit ${parent}`)
        : draft(`alter table only ${parent} attach partition ${table} ${after.partitionBound}`),
    ),
    after: [
      ...optionChanges(before.options ?? [], after.options ?? []).map(only),
      ...security(before, after).map(only),
      ...replicaIdentity(before, after, changes).map(only),
    ],
  }
}

function typeChange(before: RelationRecord, after: RelationRecord): readonly string[] {
  if (before.ofType === after.ofType) return []
  return after.ofType === undefined ? ['not of'] : [`of ${after.ofType}`]
}

function security(before: RelationRecord, after: RelationRecord): readonly string[] {
  const word = (isOn: boolean) => (isOn ? '' : 'no ')
  return [
    ...(before.rowSecurity === after.rowSecurity
      ? []
      : [`${after.rowSecurity ? 'enable' : 'disable'} row level security`]),
    ...(before.forcedRowSecurity === after.forcedRowSecurity
      ? []
      : [`${word(after.forcedRowSecurity)}force row level security`]),
  ]
}

function replicaIdentity(
  before: RelationRecord,
  { name, replicaIdentity: identity, replicaIndex: index }: RelationRecord,
  changes: Changes,
): readonly string[] {
  // Postgres removes the replica identity with its index, so a new index needs the statement again.
  const isNew =
    index !== undefined &&
    [`index:${index}`, `constraint:${name}.${index}`].some((key) => isCreated(changes, key))
  if (before.replicaIdentity === identity && before.replicaIndex === index && !isNew) return []
  return [
    index === undefined
      ? `replica identity ${identity ?? 'default'}`
      : `replica identity using index ${quoteIdentifier(index)}`,
  ]
}
