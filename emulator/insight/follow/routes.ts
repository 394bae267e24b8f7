// GET /_emulator/v1/projects/:ref/users/:id/activity: what one user did and received (contract/activity.ts).
import type { Hono } from 'hono'
import { ACTIVITY_OPERATIONS } from '../../contract/activity.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import type { UserManagement } from '../../services/auth/users/manage-users.ts'
import { liveProject } from '../api-kit/find-project.ts'
import { type Bindings, mountOnProject } from '../api-kit/mount.ts'
import { knownUser } from '../project-tools/users.ts'
import { type ActivitySources, readActivity } from './read-activity.ts'

export interface ActivityDeps {
  readonly projects: ProjectRegistry
  readonly users: Pick<UserManagement, 'find'>
  readonly activity: ActivitySources
}

export function mountActivity(
  app: Hono<Bindings>,
  { activity, projects, users }: ActivityDeps,
): void {
  mountOnProject(app, ACTIVITY_OPERATIONS, (reference) => liveProject(projects, reference), {
    'GET /projects/:ref/users/:id/activity': async ({ project: { schemaName }, params, query }) => {
      const { email, id, phone } = await knownUser(users, schemaName, params.id)
      return readActivity(activity, { schemaName, id, email, phone }, query)
    },
  })
}
