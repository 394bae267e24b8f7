// Projects as databases of a server. Each is a copy of an empty project's database, with roles and logins of its own.
import { type SchemaName, schemaNameOf, trusted } from '../../../core/names.ts'
import { cellText } from '../../engine.ts'
import type { EngineProjects, RunPart } from '../../engine-projects.ts'
import { identifier, literal, type Sql, script, sql } from '../../sql.ts'
import { createSchemaScript } from '../../tenant-schema/install.ts'
import { databaseOf, loginRoleOf } from '../connections/logins.ts'
import { type DatabasesRoom, inCluster, QUIET } from './databases-room.ts'
import { emptyDatabaseOf, noteDatabaseVersion } from './empty-database.ts'
import {
  createRolesScript,
  databaseAccessScript,
  dropRolesScript,
  type LoginSource,
  readerRights,
  renameRolesScript,
} from './project-roles.ts'
import { sharedRolesQuery, transferRolesScript } from './transfer-roles.ts'

export function projectsAsDatabases(room: DatabasesRoom): EngineProjects {
  const { server } = room
  return {
    // The parts of a creation are too few to be worth separate turns.
    create: (schemaName, also = [], runPart = atOnce) =>
      runPart(() => create(room, schemaName, also)),
    rename: (source, target, also = []) => rename(room, source, target, also),
    drop: (schemaName, runPart = atOnce) => runPart(() => drop(room, schemaName)),
    list: async (prefix) => {
      const found = await inCluster(room, [listQuery(server)])
      return (found?.rows ?? [])
        .map(([name]) => trusted.schemaName(cellText(name) ?? ''))
        .filter((name) => name.startsWith(prefix))
    },
    together: (schemaNames) => schemaNames.map((schemaName) => [schemaName]),
  }
}

const atOnce: RunPart = (part) => part()

async function create(
  room: DatabasesRoom,
  schemaName: SchemaName,
  also: readonly Sql[],
): Promise<void> {
  const isNew = await createDatabase(room, schemaName)
  try {
    const rights = readerRights(room.server, schemaName)
    await room.admin(schemaName, script([...createSchemaScript(schemaName), ...rights, ...also]))
  } catch (error) {
    if (isNew) await drop(room, schemaName)
    throw error
  }
}

/** Returns false when the project has its database already. */
async function createDatabase(room: DatabasesRoom, schemaName: SchemaName): Promise<boolean> {
  const { server } = room
  const name = databaseOf(server.prefix, schemaName)
  const database = identifier(name)
  const found = await inCluster(room, [
    QUIET,
    ...createRolesScript(server, schemaName),
    sql`select from pg_catalog.pg_database where datname = ${literal(name)}`,
  ])
  const isNew = found?.rows.length === 0
  // PUBLIC may connect to a new database, so connections are allowed after that right is revoked.
  if (isNew)
    await inCluster(room, [
      sql`create database ${database} template ${identifier(emptyDatabaseOf(room))} strategy file_copy allow_connections false`,
    ])
  await inCluster(room, [
    ...databaseAccessScript(server, schemaName),
    noteDatabaseVersion(room, schemaName),
    sql`alter database ${database} allow_connections true`,
  ])
  return isNew
}

async function hasSharedRoles(
  room: DatabasesRoom,
  source: SchemaName,
  target: SchemaName,
): Promise<boolean> {
  const shared = await inCluster(room, [sharedRolesQuery(room.server, source, target)])
  return shared?.rows.length !== 0
}

// On a server with a prefix, another data directory may create the target's roles at any moment, so roles are not renamed there.
// A database can only be renamed without sessions, and its schema only in a session. A crash between the two steps leaves a
// database with the old name whose schema has the new name. Dropping the source removes that database.
async function rename(
  room: DatabasesRoom,
  source: SchemaName,
  target: SchemaName,
  also: readonly Sql[],
): Promise<void> {
  const { server } = room
  const isShared = server.prefix !== '' || (await hasSharedRoles(room, source, target))
  if (isShared) await inCluster(room, [QUIET, ...createRolesScript(server, target)])
  const schema = sql`alter schema ${identifier(source)} rename to ${identifier(target)}`
  const transfer = isShared ? transferRolesScript(server, source, target) : []
  await room.admin(source, script([QUIET, ...transfer, schema, ...also]))
  const release = await room.evict(source)
  try {
    const from = databaseOf(server.prefix, source)
    const to = identifier(databaseOf(server.prefix, target))
    await inCluster(room, [
      QUIET,
      // `evict` ends only the engine's own connections, so sessions of the user's programs are ended here.
      sql`select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity where datname = ${literal(from)}`,
      sql`alter database ${identifier(from)} rename to ${to}`,
      ...(isShared
        ? databaseAccessScript(server, target)
        : renameRolesScript(server, source, target)),
    ])
    if (isShared) await inCluster(room, dropRolesScript(server, source))
  } finally {
    release()
  }
}

async function drop(room: DatabasesRoom, schemaName: SchemaName): Promise<void> {
  const { server } = room
  const release = await room.evict(schemaName)
  try {
    const database = identifier(databaseOf(server.prefix, schemaName))
    await inCluster(room, [sql`drop database if exists ${database} with (force)`])
    await inCluster(room, dropRolesScript(server, schemaName))
  } finally {
    release()
  }
}

// A killed process can leave logins without their database.
function listQuery({ prefix }: LoginSource): Sql {
  const suffix = loginRoleOf('', schemaNameOf(trusted.slug('')), 'owner')
  const length = (text: string) => literal(String(text.length))
  return sql`select pg_catalog.substr(datname::text, 1 + ${length(prefix)}::integer) as name
from pg_catalog.pg_database where pg_catalog.starts_with(datname, ${literal(`${prefix}proj_`)})
union
select 'proj_' || pg_catalog.substr(rolname::text, 1 + ${length(prefix)}::integer,
  pg_catalog.length(rolname::text) - ${length(prefix + suffix)}::integer)
from pg_catalog.pg_roles
where pg_catalog.starts_with(rolname, ${literal(prefix)}) and pg_catalog.right(rolname::text, ${length(suffix)}::integer) = ${literal(suffix)}
order by name`
}
