// Chooses the role that reads or changes a table's rows. Reads without an identity see all rows. The row reader reads tables,
// because it bypasses policies and runs no tenant code. The project's owner reads views. Changes run as the owner,
// service_role or the identity, because triggers, defaults and checks are tenant code.

import { ownerRoleOf, type SchemaName } from '../../../core/names.ts'
import type { Principal } from '../../../core/principal.ts'
import { asPrincipal, searchPathOf } from '../../../database/as-principal.ts'
import type { Engine, StatementResult, TenantWork, WorkResult } from '../../../database/engine.ts'
import { PLAIN_FORMATS, type RowReader } from '../../../database/row-reader.ts'
import type { Sql } from '../../../database/sql.ts'
import type { Table } from '../../tables/table.ts'

export interface RowAccessDeps {
  readonly engine: Engine
  readonly reader: RowReader
}

/** Access to one table. No policies apply without a principal. */
export interface RowAccess {
  readonly schemaName: SchemaName
  readonly table: Table
  readonly principal: Principal | undefined
  readonly signal: AbortSignal
}

/** Returns access to a table without a principal and without cancellation. */
export function ownAccess(schemaName: SchemaName, table: Table): RowAccess {
  return { schemaName, table, principal: undefined, signal: new AbortController().signal }
}

/** Wall-clock milliseconds. */
export const READ_MILLIS = 15_000
const WRITE_MILLIS = 120_000

/** Runs read statements in one transaction. @throws {SqlError} */
export async function readAs(
  { engine, reader }: RowAccessDeps,
  { schemaName, table, principal, signal }: RowAccess,
  statements: readonly Sql[],
  bounds: { readonly maxResultBytes?: number } = {},
): Promise<readonly StatementResult[]> {
  if (principal === undefined && runsNoTenantCode(table))
    return reader.read(schemaName, statements, { signal, ...bounds })
  const work = {
    statements,
    mode: 'readOnly',
    end: 'rollback',
    timeoutMillis: READ_MILLIS,
    signal,
    ...bounds,
  } as const
  const { results } = await engine.run({ ...work, ...actorOf(schemaName, principal) })
  return results
}

/** Runs changing statements in one transaction. @throws {SqlError} */
export function writeAs(
  { engine }: Pick<RowAccessDeps, 'engine'>,
  { schemaName, table, principal, signal }: RowAccess,
  statements: readonly Sql[],
  end: TenantWork['end'] = 'commit',
): Promise<WorkResult> {
  const work = {
    statements,
    mode: 'readWrite',
    end,
    timeoutMillis: WRITE_MILLIS,
    signal,
  } as const
  const actor =
    principal ??
    (table.hasRowSecurity && table.forcesRowSecurity ? serviceRole(schemaName) : undefined)
  return engine.run({ ...work, ...actorOf(schemaName, actor) })
}

const ASKING = { method: 'POST', path: '/', headers: '{}', others: PLAIN_FORMATS } as const

function runsNoTenantCode({ kind }: Table): boolean {
  return kind === 'table' || kind === 'partitioned_table' || kind === 'materialized_view'
}

/** The role and settings of the principal, or of the project's owner. */
export function actorOf(
  schemaName: SchemaName,
  principal: Principal | undefined,
): Pick<TenantWork, 'actor' | 'settings'> {
  if (principal !== undefined) return asPrincipal(principal, ASKING)
  return {
    actor: { schemaName, role: ownerRoleOf(schemaName) },
    settings: { search_path: searchPathOf(schemaName), ...PLAIN_FORMATS },
  }
}

function serviceRole(schemaName: SchemaName): Principal {
  const claims = { role: 'service_role', sub: 'apikey:service_role' }
  return { schemaName, role: 'service_role', claims, claimsText: JSON.stringify(claims) }
}
