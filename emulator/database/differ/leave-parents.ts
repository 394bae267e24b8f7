// The start of a step: detaches existing tables from the parents that they lose. Such tables keep their inherited columns and
// constraints as their own. The rest of the step is planned from the resulting structure. Pure.
import type { ConstraintRecord } from '../catalog/attached.ts'
import type { RelationRecord } from '../catalog/relations.ts'
import type { Qualify } from '../template/ddl/create-object.ts'
import type { SchemaStructure } from '../template/structure.ts'
import { canAlterRelation } from './can-alter.ts'
import { type Draft, draft } from './difference.ts'
import { plainIdentifier } from './local-names.ts'
import { isTable, type Objects, objectsOf } from './objects.ts'

interface Leaving {
  readonly table: RelationRecord
  readonly left: readonly RelationRecord[]
  /** The parents that the table keeps. */
  readonly kept: readonly RelationRecord[]
}

interface Departure {
  readonly drafts: readonly Draft[]
  /** The first structure after the statements. */
  readonly from: Objects
}

/** Detaches tables from parents that are dropped, or that are not their parents in the second structure. */
export function leaveParents(from: Objects, to: Objects, qualify: Qualify): Departure {
  const leaving = from.structure.relations.flatMap((table) => leavingOf(from, to, table))
  if (leaving.length === 0) return { drafts: [], from }
  const drafts = leaving.flatMap(({ left, table }) =>
    left.map((parent) =>
      table.partitionBound === undefined
        ? draft(`alter table ${qualify(table.name)} no inherit ${qualify(parent.name)}`)
        : draft(`alter table ${qualify(parent.name)} detach partition ${qualify(table.name)}`),
    ),
  )
  return { drafts, from: objectsOf(leaving.reduce(afterLeaving, from.structure)) }
}

function leavingOf(from: Objects, to: Objects, table: RelationRecord): readonly Leaving[] {
  const after = to.relation(table.name)
  if (after === undefined || !isTable(table) || !canAlterRelation(table, after)) return []
  const name = (parent: RelationRecord) =>
    `${from.structure.schemaName}.${plainIdentifier(parent.name)}`
  const parents = from.structure.relations.filter((one) => table.parents?.includes(name(one)))
  const stays = (parent: RelationRecord) => {
    const other = to.relation(parent.name)
    const isKept = other !== undefined && canAlterRelation(parent, other)
    return isKept && after.parents?.includes(name(parent)) === true
  }
  const left = parents.filter((parent) => !stays(parent))
  return left.length === 0 ? [] : [{ table, left, kept: parents.filter(stays) }]
}

function afterLeaving(structure: SchemaStructure, leaving: Leaving): SchemaStructure {
  const { left, table } = leaving
  const others = new Set(left.map(({ name }) => name))
  // A detached partition keeps the parent's foreign keys, which the catalogue lists only for the parent. The partition loses its
  // copies of the parent's triggers.
  const isPartition = table.partitionBound !== undefined
  const foreign = isPartition
    ? structure.constraints.filter((one) => one.kind === 'foreign' && others.has(one.table))
    : []
  const ownKey = ({ name }: ConstraintRecord) => `constraint:${table.name}.${name}`
  const keys = new Map(foreign.map((one) => [one.key, ownKey(one)]))
  const partsOf = (tables: ReadonlySet<string>) =>
    new Set(
      [...structure.constraints, ...structure.indexes]
        .filter((part) => tables.has(part.table))
        .map(({ key }) => key),
    )
  const [parts, copies] = [partsOf(others), partsOf(new Set([table.name]))]
  const isLinked = ({ from, to }: SchemaStructure['dependencies'][number]) =>
    (parts.has(from) && copies.has(to)) ||
    (from === table.key && left.some(({ key }) => key === to))
  return {
    ...structure,
    relations: structure.relations.map((one) =>
      one.key === table.key ? relationOnItsOwn(leaving) : one,
    ),
    constraints: [
      ...structure.constraints.map((one) => constraintOnItsOwn(structure, leaving, one)),
      ...foreign.map((one) => ({ ...one, key: ownKey(one), table: table.name, local: true })),
    ],
    triggers: structure.triggers.filter(
      (one) => !isPartition || one.table !== table.name || one.definition !== undefined,
    ),
    dependencies: [
      ...structure.dependencies.filter((edge) => !isLinked(edge)),
      ...structure.dependencies.flatMap((edge) => {
        const from = keys.get(edge.from)
        return from === undefined ? [] : [{ ...edge, key: `${from} > ${edge.to}`, from }]
      }),
    ],
  }
}

function relationOnItsOwn({ kept, left, table }: Leaving): RelationRecord {
  const { parents: _parents, partitionBound: _bound, ...rest } = table
  const names = new Set(left.map(({ name }) => plainIdentifier(name)))
  const parents = table.parents?.filter((parent) => !names.has(parent.replace(/^[^.]+\./, '')))
  const inherited = (name: string) =>
    kept.flatMap(({ columns }) => columns.filter((column) => column.name === name))
  const columns = table.columns.map((column) => {
    const others = inherited(column.name)
    const isNotNull = others.some(({ notNull }) => notNull !== undefined)
    const notNull = column.notNull && {
      ...column.notNull,
      local: column.notNull.local || !isNotNull,
    }
    return {
      ...column,
      local: column.local || others.length === 0,
      ...(notNull === undefined ? {} : { notNull }),
    }
  })
  return { ...rest, columns, ...(parents?.length ? { parents } : {}) }
}

function constraintOnItsOwn(
  { constraints }: SchemaStructure,
  { kept, table }: Leaving,
  constraint: ConstraintRecord,
): ConstraintRecord {
  if (constraint.table !== table.name) return constraint
  const isInherited = constraints.some(
    (other) => other.name === constraint.name && kept.some(({ name }) => name === other.table),
  )
  return isInherited ? constraint : { ...constraint, local: true }
}
