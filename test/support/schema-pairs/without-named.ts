// Removes the parts of a structure that a step names as not generated, so that a comparison finds every other difference.
import type { ColumnRecord } from '../../../emulator/database/catalog/relations.ts'
import type { NotGenerated } from '../../../emulator/database/differ/difference.ts'
import type { SchemaStructure } from '../../../emulator/database/template/structure.ts'

/**
 * Returns the structure without the facts that the step names: grants, default privileges, and which table declares a column or a
 * check.
 */
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
        names.has(`column ${relation.name}.${column.name}`) ? declared(column) : column,
      ),
    })),
    constraints: structure.constraints.map((one) =>
      names.has(`constraint ${one.table}.${one.name}`) ? { ...one, local: true } : one,
    ),
    grants: structure.grants.filter(
      ({ object, on }) => !names.has(`grant on ${on} ${local(object)}`),
    ),
    defaultPrivileges: structure.defaultPrivileges.filter(
      ({ on }) => !names.has(`grant on default privileges on ${on}`),
    ),
  }
}

function declared(column: ColumnRecord): ColumnRecord {
  const { notNull } = column
  return notNull === undefined
    ? { ...column, local: true }
    : { ...column, local: true, notNull: { ...notNull, local: true } }
}
