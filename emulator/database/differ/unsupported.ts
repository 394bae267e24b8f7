// Names the differences that no statement of the owner can close. Pure.

import type { ConstraintRecord } from '../catalog/attached.ts'
import type { ColumnRecord, RelationRecord } from '../catalog/relations.ts'
import { joinsParent } from './can-alter.ts'
import type { NotGenerated } from './difference.ts'
import { plainIdentifier } from './local-names.ts'
import { isTable, type Objects } from './objects.ts'

export function unsupported(from: Objects, to: Objects): readonly NotGenerated[] {
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

/** Columns of a child table that only the parent, or also the child, has to declare. */
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

/** A check that a table inherits from a parent that it joins. */
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
