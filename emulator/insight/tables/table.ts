// A project's tables as the catalogue describes them. The inspector, explanations and fixtures use this description before
// they read rows.

import type { ForeignKey, TableIndex, TableSummary } from '../../contract/tables.ts'
import type { RowCommand } from '../../contract/values.ts'
import type { SchemaName } from '../../core/names.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import { searchPathOf } from '../../database/as-principal.ts'
import { cellText, type StatementResult } from '../../database/engine.ts'
import type { RowReader } from '../../database/row-reader.ts'
import { identifier, type Sql } from '../../database/sql.ts'
import { InspectorError } from '../api-kit/errors.ts'
import { tablesQuery } from './catalog-query.ts'

export interface Table {
  readonly schemaName: SchemaName
  readonly name: string
  readonly kind: TableSummary['kind']
  /** One of the platform's own `auth_*` tables. The inspector shows its structure, but not its rows. */
  readonly isClosed: boolean
  readonly hasRowSecurity: boolean
  /** FORCE ROW LEVEL SECURITY: policies also apply to the table's owner. */
  readonly forcesRowSecurity: boolean
  readonly policyCount: number
  readonly comment: string | null
  readonly columns: readonly Column[]
  /** Names of the primary key's columns in the key's order. The list is empty if the table has no primary key. */
  readonly key: readonly string[]
  readonly indexes: readonly TableIndex[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly referencedBy: readonly ForeignKey[]
}

export interface Column {
  readonly name: string
  /** The type as Postgres prints it under the project's search path. */
  readonly type: string
  readonly shape: 'plain' | 'array' | 'composite' | 'json' | 'jsonb'
  readonly isKey: boolean
  readonly isNullable: boolean
  /** Default expression of an INSERT without a value. The default is null for identity columns. */
  readonly default: string | null
  readonly identity: 'always' | 'by default' | null
  /** Expression of a generated column. */
  readonly generation: string | null
  /** Whether the column is an identity column, or its default takes a number from a sequence. */
  readonly isNumbered: boolean
  /** Values of an enum. */
  readonly choices: readonly string[] | null
  readonly comment: string | null
}

/** A table with all facts that decide what a role may do with its rows. */
export interface SecuredTable extends Table {
  readonly owner: string
  /** Whether the view reads with its caller's rights. */
  readonly securityInvoker: boolean
  /** Tables that the view reads although their policies do not apply to the view's owner. */
  readonly bypassedTables: readonly string[]
  /** Sorted by name. */
  readonly policies: readonly Policy[]
  readonly access: Readonly<Record<PrincipalRole, RoleAccess>>
}

export interface Policy {
  readonly name: string
  readonly permissive: boolean
  readonly command: 'all' | RowCommand
  /** Role names. `public` means every role. */
  readonly roles: readonly string[]
  readonly using: string | null
  readonly check: string | null
  /** Request roles to which the policy applies, directly or by membership. */
  readonly appliesTo: readonly PrincipalRole[]
}

/** What a request role may do with a table. */
export interface RoleAccess {
  /** Whether the role has USAGE on the schema. */
  readonly schema: boolean
  /** Has BYPASSRLS. */
  readonly bypasses: boolean
  /** Whether the role has the rights of the table's owner. */
  readonly owns: boolean
  /** Privileges on the whole table in upper case, sorted alphabetically: `SELECT`. */
  readonly privileges: readonly string[]
  /** Columns by privilege, for privileges that are granted on single columns. */
  readonly columns: Readonly<Record<string, readonly string[]>>
}

export const ROLES: readonly PrincipalRole[] = ['anon', 'authenticated', 'service_role']

/** Loads the tables called `names`, or all tables without a name, sorted by name. @throws {SqlError} */
export function loadTables(
  reader: RowReader,
  schemaName: SchemaName,
  ...names: readonly string[]
): Promise<readonly Table[]> {
  return load(reader, schemaName, names, false)
}

/** Loads tables like loadTables, with policies and grants. @throws {SqlError} */
export function loadSecuredTables(
  reader: RowReader,
  schemaName: SchemaName,
  ...names: readonly string[]
): Promise<readonly SecuredTable[]> {
  return load<SecuredTable>(reader, schemaName, names, true)
}

// Uses the project's own search path, which also applies when expressions are evaluated. Therefore Postgres evaluates the
// same text that the inspector shows.
async function load<Loaded extends Table>(
  reader: RowReader,
  schemaName: SchemaName,
  names: readonly string[],
  withSecurity: boolean,
): Promise<readonly Loaded[]> {
  // Leaves out names with NUL or with half of a surrogate pair. Such names cannot exist in Postgres, and cannot be sent in a
  // statement.
  const possible = names.filter((name) => !name.includes('\0') && name.isWellFormed())
  if (possible.length === 0 && names.length > 0) return []
  const statement = tablesQuery(schemaName, possible, withSecurity)
  const [result] = await reader.read(schemaName, [statement], {
    searchPath: searchPathOf(schemaName),
  })
  return (result?.rows ?? []).map(([cell]) => decode<Loaded>(schemaName, cell))
}

function decode<Loaded extends Table>(
  schemaName: SchemaName,
  cell: Uint8Array | null | undefined,
): Loaded {
  // The query determines this shape, so the cast is safe.
  const table = JSON.parse(cellText(cell) ?? '{}') as Loaded
  const columns = table.columns.map((each) => ({ ...each, isKey: table.key.includes(each.name) }))
  return { ...table, schemaName, columns }
}

/** The query of `loadSecuredTables` for one table, and how to read its answer, for callers that run it themselves. */
export function securedTableQuery(
  schemaName: SchemaName,
  name: string,
): {
  readonly statement: Sql
  readonly decode: (rows: StatementResult['rows']) => SecuredTable | undefined
} {
  return {
    statement: tablesQuery(schemaName, [name], true),
    decode: ([row]) => (row === undefined ? undefined : decode<SecuredTable>(schemaName, row[0])),
  }
}

/** Returns the columns that identify a row: the primary key's columns, or all columns if there is no primary key. */
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

/** Creates the error for an invalid request about rows. */
export function invalid(problem: string): InspectorError {
  return new InspectorError('invalid_request', `The request is not valid. ${problem}.`)
}

/** Returns the table's schema-qualified name. */
export function tableOf(schemaName: SchemaName, { name }: Pick<Table, 'name'>): Sql {
  return identifier(schemaName, name)
}
