// Removes tables that are not part of an application's structure: the platform's own tables, and the record of the steps that
// ran. Pure.
import type { SchemaStructure } from '../../database/template/structure.ts'

/** Returns the structure without the named tables and everything attached to them. @param names plain lower-case names */
export function withoutTables(
  structure: SchemaStructure,
  names: ReadonlySet<string>,
): SchemaStructure {
  const { schemaName } = structure
  const isKept = ({ table }: { readonly table: string }) => !names.has(table)
  const isOwned = ({ ownedBy }: SchemaStructure['sequences'][number]) =>
    ownedBy !== undefined && names.has(ownedBy.table)
  const gone = new Set(
    [...names, ...structure.sequences.filter(isOwned).map(({ name }) => name)].map(
      (name) => `${schemaName}.${name}`,
    ),
  )
  return {
    ...structure,
    relations: structure.relations.filter(({ name }) => !names.has(name)),
    sequences: structure.sequences.filter((sequence) => !isOwned(sequence)),
    constraints: structure.constraints.filter(isKept),
    indexes: structure.indexes.filter(isKept),
    triggers: structure.triggers.filter(isKept),
    rules: structure.rules.filter(isKept),
    policies: structure.policies.filter(isKept),
    grants: structure.grants.filter(({ object }) => !gone.has(object)),
    comments: structure.comments.filter(({ object }) => !gone.has(tableOf(object))),
  }
}

/** Returns the qualified table of `table x.t`, `column x.t.c` or `… on x.t`. */
function tableOf(object: string): string {
  return /^(?:table |column |.* on )(\w+\.\w+)/.exec(object)?.[1] ?? ''
}
