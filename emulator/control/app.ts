// Hono app of the control plane: platform and group management (docs/wire/platform.md). Handlers throw errors, and the HTTP
// edge turns the errors into responses with `renderError`.
import { Hono } from 'hono'
import { type HttpEnv, mountRoutes } from '../core/mount-routes.ts'
import type { ServiceApp } from '../core/request-env.ts'
import type { ControlDeps } from './deps.ts'
import {
  ManagementError,
  notFound,
  renderInternalError,
  renderManagementError,
  renderManagementUnavailable,
} from './errors.ts'
import { CONTROL_ROUTES } from './routes.ts'

/** Serves `/platform/v1/*` and `/groups/v1/*`. */
export function createControlApp(deps: ControlDeps): ServiceApp {
  const app = new Hono<HttpEnv>({ strict: false })
  mountRoutes(app, CONTROL_ROUTES, deps, methodNotAllowed)
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

function methodNotAllowed(method: string, allowed: string): ManagementError {
  return new ManagementError(
    'method_not_allowed',
    `${method} is not allowed here; use ${allowed}.`,
    { headers: { allow: allowed } },
  )
}
