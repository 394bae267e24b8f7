// Scripts that create an empty project in Postgres and drop a project (docs/wire/platform.md#default-grants). Run the scripts
// as platform work, with `engine.admin(script(…))`.
import { readFileSync } from 'node:fs'
import { ownerRoleOf, type RoleName, realtimeRoleOf, type SchemaName } from '../../core/names.ts'
import { packageFile } from '../../core/package-files.ts'
import { identifier, literal, type Sql, sql, verbatim } from '../sql.ts'

// The statements have no comments, because every new project sends them to the engine.
const AUTH_TABLES = readFileSync(
  packageFile('emulator/database/tenant-schema/auth-tables.sql'),
  'utf8',
)
  .replace(/^--.*\n/gm, '')
  .split(/;\n+/)

/** The roles that requests run as. All projects share these roles; the engine's fence confines them to one project. */
const REQUEST_ROLES = verbatim('anon, authenticated, service_role')

const ROWS = ['DELETE', 'INSERT', 'SELECT', 'UPDATE'] as const
const COUNTER = ['SELECT', 'USAGE'] as const

/**
 * Default privileges on objects that the owner creates (docs/wire/platform.md#default-grants). The kind `tables` includes views
 * and materialised views.
 */
export const DEFAULT_GRANTS: readonly {
  readonly on: 'tables' | 'sequences'
  readonly grantee: string
  /** The privileges are sorted, as the queries of catalog/ return them. */
  readonly privileges: readonly string[]
}[] = [
  { on: 'tables', grantee: 'anon', privileges: ['SELECT'] },
  { on: 'tables', grantee: 'authenticated', privileges: ROWS },
  { on: 'tables', grantee: 'service_role', privileges: ROWS },
  { on: 'sequences', grantee: 'anon', privileges: COUNTER },
  { on: 'sequences', grantee: 'authenticated', privileges: COUNTER },
  { on: 'sequences', grantee: 'service_role', privileges: COUNTER },
]

// The event triggers concern tenants' changes. Their functions would run for each of the platform's statements. Only a
// superuser may switch them off; a platform without that right has no event triggers.
const WITHOUT_EVENT_TRIGGERS = sql`select pg_catalog.set_config('event_triggers', 'off', true)
from pg_catalog.pg_roles where rolname = current_user and rolsuper`
const QUIET = sql`set local client_min_messages = warning`

/**
 * Creates schema, owner role, realtime role, default privileges and `auth_*` tables in the embedded engine. Safe to repeat. The
 * platform owns the schema, so that the project's owner cannot drop it, rename it or grant access to it.
 */
export function createProjectScript(schemaName: SchemaName): readonly Sql[] {
  const owner = ownerRoleOf(schemaName)
  return [
    createRoles([owner, realtimeRoleOf(schemaName)]),
    sql`grant project_owner to ${identifier(owner)} with inherit true, set false, admin false`,
    ...createSchemaScript(schemaName),
  ]
}

/** Creates a project's schema for roles that exist. Safe to repeat. */
export function createSchemaScript(schemaName: SchemaName): readonly Sql[] {
  const schema = identifier(schemaName)
  const owner = identifier(ownerRoleOf(schemaName))
  const realtime = identifier(realtimeRoleOf(schemaName))
  return [
    QUIET,
    WITHOUT_EVENT_TRIGGERS,
    sql`create schema if not exists ${schema}`,
    sql`grant usage on schema ${schema} to ${REQUEST_ROLES}, auth_admin, ${realtime}`,
    sql`grant usage, create on schema ${schema} to ${owner}`,
    ...defaultPrivileges(schemaName),
    ...authTables(schemaName),
    sql`select platform.adopt_schema(${literal(schemaName)})`,
  ]
}

/** Renames a project's schema and roles. Objects refer to them by oid, so only texts keep the old name. */
export function renameProjectScript(source: SchemaName, target: SchemaName): readonly Sql[] {
  const roles = [ownerRoleOf, realtimeRoleOf].map(
    (roleOf) =>
      sql`alter role ${identifier(roleOf(source))} rename to ${identifier(roleOf(target))}`,
  )
  return [QUIET, sql`alter schema ${identifier(source)} rename to ${identifier(target)}`, ...roles]
}

/** Drops everything that `createProjectScript` and the tenant created. Safe to repeat. */
export function dropProjectScript(schemaName: SchemaName): readonly Sql[] {
  return [
    QUIET,
    releaseSchema(schemaName),
    sql`drop schema if exists ${identifier(schemaName)} cascade`,
    dropRoles([ownerRoleOf(schemaName), realtimeRoleOf(schemaName)]),
  ]
}

/**
 * Drops everything that the project's owner created, and resets default privileges and the schema's comment. Keeps the schema,
 * its roles and the `auth_*` tables with their rows. Triggers and foreign keys on the `auth_*` tables are dropped together with
 * the owner's functions and tables that they belong to.
 */
