// Finds the SQL statements that turn one structure into another. The project's owner can run them through db/exec. Pure.

import type { ConstraintRecord } from '../catalog/attached.ts'
import type { ColumnRecord, RelationRecord } from '../catalog/relations.ts'
import { renameStructure } from '../template/rename-structure.ts'
import type { SchemaStructure } from '../template/structure.ts'
import { joinsParent } from './can-alter.ts'
import type {
  DiffOptions,
  DiffResult,
  DiffStatement,
  Draft,
  Lost,
  NotGenerated,
  Rename,
} from './difference.ts'
import { holdBack } from './hold-back.ts'
import { localStatement, plainIdentifier } from './local-names.ts'
import { isTable, type Objects, objectsOf } from './objects.ts'
import { planStep } from './plan-step.ts'
import { withoutLedger } from './without-tables.ts'

/**
 * Returns the statements that turn `from` into `to`, in the order in which one transaction runs them. The statements name no
 * schema, and leave out the table of applied migrations. Without `allowDestructive`, statements that destroy data come last and
 * are held back. So are statements that need them. A rename counts as a removal and an addition; renames.ts renders the renames
 * that the caller states.
 */
export function diffStatements(
  from: SchemaStructure,
  to: SchemaStructure,
  { allowDestructive = false }: DiffOptions = {},
): DiffResult {
  const target = withoutLedger(renameStructure(to, from.schemaName))
  const structure = withoutLedger(from)
  const [before, after] = [objectsOf(structure), objectsOf(target)]
  const reached = allowDestructive ? after : holdBack(before, after)
  const free = planStep(before, reached, after)
  const held = reached === after ? undefined : planStep(reached, after)
  const finish = finisher(before, after)
  return {
    statements: [
      ...free.drafts.map((one) => finish(one, false)),
      ...(held?.drafts ?? []).map((one) => finish(one, true)),
    ],
    renameCandidates: findRenameCandidates(structure, target),
    notGenerated: distinct([
      ...unsupported(before, after),
      ...free.notGenerated,
      ...(held?.notGenerated ?? []),
    ]),
  }
}

function finisher(before: Objects, after: Objects) {
  const { schemaName } = after.structure
  const hidden = new Set(
    [...before.structure.hidden, ...after.structure.hidden].map(({ key }) => key),
  )
  return ({ destroys, loses, sql }: Draft, isHeldBack: boolean): DiffStatement => ({
    sql: localStatement(sql, schemaName, hidden),
    ...(destroys === undefined ? {} : { destroys: destroys.replaceAll(`${schemaName}.`, '') }),
    ...(loses === undefined ? {} : { loses: withoutSchema(loses, schemaName) }),
    isHeldBack,
  })
}

function withoutSchema(loses: Lost, schemaName: string): Lost {
  return loses.kind === 'type'
    ? { ...loses, type: loses.type.replaceAll(`${schemaName}.`, '') }
    : loses
}

function distinct(found: readonly NotGenerated[]): readonly NotGenerated[] {
  return [...new Map(found.map((one) => [`${one.object} ${one.reason}`, one])).values()]
}

// Finds pairs of a dropped and an added object that may be one renamed object. Pure.

/**
 * Finds pairs of a dropped and an added column of the same type in one table, and pairs of tables with equal columns. A column
 * that a parent table declares is renamed together with the parent's column.
 */
function findRenameCandidates(from: SchemaStructure, to: SchemaStructure): readonly Rename[] {
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

// Names the differences that no statement of the owner can remove. Pure.

function unsupported(from: Objects, to: Objects): readonly NotGenerated[] {
  return [
    ...(from.structure.schemaComment === to.structure.schemaComment
      ? []
      : [
          {
            object: 'comment on the schema',
            reason: 'The statement would have to name the schema, and a step runs in every tenant.',
          },
        ]),
    ...to.structure.relations.flatMap((table) => inheritanceOf(from, to, table)),
    ...to.structure.constraints.flatMap((check) => inheritedCheck(from, to, check)),
    ...to.structure.types.flatMap((type): NotGenerated[] => {
      const before = from.byKey.get(type.key)
      if (type.range === undefined || before === undefined) return []
      if (before.text === to.byKey.get(type.key)?.text) return []
      const isUsed = from.users(type.key).some((user) => {
        const object = from.byKey.get(user)
        return object?.section === 'relations' && isTable(object.record)
      })
      return isUsed
        ? [
            {
              object: `type ${type.name}`,
              reason: 'Postgres cannot change a range type that columns have.',
            },
          ]
        : []
    }),
  ]
}

/** Columns of a child table whose declaration should move: only into the parent, or also into the child. */
function inheritanceOf(from: Objects, to: Objects, table: RelationRecord): readonly NotGenerated[] {
  const before = from.relation(table.name)
  if (before === undefined || table.partitionBound !== undefined) return []
  const parents = to.structure.relations.filter(({ name }) =>
    table.parents?.includes(`${to.structure.schemaName}.${plainIdentifier(name)}`),
  )
  const isInherited = ({ name }: ColumnRecord) =>
    parents.some(({ columns }) => columns.some((column) => column.name === name))
  return table.columns.flatMap((column): NotGenerated[] => {
    const old = before.columns.find(({ name }) => name === column.name)
    if (old === undefined || old.local === column.local || !isInherited(column)) return []
    return [
      {
        object: `column ${table.name}.${column.name}`,
        reason: column.local
          ? 'Postgres cannot declare a column in a child that inherits it already.'
          : 'Postgres cannot make a column inherited that the child declares itself.',
      },
    ]
  })
}

/** A check that an existing table should only inherit from a parent that it joins. */
function inheritedCheck(
  from: Objects,
  to: Objects,
  { kind, local, name, table }: ConstraintRecord,
): readonly NotGenerated[] {
  const isTableOld = from.relation(table) !== undefined
  const isPartition = to.relation(table)?.partitionBound !== undefined
  if (kind !== 'check' || local || !isTableOld || isPartition) return []
  return joinsParent(table, from, to)
    ? [
        {
          object: `constraint ${table}.${name}`,
          reason: 'Postgres cannot make a check inherited that the child declares itself.',
        },
      ]
    : []
}
