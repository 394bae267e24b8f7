// Logins of the Postgres port. The owner of each active project logs in with a password derived from the data directory's
// secret. Frozen templates have no login.
import { ownerRoleOf, parseSchemaName, parseSlug, schemaNameOf } from '../../core/names.ts'
import type { PostgresLogin, PostgresLogins } from '../../core/postgres-session.ts'
import { searchPathOf } from '../../database/as-principal.ts'
import type { Engine } from '../../database/engine.ts'
import type { LocalKeys } from '../credentials/local-keys.ts'
import type { Lifecycle } from '../projects/lifecycle.ts'
import type { Project, ProjectLookup } from '../projects/project.ts'

const OWNER_SUFFIX = '_owner'

/** The parts of the platform that logins use. */
export interface LoginDeps {
  readonly engine: Engine
  readonly lifecycle: Pick<Lifecycle, 'listen'>
  readonly projects: Pick<ProjectLookup, 'findProjectBySchema'>
  readonly localKeys: Pick<LocalKeys, 'postgresPassword'>
}

export function createPostgresLogins(deps: LoginDeps): PostgresLogins {
  const { engine, lifecycle, projects } = deps
  const listeners: ((schemaName: string | undefined) => void)[] = []
  const revoke = (project: Project): void => {
    for (const listener of listeners) listener(project.schemaName)
  }
  lifecycle.listen({
    offline: revoke,
    keysReplaced: revoke,
    // Restoring a state ends the sessions of all projects.
    stateReplaced: () => {
      for (const listener of listeners) listener(undefined)
    },
  })

  const loginOf = (project: Project): PostgresLogin => {
    const { schemaName } = project
    const role = ownerRoleOf(schemaName)
    return {
      schemaName,
      role,
      password: postgresPasswordOf(deps, project),
      open: (settings, events) =>
        engine.connect({
          schemaName,
          role,
          settings: { search_path: searchPathOf(schemaName), ...settings },
          events,
        }),
    }
  }
  return {
    find: (user) => {
      const project = schemaNamesOf(user)
        .map((schemaName) => projects.findProjectBySchema(schemaName))
        .find((found) => found !== undefined && mayLogIn(found))
      return project === undefined ? undefined : loginOf(project)
    },
    onRevoked: (listener) => listeners.push(listener),
  }
}

/** Whether Postgres clients may log in to the project. */
export function mayLogIn({ kind, state }: Project): boolean {
  return state === 'active' && kind !== 'template'
}

/** Returns the password of the project's login. The password becomes invalid when the project's keys are regenerated. */
export function postgresPasswordOf(
  { localKeys }: Pick<LoginDeps, 'localKeys'>,
  { id, keyVersion }: Project,
): string {
  return localKeys.postgresPassword(id, keyVersion)
}

// A user name is `<slug>`, `proj_<slug>` or `proj_<slug>_owner`. A slug may itself look like one of these, so several schemas
// are possible.
function schemaNamesOf(user: string) {
  const slug = parseSlug(user)
  const owned = user.endsWith(OWNER_SUFFIX) ? user.slice(0, -OWNER_SUFFIX.length) : ''
  return [
    slug === undefined ? undefined : schemaNameOf(slug),
    parseSchemaName(owned),
    parseSchemaName(user),
  ].filter((name) => name !== undefined)
}
