// Roles that copies use. Roles belong to the whole server, so a role stays when its project is dropped or renamed while a copy
// still has objects of it.
import { ownerRoleOf, realtimeRoleOf, type SchemaName } from '../../../core/names.ts'
import { SqlError } from '../../engine.ts'
import { identifier, join, literal, type Sql, sql, verbatim } from '../../sql.ts'
import { loginsOf } from '../projects/project-roles.ts'
import type { KeptRole } from './kept-copy.ts'
import type { StateDatabases } from './state-databases.ts'

const PARKED = 'tenantry_role_'
const DEPENDENT_OBJECTS = '2BP01'

/** Finds roles by name or by oid. @throws {SqlError} */
export async function presentRoles(
  databases: StateDatabases,
  wanted: readonly KeptRole[],
): Promise<readonly KeptRole[]> {
  if (wanted.length === 0) return []
  const names = join(wanted.map(({ name }) => literal(name)))
  const oids = join(wanted.map(({ oid }) => literal(oid)))
  const rows = await databases.query(
    sql`select rolname::text as name, oid::text as oid from pg_catalog.pg_roles where rolname in (${names}) or oid in (${oids})`,
  )
  return rows.map(({ name = '', oid = '' }) => ({ name, oid }))
}

/** The roles of a project. @throws {SqlError} */
export async function rolesOfProject(
  databases: StateDatabases,
  schemaName: SchemaName,
): Promise<readonly KeptRole[]> {
  const names = [ownerRoleOf(schemaName), realtimeRoleOf(schemaName)]
  return await presentRoles(
    databases,
    names.map((name) => ({ name, oid: '0' })),
  )
}

export function renameRole(from: string, to: string): Sql {
  return sql`alter role ${identifier(from)} rename to ${identifier(to)}`
}

/** The name of a role that only copies use, or that makes room for another role. */
export function parkedName(prefix: string, { oid }: KeptRole): string {
  return `${prefix}${PARKED}${oid}`
}

/**
 * Renames the roles of `schemaName` that only copies still use, so that another project can use the role names.
 * @throws {SqlError}
 */
export async function parkRoles(
  databases: StateDatabases,
  prefix: string,
  schemaName: SchemaName,
): Promise<void> {
  const names = join([ownerRoleOf(schemaName), realtimeRoleOf(schemaName)].map((n) => literal(n)))
  const rows =
    await databases.query(sql`select rolname::text as name, oid::text as oid from pg_catalog.pg_roles as roles
where rolname in (${names}) and not exists (
  select from pg_catalog.pg_shdepend
  join pg_catalog.pg_database on pg_database.oid = pg_shdepend.dbid
  where refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass and refobjid = roles.oid
    and not pg_catalog.starts_with(datname, ${literal(`${prefix}tenantry_`)}))
  and not exists (${loginsOf(verbatim('roles.rolname'))})`)
  if (rows.length === 0) return
  await databases.run(
    rows.map(({ name = '', oid = '' }) => renameRole(name, parkedName(prefix, { name, oid }))),
  )
}

/** Drops parked roles that no copy uses any more. @throws {SqlError} */
export async function dropParkedRoles(databases: StateDatabases, prefix: string): Promise<void> {
  const rows = await databases.query(sql`select rolname::text as name from pg_catalog.pg_roles
where pg_catalog.starts_with(rolname, ${literal(prefix + PARKED)})`)
  for (const { name = '' } of rows)
    try {
      await databases.run([sql`drop role if exists ${identifier(name)}`])
    } catch (error) {
      if (!(error instanceof SqlError) || error.code !== DEPENDENT_OBJECTS) throw error
    }
}
