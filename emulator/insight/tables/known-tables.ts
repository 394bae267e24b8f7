// Finds a project's tables, and keeps them until the schema of their project changes. The inspector needs the same tables again
// and again.
import type { SchemaName } from '../../core/names.ts'
import type { RowReader } from '../../database/row-reader.ts'
import type { Lifecycle } from '../../platform/projects/lifecycle.ts'
import { InspectorError } from '../api-kit/errors.ts'
import { loadSecuredTables, type SecuredTable } from './table.ts'
import { untilSchemaChanges } from './until-schema-changes.ts'

export interface KnownTables {
  /** Returns `undefined` when the project has no such table. @throws {SqlError} */
  find(schemaName: SchemaName, name: string): Promise<SecuredTable | undefined>
  /** Returns all tables, sorted by name. @throws {SqlError} */
  all(schemaName: SchemaName): Promise<readonly SecuredTable[]>
}

/** Loads tables at every call, without a cache. */
export function readingTables(reader: RowReader): KnownTables {
  return {
    find: async (schemaName, name) => (await loadSecuredTables(reader, schemaName, name))[0],
    all: (schemaName) => loadSecuredTables(reader, schemaName),
  }
}

/** The cached tables of one project. */
interface Known {
  all: Promise<readonly SecuredTable[]> | undefined
  readonly named: Map<string, Promise<SecuredTable | undefined>>
}

const MAX_REMEMBERED = 500

/** Loads each table once per version of the schema. */
export function rememberingTables(
  reader: RowReader,
  lifecycle: Pick<Lifecycle, 'listen'>,
): KnownTables {
  const read = readingTables(reader)
  const memory = untilSchemaChanges<Known>(lifecycle, MAX_REMEMBERED)
  const knownOf = (schemaName: SchemaName) =>
    memory.of(schemaName, () => ({ all: undefined, named: new Map() }))
  return {
    find: (schemaName, name) => {
      const known = knownOf(schemaName)
      return (
        known.all?.then((tables) => named(tables, name)) ?? findOne(read, known, schemaName, name)
      )
    },
    all: (schemaName) => {
      const known = knownOf(schemaName)
      known.all ??= read.all(schemaName).catch((error: unknown) => {
        known.all = undefined
        throw error
      })
      return known.all
    },
  }
}

function findOne(
  read: KnownTables,
  { named: tables }: Known,
  schemaName: SchemaName,
  name: string,
): Promise<SecuredTable | undefined> {
  const found = tables.get(name) ?? read.find(schemaName, name)
  if (tables.size >= MAX_REMEMBERED) tables.clear()
  tables.set(name, found)
  found.then(
    (table) => table === undefined && tables.delete(name),
    () => tables.delete(name),
  )
  return found
}

function named(tables: readonly SecuredTable[], name: string): SecuredTable | undefined {
  return tables.find((table) => table.name === name)
}

/** @throws {InspectorError} `not_found` @throws {SqlError} */
export async function requireTable(
  tables: Pick<KnownTables, 'find'>,
  schemaName: SchemaName,
  name: string,
): Promise<SecuredTable> {
  const table = await tables.find(schemaName, name)
  if (table !== undefined) return table
  throw new InspectorError('not_found', `There is no table ${name} in ${schemaName}.`, {
    hint: 'GET …/tables lists the tables. Spell the name exactly, without its schema.',
  })
}

/** Finds a table whose rows the inspector may show. @throws {InspectorError} `not_found`, `closed_table` */
export async function requireOpenTable(
  tables: Pick<KnownTables, 'find'>,
  schemaName: SchemaName,
  name: string,
): Promise<SecuredTable> {
  const table = await requireTable(tables, schemaName, name)
  if (!table.isClosed) return table
  throw new InspectorError(
    'closed_table',
    `${name} belongs to the platform. No credential of the project can read it, so only its structure is shown.`,
    { hint: 'GET …/users shows users, sessions and factors.' },
  )
}
