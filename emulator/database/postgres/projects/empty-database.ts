// Prepares a server for projects: the shared roles, and the database of an empty project, which every new project is a copy of.
// Users may create further extensions in that database, so it is never rebuilt.

import { type SchemaName, trusted } from '../../../core/names.ts'
import { SHARED_ROLES } from '../../../core/principal.ts'
import { textRows } from '../../engine.ts'
import {
  identifier,
  join,
  literal,
  quoteIdentifier,
  type Sql,
  script,
  sql,
  verbatim,
} from '../../sql.ts'
import {
  type ClusterFile,
  clusterSql,
  repeatableFiles,
  versionOf,
} from '../../tenant-schema/cluster-sql.ts'
import { databaseOf } from '../connections/logins.ts'
import { type MissingCapability, ServerError } from '../server/running-server.ts'
import { type DatabasesRoom, inCluster, QUIET } from './databases-room.ts'
import { OWN_GRANT } from './project-roles.ts'

// The empty database has a name like a project's database, so that platform work finds it by prefix and this name.
const EMPTY = trusted.schemaName('tenantry_empty')
/** The file that runs in the database of the server's address. */
const ROLES_FILE = '10-roles.sql'
/** Files with event triggers or changes of built-in objects, which only a superuser can make. */
const SUPERUSER_FILES = /^(25|26|27|29|30|32)-/
// Texts sort as in the embedded engine, whatever the server's own locale is.
const LOCALE = verbatim(
  `encoding 'UTF8' locale 'C' locale_provider builtin builtin_locale 'C.UTF-8'`,
)
// Two emulators may prepare one server at once.
const LOCK = sql`select pg_catalog.pg_advisory_xact_lock(7361842)`

/** Name of the database that new projects are copies of. */
export function emptyDatabaseOf({ server }: Pick<DatabasesRoom, 'server'>): string {
  return databaseOf(server.prefix, EMPTY)
}

/**
 * Creates missing objects, and renews databases of another version. Returns the capabilities that projects lack on this server,
 * besides those that the account lacks.
 * @throws {ServerError} server_refused when another account owns the shared roles
 */
export async function prepareServer(room: DatabasesRoom): Promise<readonly MissingCapability[]> {
  const version = databaseVersion(room)
  const versions = await readVersions(room)
  if (versions.get(EMPTY) === undefined) await createEmpty(room)
  for (const [name, found] of versions)
    if (found !== version && !(name === EMPTY && found === undefined)) await renew(room, name)
  return await findOpenDatabases(room)
}

// The platform reports these databases but does not close them, because other users of the server may need them.
async function findOpenDatabases(room: DatabasesRoom): Promise<readonly MissingCapability[]> {
  const { prefix } = room.server
  if (prefix === '') return []
  const found = await inCluster(room, [
    sql`select datname::text as name from pg_catalog.pg_database
where datallowconn and not pg_catalog.starts_with(datname, ${literal(prefix)})
  and pg_catalog.has_database_privilege('public', oid, 'connect')
order by datname`,
  ])
  const names = textRows(found).map(({ name = '' }) => `"${name}"`)
  if (names.length === 0) return []
  return [
    {
      capability: 'closed databases',
      consequence: `PUBLIC may connect to ${names.join(', ')}, so the logins of projects may, too.`,
    },
  ]
}

/** Records that a project's database has the present version of the platform's objects. */
export function noteDatabaseVersion(room: DatabasesRoom, schemaName: string): Sql {
  const database = identifier(`${room.server.prefix}${schemaName}`)
  return sql`comment on database ${database} is ${literal(databaseVersion(room))}`
}

function databaseVersion(room: DatabasesRoom): string {
  return `tenantry ${versionOf(filesFor(room, repeatableFiles('server')))}`
}