export function clearProjectScript(schemaName: SchemaName): readonly Sql[] {
  const namespace = `${literal(schemaName).text}::pg_catalog.regnamespace`
  return [
    QUIET,
    WITHOUT_EVENT_TRIGGERS,
    // An object can be gone before its turn, because a cascade dropped it. The sequence of an identity column is an inner part of
    // its table. Only the table can be dropped, so the query leaves such sequences out.
    verbatim(`do $block$
declare made record;
begin
  for made in
    select found.type, found.identity
    from (
      select distinct classid, objid from pg_catalog.pg_depend
      where refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass and refobjid = ${namespace} and deptype = 'n'
    ) as own,
    pg_catalog.pg_identify_object(own.classid, own.objid, 0) as found
    where not exists (
      select from pg_catalog.pg_class as relation
      join pg_catalog.pg_namespace as namespace on namespace.oid = relation.relnamespace
      where own.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and relation.oid = own.objid
        and relation.relowner = namespace.nspowner
    )
    and not exists (
      select from pg_catalog.pg_depend as inner_part
      where inner_part.classid = own.classid and inner_part.objid = own.objid and inner_part.deptype = 'i'
    )
  loop
    -- Postgres describes later rows while the loop runs. An object that is gone has no identity then.
    continue when made.identity is null;
    execute pg_catalog.format('drop %s if exists %s cascade',
      case made.type when 'statistics object' then 'statistics' else made.type end, made.identity);
  end loop;
end $block$`),
    resetDefaultPrivileges(schemaName),
    ...defaultPrivileges(schemaName),
    sql`comment on schema ${identifier(schemaName)} is null`,
  ]
}

// cspell:ignore defaclacl
// Postgres removes an entry that equals Postgres's own defaults: all privileges for the owner, and for PUBLIC the use of types
// and functions. An entry for one schema can only add privileges to these defaults.
function resetDefaultPrivileges(schemaName: SchemaName): Sql {
  const owner = literal(ownerRoleOf(schemaName)).text
  const namespace = `${literal(schemaName).text}::pg_catalog.regnamespace`
  const kinds = `(values ('r', 'tables'), ('S', 'sequences'), ('f', 'functions'), ('T', 'types'), ('n', 'schemas'), ('L', 'large objects'))
    as kinds (code, kind) on kinds.code = given.defaclobjtype::text`
  return verbatim(`do $block$
declare
  entry record;
  prefix text := pg_catalog.format('alter default privileges for role %I', ${owner});
begin
  for entry in
    select distinct kinds.kind, acl.grantee,
      case when given.defaclnamespace = 0 then '' else pg_catalog.format('in schema %I', ${literal(schemaName).text}) end as place
    from pg_catalog.pg_default_acl as given
    join ${kinds}
    cross join lateral pg_catalog.aclexplode(given.defaclacl) as acl
    where given.defaclrole = ${owner}::pg_catalog.regrole and given.defaclnamespace in (0, ${namespace})
  loop
    execute pg_catalog.format('%s %s revoke all on %s from %s', prefix, entry.place, entry.kind,
      case entry.grantee when 0 then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(entry.grantee)) end);
  end loop;
  for entry in
    select kinds.kind from pg_catalog.pg_default_acl as given
    join ${kinds}
    where given.defaclrole = ${owner}::pg_catalog.regrole and given.defaclnamespace = 0
  loop
    if entry.kind in ('functions', 'types') then
      execute pg_catalog.format('%s grant all on %s to public', prefix, entry.kind);
    end if;
    execute pg_catalog.format('%s grant all on %s to %I', prefix, entry.kind, ${owner});
  end loop;
end $block$`)
}

/** Makes the platform's objects in the schema droppable. */
export function releaseSchema(schemaName: SchemaName): Sql {
  return sql`select platform.release_schema(${literal(schemaName)})`
}

function defaultPrivileges(schemaName: SchemaName): readonly Sql[] {
  const forOwner = sql`alter default privileges for role ${identifier(ownerRoleOf(schemaName))} in schema ${identifier(schemaName)}`
  return DEFAULT_GRANTS.map(
    ({ grantee, on, privileges }) =>
      sql`${forOwner} grant ${verbatim(privileges.join(', '))} on ${verbatim(on)} to ${identifier(grantee)}`,
  )
}

function authTables(schemaName: SchemaName): readonly Sql[] {
  const schema = `${identifier(schemaName).text}.`
  const owner = identifier(ownerRoleOf(schemaName)).text
  return AUTH_TABLES.map((statement) =>
    verbatim(statement.replaceAll(':schema.', schema).replaceAll(/:owner\b/g, owner)),
  )
}

/** Creates the roles that do not exist yet. Some roles can exist already, because a crash interrupted an earlier creation. */
export function createRoles(roles: readonly string[]): Sql {
  return inBlock(
    roles.map(
      (
        role,
      ) => `if not exists (select from pg_catalog.pg_roles where rolname = ${literal(role).text}) then
    create role ${identifier(role).text} nologin noinherit;
  end if;`,
    ),
  )
}

function dropRoles(roles: readonly RoleName[]): Sql {
  return inBlock(
    roles.map(
      (
        role,
      ) => `if exists (select from pg_catalog.pg_roles where rolname = ${literal(role).text}) then
    drop owned by ${identifier(role).text} cascade;
    drop role ${identifier(role).text};
  end if;`,
    ),
  )
}

function inBlock(statements: readonly string[]): Sql {
  return verbatim(`do $block$ begin\n  ${statements.join('\n  ')}\nend $block$`)
}
