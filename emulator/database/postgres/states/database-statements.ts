// Statements that copy, rename and close databases, and the query for the facts about a new copy.
import { ownerRoleOf, realtimeRoleOf, type SchemaName } from '../../../core/names.ts'
import { identifier, join, literal, type Sql, sql, verbatim } from '../../sql.ts'
import type { KeptCopy, KeptRole } from './kept-copy.ts'

/** Returns the copy with the facts that `factsOfCopy` read. */
export function keptCopy(
  database: string,
  facts: Record<string, string | undefined> | undefined,
): KeptCopy {
  const { comment = '', oid = '', roles } = facts ?? {}
  return { database, oid, roles: rolesOf(roles), comment }
}

/** Allows or forbids new sessions. */
export function allowConnections(database: string, isAllowed: boolean): Sql {
  return sql`alter database ${identifier(database)} allow_connections ${verbatim(String(isAllowed))}`
}

export function renameDatabase(from: string, to: string): Sql {
  return sql`alter database ${identifier(from)} rename to ${identifier(to)}`
}

/**
 * Gives a project's database another name, and closes it. Revokes all rights on the database, because a role that has such rights
 * cannot be dropped.
 */
export function setAside(database: string, aside: string): readonly Sql[] {
  return [
    renameDatabase(database, aside),
    allowConnections(aside, false),
    verbatim(`do $block$
declare
  holder name;
begin
  for holder in
    select rolname from pg_catalog.pg_database
    cross join lateral pg_catalog.aclexplode(datacl) as rights
    join pg_catalog.pg_roles as roles on roles.oid = rights.grantee
    where datname = ${literal(aside).text} and rights.grantee <> datdba
  loop
    execute pg_catalog.format('revoke all on database %I from %I', ${literal(aside).text}, holder);
  end loop;
end
$block$`),
  ]
}

/** Copies files instead of logging each page. */
export function copyStatement(source: string, database: string): Sql {
  return sql`create database ${identifier(database)} template ${identifier(source)} strategy file_copy allow_connections false`
}

/** A copy does not take over the comment of its source. */
export function factsOfCopy(source: string, database: string, schemaName: SchemaName): Sql {
  const roles = join(
    [ownerRoleOf(schemaName), realtimeRoleOf(schemaName)].map((role) => literal(role)),
  )
  return sql`select oid::text as oid,
  (select pg_catalog.string_agg(rolname || ' ' || roles.oid, ',') from pg_catalog.pg_roles as roles
   where rolname in (${roles})) as roles,
  (select pg_catalog.shobj_description(oid, 'pg_database') from pg_catalog.pg_database
   where datname = ${literal(source)}) as comment
from pg_catalog.pg_database where datname = ${literal(database)}`
}

function rolesOf(text: string | undefined): readonly KeptRole[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', oid = ''] = part.split(' ')
      return { name, oid }
    })
}
