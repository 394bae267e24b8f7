// A project's tables as Postgres's catalogue describes them: what the inspector's tables, explanations and fixtures know of
// a table before they look at its rows.
import { InspectorError } from '../api-kit/errors.ts'
import type { ForeignKey, TableSummary } from '../contract/tables.ts'
import type { RowCommand } from '../contract/values.ts'
import type { SchemaName } from '../core/names.ts'
import type { PrincipalRole } from '../core/principal.ts'
import { searchPathOf } from '../database/as-principal.ts'
import { cellText } from '../database/engine.ts'
import type { RowReader } from '../database/row-reader.ts'
import { identifier, type Sql } from '../database/sql.ts'
import { tablesQuery } from './catalog-query.ts'

export interface Table {
  readonly schemaName: SchemaName
  readonly name: string
  readonly kind: TableSummary['kind']
  /** One of the platform's own `auth_*` tables: only its structure is shown. */
  readonly isClosed: boolean
  readonly hasRowSecurity: boolean
  /** FORCE ROW LEVEL SECURITY: policies bind the table's owner, too. */
  readonly forcesRowSecurity: boolean
  readonly policyCount: number
  readonly comment: string | null
  readonly columns: readonly Column[]
  /** In the primary key's order; empty without one. */
  readonly key: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly referencedBy: readonly ForeignKey[]
}

export interface Column {
  readonly name: string
  /** As Postgres writes it under the project's search path. */
  readonly type: string
  readonly shape: 'plain' | 'array' | 'composite' | 'json' | 'jsonb'
  readonly isKey: boolean
  readonly isNullable: boolean
  /** Expression that fills it when an INSERT names no value; null for identity columns. */
  readonly default: string | null
  readonly identity: 'always' | 'by default' | null
  /** Expression of a generated column. */
  readonly generation: string | null
  /** An identity column, or one whose default takes a number from a sequence. */
  readonly isNumbered: boolean
  /** Values of an enum. */
  readonly choices: readonly string[] | null
  readonly comment: string | null
}

/** A table with everything that decides what a role may do with its rows. */
export interface SecuredTable extends Table {
  readonly owner: string
  /** A view that reads with its caller's rights. */
  readonly securityInvoker: boolean
  /** Tables of a view whose policies do not bind the view's owner. */
  readonly bypassedTables: readonly string[]
  /** By name. */
  readonly policies: readonly Policy[]
  readonly access: Readonly<Record<PrincipalRole, RoleAccess>>
}

export interface Policy {
  readonly name: string
  readonly permissive: boolean
  readonly command: 'all' | RowCommand
  /** Role names; `public` is every role. */
  readonly roles: readonly string[]
  readonly using: string | null
  readonly check: string | null
  /** Roles of a request that it applies to, directly or by membership. */
  readonly appliesTo: readonly PrincipalRole[]
}

/** What one role of a request may do with a table. */
export interface RoleAccess {
  /** USAGE on the schema. */
  readonly schema: boolean
  /** BYPASSRLS. */
  readonly bypasses: boolean
  /** Has the rights of the table's owner. */
  readonly owns: boolean
  /** Privileges on the whole table, upper case, in alphabetical order: `SELECT`. */
  readonly privileges: readonly string[]
  /** Privilege → columns it is granted on alone. */
  readonly columns: Readonly<Record<string, readonly string[]>>
}

export const ROLES: readonly PrincipalRole[] = ['anon', 'authenticated', 'service_role']

/** Loads all tables by name, or the one called `name`. @throws {SqlError} */
export function loadTables(
  reader: RowReader,
  schemaName: SchemaName,
  name?: string,
): Promise<readonly Table[]> {
  return load(reader, schemaName, name, false)
}

/** The same with policies and grants. @throws {SqlError} */
export function loadSecuredTables(
  reader: RowReader,
  schemaName: SchemaName,
  name?: string,
): Promise<readonly SecuredTable[]> {
  return load<SecuredTable>(reader, schemaName, name, true)
}

// Expressions are read and later evaluated under the project's own search path, so that the text shown is the text run.
async function load<Loaded extends Table>(
  reader: RowReader,
  schemaName: SchemaName,
  name: string | undefined,
  withSecurity: boolean,
): Promise<readonly Loaded[]> {
  // No catalogue has such a name, and no text in SQL can carry the character.
  if (name?.includes('\0') === true || name?.isWellFormed() === false) return []
  const statement = tablesQuery(schemaName, name, withSecurity)
  const [result] = await reader.read(schemaName, [statement], {
    searchPath: searchPathOf(schemaName),
  })
  return (result?.rows ?? []).map(([cell]) => {
    // A boundary: the shape is what the query builds.
    const table = JSON.parse(cellText(cell) ?? '{}') as Loaded
    const columns = table.columns.map((each) => ({ ...each, isKey: table.key.includes(each.name) }))
    return { ...table, schemaName, columns }
  })
}

/** @throws {InspectorError} `not_found` */
export async function requireTable(
  reader: RowReader,
  schemaName: SchemaName,
  name: string,
): Promise<Table> {
  const [table] = await loadTables(reader, schemaName, name)
  if (table !== undefined) return table
  throw new InspectorError('not_found', `There is no table ${name} in ${schemaName}.`, {
    hint: 'GET …/tables lists the tables. Spell the name exactly, without its schema.',
  })
}

/** A table whose rows may be looked at. @throws {InspectorError} `not_found`, `closed_table` */
export async function requireOpenTable(
  reader: RowReader,
  schemaName: SchemaName,
  name: string,
): Promise<Table> {
  const table = await requireTable(reader, schemaName, name)
  if (!table.isClosed) return table
  throw new InspectorError(
    'closed_table',
    `${name} belongs to the platform. No credential of the project can read it, so only its structure is shown.`,
    { hint: 'GET …/users shows users, sessions and factors.' },
  )
}

/** Columns that identify a row: the primary key, or all columns of a table without one. */
export function keyColumns({ columns, key }: Pick<Table, 'columns' | 'key'>): readonly Column[] {
  if (key.length === 0) return columns
  return key.flatMap((name) => columns.find((column) => column.name === name) ?? [])
}

/** @throws {InspectorError} `invalid_request` */
export function findColumn(table: Table, name: string, path: string): Column {
  const found = table.columns.find((column) => column.name === name)
  if (found !== undefined) return found
  const names = table.columns.map((column) => column.name).join(', ')
  throw invalid(`${path}: ${table.name} has no column "${name}"; its columns are ${names}`)
}

/** A refusal of a request about rows. */
export function invalid(problem: string): InspectorError {
  return new InspectorError('invalid_request', `The request is not valid. ${problem}.`)
}

/** The table by its full name. */
export function tableOf(schemaName: SchemaName, { name }: Pick<Table, 'name'>): Sql {
  return identifier(schemaName, name)
}
