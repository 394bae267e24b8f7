// Repairs logins that no longer work. Postgres lets every role change its own password, also the owner of a project. A crash
// may have left a project without some of its logins.
import type { PlatformScope } from '../../engine.ts'
import { literal, sql } from '../../sql.ts'
import { databaseOf } from '../connections/logins.ts'
import { type DatabasesRoom, inCluster, QUIET } from './databases-room.ts'
import { createRolesScript, databaseAccessScript } from './project-roles.ts'

/** Repairs a project's logins. Resolves to false when the project has no database. @throws {SqlError} */
export type RepairLogins = (project: PlatformScope) => Promise<boolean>

/** @param room is read at the first repair */
export function repairsLogins(room: () => DatabasesRoom): RepairLogins {
  const underWay = new Map<PlatformScope, Promise<boolean>>()
  return (project) => {
    const known = underWay.get(project)
    if (known !== undefined) return known
    const repair = repairLogins(room(), project).finally(() => underWay.delete(project))
    underWay.set(project, repair)
    return repair
  }
}

async function repairLogins(room: DatabasesRoom, project: PlatformScope): Promise<boolean> {
  if (project === 'cluster') return true
  const database = databaseOf(room.server.prefix, project)
  const found = await inCluster(room, [
    sql`select from pg_catalog.pg_database where datname = ${literal(database)}`,
  ])
  if (found?.rows.length === 0) return false
  await inCluster(room, [
    QUIET,
    ...createRolesScript(room.server, project),
    ...databaseAccessScript(room.server, project),
  ])
  return true
}
