// Facts of tables are remembered until their project's schema changes: whoever looks at a table asks again and again.
import type { SchemaName } from '../../core/names.ts'
import type { RowReader } from '../../database/row-reader.ts'
import type { Lifecycle } from '../../projects/lifecycle.ts'
import { readTableFacts, type TableFacts } from './table-facts.ts'

/** One relation, or none when there is none of that name. @throws {SqlError} */
export type FindTable = (
  schemaName: SchemaName,
  relation: string,
) => Promise<TableFacts | undefined>

/** Reads anew each time. */
export function readingTables(reader: RowReader): FindTable {
  return async (schemaName, relation) => (await readTableFacts(reader, schemaName, relation))[0]
}

const MAX_REMEMBERED = 500

/** Reads once per schema version. */
export function rememberingTables(
  reader: RowReader,
  lifecycle: Pick<Lifecycle, 'listen'>,
): FindTable {
  const read = readingTables(reader)
  const known = new Map<SchemaName, Map<string, Promise<TableFacts | undefined>>>()
  const forget = ({ schemaName }: { readonly schemaName: SchemaName }): void => {
    known.delete(schemaName)
  }
  lifecycle.listen({
    schemaChanged: forget,
    offline: forget,
    stateReplaced: () => known.clear(),
  })
  return (schemaName, relation) => {
    if (!known.has(schemaName) && known.size >= MAX_REMEMBERED) known.clear()
    const tables = known.get(schemaName) ?? new Map<string, Promise<TableFacts | undefined>>()
    known.set(schemaName, tables)
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
