// Finds the table to explain. Caches tables until the schema of their project changes, because the inspector often explains the
// same table.
import type { SchemaName } from '../../../core/names.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'
import { loadSecuredTables, type SecuredTable } from '../../tables/table.ts'
import { untilSchemaChanges } from '../until-schema-changes.ts'

/** Returns `undefined` when the project has no such table. @throws {SqlError} */
export type FindTable = (
  schemaName: SchemaName,
  relation: string,
) => Promise<SecuredTable | undefined>

/** Loads the table at every call, without a cache. */
export function readingTables(reader: RowReader): FindTable {
  return async (schemaName, relation) => (await loadSecuredTables(reader, schemaName, relation))[0]
}

const MAX_REMEMBERED = 500

/** Loads each table once per version of the schema. */
export function rememberingTables(
  reader: RowReader,
  lifecycle: Pick<Lifecycle, 'listen'>,
): FindTable {
  const read = readingTables(reader)
  const known = untilSchemaChanges<Map<string, Promise<SecuredTable | undefined>>>(
    lifecycle,
    MAX_REMEMBERED,
  )
  return (schemaName, relation) => {
    const tables = known.of(schemaName, () => new Map())
    const found = tables.get(relation) ?? read(schemaName, relation)
    if (tables.size >= MAX_REMEMBERED) tables.clear()
    tables.set(relation, found)
    found.then(
      (table) => table === undefined && tables.delete(relation),
      () => tables.delete(relation),
    )
    return found
  }
}