async function createEmpty(room: DatabasesRoom): Promise<void> {
  const name = emptyDatabaseOf(room)
  const database = identifier(name)
  const files = clusterSql('server')
  const roles = files.filter((file) => file.name === ROLES_FILE)
  await inCluster(room, [QUIET, OWN_GRANT, LOCK, ...roles.map(({ text }) => verbatim(text))])
  await requireSharedRoles(room)
  await withoutSessions(room, [
    sql`drop database if exists ${database} with (force)`,
    sql`create database ${database} template template0 ${LOCALE}`,
  ])
  await inCluster(room, [
    sql`revoke all on database ${database} from public`,
    // A server without a prefix belongs to this data directory. On other servers, these two databases belong to other users.
    ...(room.server.prefix === ''
      ? [sql`revoke all on database postgres, template1 from public`]
      : []),
  ])
  const others = files.filter((file) => file.name !== ROLES_FILE)
  await runFiles(room, EMPTY, others)
  await withoutSessions(room, [noteDatabaseVersion(room, EMPTY)])
}

// Another account may have created the shared roles.
async function requireSharedRoles(room: DatabasesRoom): Promise<void> {
  const names = [...SHARED_ROLES, 'project_owner'].map((role) => literal(role))
  const found = await inCluster(room, [
    sql`select rolname::text as name, current_user::text as account from pg_catalog.pg_roles
where rolname in (${join(names)}) and not pg_catalog.pg_has_role(oid, 'member with admin option')
order by rolname`,
  ])
  const foreign = textRows(found)
  const [first] = foreign
  if (first === undefined) return
  const roles = foreign.map(({ name = '' }) => name).join(', ')
  throw new ServerError(
    'server_refused',
    `The account "${first['account']}" may not grant the roles ${roles}, which another account created on this server.`,
    {
      hint: `Run as a superuser: grant ${roles} to ${quoteIdentifier(first['account'] ?? '')} with admin option`,
    },
  )
}

// Neither dropping nor copying a database works while it has sessions.
async function withoutSessions(room: DatabasesRoom, statements: readonly Sql[]): Promise<void> {
  const release = await room.evict(EMPTY)
  try {
    for (const statement of statements) await inCluster(room, [statement])
  } finally {
    release()
  }
}

async function renew(room: DatabasesRoom, name: string): Promise<void> {
  const schemaName = trusted.schemaName(name)
  await runFiles(room, schemaName, repeatableFiles('server'))
  await inCluster(room, [noteDatabaseVersion(room, name)])
  if (name === EMPTY) await withoutSessions(room, [])
}

// One transaction for each file: 27-built-in-oids.sql changes objects that an earlier transaction must have
// created. Files that lock shared catalogues call `platform.lock_shared_catalogues` first, because emulators prepare one server at once.
async function runFiles(
  room: DatabasesRoom,
  schemaName: SchemaName,
  files: readonly ClusterFile[],
): Promise<void> {
  for (const { text } of filesFor(room, files))
    await room.admin(schemaName, script([QUIET, verbatim(text)]))
}

function filesFor(
  { server }: Pick<DatabasesRoom, 'server'>,
  files: readonly ClusterFile[],
): readonly ClusterFile[] {
  return server.facts.isSuperuser ? files : files.filter(({ name }) => !SUPERUSER_FILES.test(name))
}

/** Returns the recorded versions by the databases' names without the prefix. An interrupted creation has recorded none. */
async function readVersions(room: DatabasesRoom): Promise<ReadonlyMap<string, string | undefined>> {
  const { prefix } = room.server
  const found = await inCluster(room, [
    sql`select datname::text as name, pg_catalog.shobj_description(oid, 'pg_database') as version
from pg_catalog.pg_database
where datname = ${literal(emptyDatabaseOf(room))} or pg_catalog.starts_with(datname, ${literal(`${prefix}proj_`)})`,
  ])
  return new Map(
    textRows(found).map(({ name = '', version }) => [name.slice(prefix.length), version]),
  )
}
