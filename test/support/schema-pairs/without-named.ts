// Leaves out what a step names as not generated, so that a comparison finds every other difference.
import type { NotGenerated } from '../../../emulator/database/differ/difference.ts'
import type { SchemaStructure } from '../../../emulator/database/template/structure.ts'

/** Returns the structure without the facts that the step names: grants, default privileges, and who declares a column. */
export function withoutNamed(
  structure: SchemaStructure,
  notGenerated: readonly NotGenerated[],
): SchemaStructure {
  const names = new Set(notGenerated.map(({ object }) => object))
  const local = (object: string) => object.replace(`${structure.schemaName}.`, '')
  return {
    ...structure,
    types: structure.types.filter(({ name }) => !names.has(`type ${name}`)),
    relations: structure.relations.map((relation) => ({
      ...relation,
      columns: relation.columns.map((column) =>
        names.has(`column ${relation.name}.${column.name}`) ? { ...column, local: true } : column,
      ),
    })),
    grants: structure.grants.filter(
      ({ object, on }) => !names.has(`grant on ${on} ${local(object)}`),
    ),
    defaultPrivileges: structure.defaultPrivileges.filter(
      ({ on }) => !names.has(`grant on default privileges on ${on}`),
    ),
  }
}
