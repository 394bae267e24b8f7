// Leaves the table of applied migrations out of a structure. Pure.
import { isLedger } from '../../core/names.ts'
import type { SchemaStructure } from '../template/structure.ts'
import { commentOwners } from './comments.ts'
import { plainIdentifier } from './local-names.ts'
import { objectsOf, relationKey } from './objects.ts'

export function withoutLedger(structure: SchemaStructure): SchemaStructure {
  const ledger = structure.relations.find(({ name }) => isLedger(name))
  if (ledger === undefined) return structure
  const owners = commentOwners(objectsOf(structure))
  const keys = new Set(
    [...objectsOf(structure).byKey.values()]
      .filter(({ key, table }) => key === ledger.key || (table !== undefined && isLedger(table)))
      .map(({ key }) => key),
  )
  const object = `${structure.schemaName}.${plainIdentifier(ledger.name)}`
  const others = <One extends { readonly table: string }>(records: readonly One[]) =>
    records.filter(({ table }) => !isLedger(table))
  return {
    ...structure,
    relations: structure.relations.filter(({ name }) => !isLedger(name)),
    constraints: others(structure.constraints),
    indexes: others(structure.indexes),
    triggers: others(structure.triggers),
    rules: others(structure.rules),
    policies: others(structure.policies),
    grants: structure.grants.filter((grant) => grant.object !== object),
    comments: structure.comments.filter((comment) => !keys.has(owners(comment.object) ?? '')),
    dependencies: structure.dependencies.filter(
      ({ from, to }) => !keys.has(from) && to !== relationKey(ledger.name),
    ),
  }
}
