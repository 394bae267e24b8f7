// The roles of a project on a server. The owner and the realtime role own objects and have rights. The project's logins become
// one of these roles or a shared role. Roles belong to the whole server, so several databases may use the same owner. A login's
// name begins with the data directory's prefix, so no other data directory uses it.
import { ownerRoleOf, type RoleName, realtimeRoleOf, type SchemaName } from '../../../core/names.ts'
import { searchPathOf } from '../../as-principal.ts'
import { identifier, join, literal, type Sql, sql, verbatim } from '../../sql.ts'
import { createRoles } from '../../tenant-schema/install.ts'
import {
  databaseOf,
  LOGIN_KINDS,
  type LoginKind,
  loginRoleOf,
  passwordOf,
} from '../connections/logins.ts'
import type { RunningServer } from '../server/running-server.ts'
import { ownVerifier } from './scram-verifier.ts'

/** The facts from which the names and passwords of a data directory's logins are derived. */
export type LoginSource = Pick<RunningServer, 'facts' | 'prefix' | 'secret'>

/**
 * Makes the platform's account a member of the roles that it creates. Without the membership, an account without superuser rights
 * could neither act for these roles nor end their sessions.
 */
export const OWN_GRANT: Sql = sql`set local createrole_self_grant = 'set, inherit'`

// Data directories that share a server share the roles of projects with the same slug. Only one data directory creates or drops
// roles at a time, so that no role disappears between its creation and the grants to it.
const ONE_AT_A_TIME = sql`select pg_catalog.pg_advisory_xact_lock(7361843)`

/** The roles that own a project's objects, or that policies name. */
function projectRoles(schemaName: SchemaName): readonly RoleName[] {
  return [ownerRoleOf(schemaName), realtimeRoleOf(schemaName)]
}

/** Creates the project's roles and logins. Also repairs logins whose password or settings a tenant has changed. */
export function createRolesScript(source: LoginSource, schemaName: SchemaName): readonly Sql[] {
  const logins = LOGIN_KINDS.map((kind) => loginRoleOf(source.prefix, schemaName, kind))
  return [
    ONE_AT_A_TIME,
    OWN_GRANT,
    createRoles([...projectRoles(schemaName), ...logins]),
    sql`grant project_owner to ${identifier(ownerRoleOf(schemaName))} with inherit true, set false, admin false`,
    ...LOGIN_KINDS.flatMap((kind) => loginScript(source, schemaName, kind)),
    ...readerMembership(source, schemaName),
  ]
}

// row_reader bypasses policies with rights that only a superuser can grant. Without a superuser, it becomes a member of the
// project's owner and reads with the owner's rights.
function readerMembership({ facts }: LoginSource, schemaName: SchemaName): readonly Sql[] {
  if (facts.isSuperuser) return []
  return [
    sql`grant ${identifier(ownerRoleOf(schemaName))} to row_reader with inherit true, set false, admin false`,
  ]
}

/** Lets row_reader read the platform's tables of a project when the platform's account lacks superuser rights. */
export function readerRights({ facts }: LoginSource, schemaName: SchemaName): readonly Sql[] {
  if (facts.isSuperuser) return []
  return [sql`grant select on all tables in schema ${identifier(schemaName)} to row_reader`]
}

function loginScript(
  { facts, prefix, secret }: LoginSource,
  schemaName: SchemaName,
  kind: LoginKind,
): readonly Sql[] {
  const name = loginRoleOf(prefix, schemaName, kind)
  const login = identifier(name)
  const roles = rolesOf(schemaName, kind)
  return [
    // Programs of the user log in once the platform allows it (client-logins.ts).
    kind === 'client'
      ? sql`alter role ${login} noinherit`
      : sql`alter role ${login} login noinherit password ${literal(ownVerifier(name, passwordOf(secret, name)))}`,
    sql`grant ${join(roles.map((role) => identifier(role)))} to ${login} with inherit false, set true, admin false`,
    sql`alter role ${login} reset all`,
    ...sessionSettings(schemaName, kind, facts).map(
      ([setting, value]) =>
        sql`alter role ${login} set ${identifier(setting)} = ${verbatim(value)}`,
    ),
  ]
}

