// Carries out the decision to restore a state. One transaction renames databases and roles, so that the restore happens as a
// whole. Safe to repeat.
import { ownerRoleOf, realtimeRoleOf, type SchemaName } from '../../../core/names.ts'
import { SqlError } from '../../engine.ts'
import { identifier, literal, type Sql, sql, verbatim } from '../../sql.ts'
import {
  createRolesScript,
  databaseAccessScript,
  dropRolesScript,
  loginsOf,
} from '../projects/project-roles.ts'
import { allowConnections, renameDatabase, setAside } from './database-statements.ts'
import { parkedName, presentRoles, renameRole } from './kept-roles.ts'
import type { Removal, Replacement, RestorePlan } from './restore-plan.ts'
import type { Listed, StateDatabases, StatesRoom } from './state-databases.ts'

export interface PlanDeps {
  readonly room: StatesRoom
  readonly databases: StateDatabases
}

/** No session may be open in the databases that the plan renames. @throws {SqlError} */
export async function carryOut(
  { room, databases }: PlanDeps,
  { remove, replace }: RestorePlan,
): Promise<void> {
  const present = await databases.list()
  const missing = replace.filter((replacement) => !isInPlace(present, replacement))
  const gone = remove.filter(({ schemaName }) => present.projects.has(schemaName))
  const asides = [...missing, ...gone].flatMap(({ schemaName, aside }) =>
    present.projects.has(schemaName) ? setAside(databases.databaseOf(schemaName), aside) : [],
  )
  const roles = await roleChanges({ room, databases }, missing)
  const put = missing.flatMap(({ from, schemaName }) => {
    const hasRoles = present.projects.has(schemaName) && !roles.changed.has(schemaName)
    const database = databases.databaseOf(schemaName)
    return [
      renameDatabase(from.database, database),
      ...(hasRoles ? [] : createRolesScript(room.server, schemaName)),
      ...databaseAccessScript(room.server, schemaName),
      sql`comment on database ${identifier(database)} is ${literal(from.comment)}`,
      allowConnections(database, true),
    ]
  })
  const statements = [
    ...asides,
    ...roles.statements,
    ...(await removeRoles({ room, databases }, gone)),
    ...put,
  ]
  if (statements.length > 0)
    await databases.run([sql`set local client_min_messages = warning`, ...statements])
}

// The database that was set aside still uses the roles, so the roles get other names until the database is dropped. Roles that
// another data directory uses keep their names.
async function removeRoles(
  { room, databases }: PlanDeps,
  gone: readonly Removal[],
): Promise<readonly Sql[]> {
  const names = gone.flatMap(({ schemaName }) => [
    ownerRoleOf(schemaName),
    realtimeRoleOf(schemaName),
  ])
  const present = await presentRoles(
    databases,
    names.map((name) => ({ name, oid: '0' })),
  )
  return [
    ...gone.flatMap(({ schemaName }) => dropRolesScript(room.server, schemaName)),
    ...present.map((role) => {
      const rename = renameRole(role.name, parkedName(room.server.prefix, role))
      return verbatim(`do $block$ begin
  if not exists (${loginsOf(literal(role.name)).text}) then
    ${rename.text};
  end if;
exception when undefined_object then null;
end $block$`)
    }),
  ]
}

// When a plan is repeated, the prepared database may already have the project's name.
function isInPlace({ others, projects }: Listed, { from, schemaName }: Replacement): boolean {
  if (projects.get(schemaName)?.oid === from.oid) return true
  if (others.get(from.database)?.oid === from.oid) return false
  throw new SqlError('55000', `the database "${from.database}" of a restore is missing`)
}

// When a project was renamed after the copy was made, its roles were renamed, too. The copy's objects still belong to these
// roles, which are found by oid. The roles get their former names back. A role of another project that has one of these names by
// now is renamed first.
async function roleChanges(
  { room, databases }: PlanDeps,
  replace: readonly Replacement[],
): Promise<{ readonly statements: readonly Sql[]; readonly changed: ReadonlySet<SchemaName> }> {
  const { server } = room
  const wanted = replace.flatMap(({ from }) => from.roles)
  const present = await presentRoles(databases, wanted)
  const nameOf = new Map(present.map(({ name, oid }) => [oid, name]))
  const lost = wanted.filter(({ name, oid }) => nameOf.has(oid) && nameOf.get(oid) !== name)
  const names = new Set(lost.map(({ name }) => name))
  const oids = new Set(lost.map(({ oid }) => oid))
  const moving = present.filter(({ name, oid }) => oids.has(oid) || names.has(name))
  const changed = replace
    .filter(({ from }) => from.roles.some(({ name }) => names.has(name)))
    .map(({ schemaName }) => schemaName)
  return {
    changed: new Set(changed),
    statements: [
      ...moving
        .filter((role) => role.name !== parkedName(server.prefix, role))
        .map((role) => renameRole(role.name, parkedName(server.prefix, role))),
      // Drops the logins of these projects, because otherwise they could still become the renamed roles.
      ...changed.flatMap((schemaName) => dropRolesScript(server, schemaName)),
      ...lost.map((role) => renameRole(parkedName(server.prefix, role), role.name)),
    ],
  }
}
