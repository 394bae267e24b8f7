// The control plane as one app: platform and group management (docs/wire/platform.md). It refuses by
// throwing; the edge renders with `renderError`.
import { Hono } from 'hono'
import type { ServiceApp } from '../core/request-env.ts'
import type { ControlDeps } from './deps.ts'
import {
  notFound,
  renderInternalError,
  renderManagementError,
  renderManagementUnavailable,
} from './errors.ts'
import { bucketRoutes } from './routes/buckets.ts'
import { databaseRoutes } from './routes/database-exec.ts'
import { groupKeyRoutes } from './routes/group-keys.ts'
import { groupOverviewRoutes } from './routes/group-overview.ts'
import { groupRoutes } from './routes/groups.ts'
import { managementKeyRoutes } from './routes/management-keys.ts'
import { projectRoutes } from './routes/projects.ts'
import { type ControlEnv, mountRoutes } from './routes/route-table.ts'
import { sessionRoutes } from './routes/session.ts'
import { templateRoutes } from './routes/template.ts'
import { tenantRoutes } from './routes/tenants.ts'

/** Serves `/platform/v1/*` and `/groups/v1/*`. */
export function createControlApp(deps: ControlDeps): ServiceApp {
  const app = new Hono<ControlEnv>({ strict: false })
  const tables = [
    sessionRoutes,
    projectRoutes,
    managementKeyRoutes,
    databaseRoutes,
    bucketRoutes,
    groupRoutes,
    groupKeyRoutes,
    groupOverviewRoutes,
    tenantRoutes,
    templateRoutes,
  ]
  for (const table of tables) mountRoutes(app, table(deps))
  app.notFound((context) => {
    throw notFound(`The route ${context.req.method} ${context.req.path}`)
  })
  app.onError((error) => {
    throw error
  })
  return {
    fetch: (request, env) => app.fetch(request, env),
    renderError: renderManagementError,
    renderUnavailable: renderManagementUnavailable,
    renderInternal: renderInternalError,
  }
}