/** Gives the renamed logins of `source` the passwords and settings of `target`. */
function renewLogin(source: LoginSource, target: SchemaName, kind: LoginKind): readonly Sql[] {
  const [password, , ...settings] = loginScript(source, target, kind)
  return password === undefined ? [] : [password, ...settings]
}

/** Renames the roles and logins of a project. Only for roles that no other database uses. */
export function renameRolesScript(
  logins: LoginSource,
  source: SchemaName,
  target: SchemaName,
): readonly Sql[] {
  const rename = (from: string, to: string) =>
    sql`alter role ${identifier(from)} rename to ${identifier(to)}`
  return [
    rename(ownerRoleOf(source), ownerRoleOf(target)),
    rename(realtimeRoleOf(source), realtimeRoleOf(target)),
    ...LOGIN_KINDS.flatMap((kind) => [
      rename(loginRoleOf(logins.prefix, source, kind), loginRoleOf(logins.prefix, target, kind)),
      ...renewLogin(logins, target, kind),
    ]),
  ]
}

/** Drops the project's logins, and those of its roles that no other login or database uses. Safe to repeat. */
export function dropRolesScript({ prefix }: LoginSource, schemaName: SchemaName): readonly Sql[] {
  const logins = LOGIN_KINDS.map((kind) => identifier(loginRoleOf(prefix, schemaName, kind)))
  const drops = projectRoles(schemaName).map(
    (role) => `if not exists (${loginsOf(literal(role)).text}) then
    begin
      drop role if exists ${identifier(role).text};
    exception when dependent_objects_still_exist then null;
    end;
  end if;`,
  )
  return [
    ONE_AT_A_TIME,
    sql`set local client_min_messages = warning`,
    sql`drop role if exists ${join(logins)}`,
    verbatim(`do $block$ begin\n  ${drops.join('\n  ')}\nend $block$`),
  ]
}

/** Selects the logins of all data directories that may become `role`, a literal or a column. */
export function loginsOf(role: Sql): Sql {
  return sql`select from pg_catalog.pg_auth_members as membership
    join pg_catalog.pg_roles as used on used.oid = membership.roleid
    join pg_catalog.pg_roles as login on login.oid = membership.member
    where used.rolname = ${role} and login.rolcanlogin and login.rolname <> current_user`
}

/**
 * Opens a project's database to its own logins alone. A copy of a database has none of these rights, so callers run this for
 * each new database before it is used.
 */
export function databaseAccessScript(source: LoginSource, schemaName: SchemaName): readonly Sql[] {
  const database = identifier(databaseOf(source.prefix, schemaName))
  const logins = LOGIN_KINDS.map((kind) => identifier(loginRoleOf(source.prefix, schemaName, kind)))
  return [
    sql`revoke all on database ${database} from public`,
    sql`grant connect on database ${database} to ${join(logins)}`,
    sql`grant temporary on database ${database} to ${identifier(ownerRoleOf(schemaName))}`,
  ]
}

function rolesOf(schemaName: SchemaName, kind: LoginKind): readonly string[] {
  const owner = ownerRoleOf(schemaName)
  if (kind === 'owner' || kind === 'builder' || kind === 'client') return [owner]
  if (kind === 'realtime') return [realtimeRoleOf(schemaName)]
  if (kind === 'rehearsal') return [owner, 'anon', 'authenticated', 'service_role']
  return [kind]
}

function sessionSettings(
  schemaName: SchemaName,
  kind: LoginKind,
  { isSuperuser }: LoginSource['facts'],
): readonly (readonly [name: string, value: string])[] {
  const [role = ''] = rolesOf(schemaName, kind)
  const path = kind === 'client' ? [['search_path', searchPathOf(schemaName)] as const] : []
  // Only superusers create event triggers and change this setting.
  const triggers = kind === 'builder' && isSuperuser ? [['event_triggers', 'off'] as const] : []
  return [['role', literal(role).text], ...path, ...triggers]
}
