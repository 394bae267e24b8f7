// Leaves tables that are not part of an application out of a structure, such as the table of applied migrations. Pure.
import { isLedger } from '../../core/names.ts'
import type { SchemaStructure } from '../template/structure.ts'
import { commentOwners } from './comments.ts'
import { plainIdentifier } from './local-names.ts'
import { objectsOf } from './objects.ts'

/** Returns the structure without the table of applied migrations. */
export function withoutLedger(structure: SchemaStructure): SchemaStructure {
  return withoutTables(structure, isLedger)
}

/** Returns the structure without these tables, and without what belongs to them. */
export function withoutTables(
  structure: SchemaStructure,
  isLeftOut: (table: string) => boolean,
): SchemaStructure {
  const tables = structure.relations.filter(({ name }) => isLeftOut(name))
  if (tables.length === 0) return structure
  const sequences = structure.sequences.filter(
    ({ ownedBy }) => ownedBy !== undefined && isLeftOut(ownedBy.table),
  )
  const objects = objectsOf(structure)
  const parts = [...objects.byKey.values()].filter(
    ({ table }) => table !== undefined && isLeftOut(table),
  )
  const keys = new Set([...tables, ...sequences, ...parts].map(({ key }) => key))
  const names = new Set(
    [...tables, ...sequences].map(({ name }) => `${structure.schemaName}.${plainIdentifier(name)}`),
  )
  const owners = commentOwners(objects)
  const others = <One extends { readonly table: string }>(records: readonly One[]) =>
    records.filter(({ table }) => !isLeftOut(table))
  return {
    ...structure,
    relations: structure.relations.filter(({ key }) => !keys.has(key)),
    sequences: structure.sequences.filter(({ key }) => !keys.has(key)),
    constraints: others(structure.constraints),
    indexes: others(structure.indexes),
    triggers: others(structure.triggers),
    rules: others(structure.rules),
    policies: others(structure.policies),
    grants: structure.grants.filter(({ object }) => !names.has(object)),
    comments: structure.comments.filter(({ object }) => !keys.has(owners(object) ?? '')),
    dependencies: structure.dependencies.filter(({ from, to }) => !keys.has(from) && !keys.has(to)),
  }
}
