// Routes of /_emulator/v1 for changes of the inspector (contract/changes.ts).
import type { Context, Hono } from 'hono'
import { CHANGE_OPERATIONS, LAST_CHANGE_OPERATIONS } from '../../contract/changes.ts'
import { liveProject } from '../../insight/api-kit/find-project.ts'
import { type Bindings, mount, mountOnProject } from '../../insight/api-kit/mount.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import type { FleetRequest } from '../migrations/apply/local-fleet.ts'
import { translating } from '../migrations/routes.ts'
import type { Changes } from './changes.ts'

export function mountChanges(
  app: Hono<Bindings>,
  { changes, projects }: { readonly changes: Changes; readonly projects: ProjectRegistry },
): void {
  mount(app, LAST_CHANGE_OPERATIONS, {
    'GET /changes/last': () => ({ change: changes.last() }),
  })
  mountOnProject(app, CHANGE_OPERATIONS, (reference) => liveProject(projects, reference), {
    'POST /projects/:ref/changes/rehearse': ({ body, c, project }) =>
      translating(() => changes.rehearse(project, body, requestOf(c))),
    'POST /projects/:ref/changes/apply': ({ body, c, project }) =>
      translating(() => changes.apply(project, body, requestOf(c))),
    'POST /projects/:ref/changes/undo': ({ body }) => changes.undo(body),
  })
}

function requestOf({ env, req }: Context<Bindings>): FleetRequest {
  return { addresses: env.addresses, requestId: env.requestId, signal: req.raw.signal }
}
