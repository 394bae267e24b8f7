// What a project consists of in Postgres before anything is cloned into it, and how all of it goes away again
// (docs/wire/platform.md#default-grants). Platform work: run with `engine.admin(script(…))`.
import { readFileSync } from 'node:fs'
import { ownerRoleOf, type RoleName, realtimeRoleOf, type SchemaName } from '../../core/names.ts'
import { packageFile } from '../../core/package-files.ts'
import { identifier, literal, type Sql, sql, verbatim } from '../sql.ts'

// Comments stay behind: the text travels to the engine with every project.
const AUTH_TABLES = readFileSync(
  packageFile('emulator/database/tenant-schema/auth-tables.sql'),
  'utf8',
).replace(/^--.*\n/gm, '')

/** The roles of a request, which `usage` on the schema is granted to; the engine's fence keeps them in their project. */
const REQUEST_ROLES = verbatim('anon, authenticated, service_role')

const ROWS = ['DELETE', 'INSERT', 'SELECT', 'UPDATE'] as const
const COUNTER = ['SELECT', 'USAGE'] as const

/**
 * Grants on whatever the owner creates from now on (SELECT, INSERT, UPDATE, DELETE to authenticated and service_role; docs/wire/platform.md#default-grants). Views and materialised views count as tables here.
 */
export const DEFAULT_GRANTS: readonly {
  readonly on: 'tables' | 'sequences'
  readonly grantee: string
  /** Sorted, as the catalogue readers give them. */
  readonly privileges: readonly string[]
}[] = [
  { on: 'tables', grantee: 'anon', privileges: ['SELECT'] },
  { on: 'tables', grantee: 'authenticated', privileges: ROWS },
  { on: 'tables', grantee: 'service_role', privileges: ROWS },
  { on: 'sequences', grantee: 'anon', privileges: COUNTER },
  { on: 'sequences', grantee: 'authenticated', privileges: COUNTER },
  { on: 'sequences', grantee: 'service_role', privileges: COUNTER },
]

/**
 * Creates schema, owner role, realtime role, default privileges and `auth_*` tables. Safe to repeat.
 * The schema is the platform's, so that no owner can drop, rename or open it.
 */
export function createProjectScript(schemaName: SchemaName): readonly Sql[] {
  const schema = identifier(schemaName)
  const owner = ownerRoleOf(schemaName)
  const realtime = realtimeRoleOf(schemaName)
  return [
    sql`set local client_min_messages = warning`,
    createRoles([owner, realtime]),
    sql`create schema if not exists ${schema}`,
    sql`grant usage on schema ${schema} to ${REQUEST_ROLES}, auth_admin, ${identifier(realtime)}`,
    sql`grant usage, create on schema ${schema} to ${identifier(owner)}`,
    sql`grant project_owner to ${identifier(owner)} with inherit true, set false, admin false`,
    ...defaultPrivileges(schemaName),
    authTables(schemaName),
    sql`select platform.adopt_schema(${literal(schemaName)})`,
  ]
}

/** Takes everything away that `createProjectScript` and the tenant made, whatever is left of it. Safe to repeat. */
export function dropProjectScript(schemaName: SchemaName): readonly Sql[] {
  return [
    sql`set local client_min_messages = warning`,
    sql`select platform.release_schema(${literal(schemaName)})`,
    sql`drop schema if exists ${identifier(schemaName)} cascade`,
    dropRoles([ownerRoleOf(schemaName), realtimeRoleOf(schemaName)]),
  ]
}

function defaultPrivileges(schemaName: SchemaName): readonly Sql[] {
  const forOwner = sql`alter default privileges for role ${identifier(ownerRoleOf(schemaName))} in schema ${identifier(schemaName)}`
  return DEFAULT_GRANTS.map(
    ({ grantee, on, privileges }) =>
      sql`${forOwner} grant ${verbatim(privileges.join(', '))} on ${verbatim(on)} to ${identifier(grantee)}`,
  )
}

function authTables(schemaName: SchemaName): Sql {
  const text = AUTH_TABLES.replaceAll(':schema.', `${identifier(schemaName).text}.`)
  return verbatim(text.replaceAll(/:owner\b/g, identifier(ownerRoleOf(schemaName)).text))
}

// Postgres has no `create role if not exists`; a crash between two steps may have left either role.
function createRoles(roles: readonly RoleName[]): Sql {
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
