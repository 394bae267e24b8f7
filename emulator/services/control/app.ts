// The Hono app of the control plane: platform and group management (docs/wire/platform.md).
import { serveRoutes } from '../../core/mount-routes.ts'
import type { ServiceApp } from '../../core/request-env.ts'
import type { ControlDeps } from './deps.ts'
import { CONTROL_ERRORS } from './errors.ts'
import { CONTROL_ROUTES } from './routes.ts'

/** Serves `/platform/v1/*` and `/groups/v1/*`. */
export function createControlApp(deps: ControlDeps): ServiceApp {
  return serveRoutes(CONTROL_ROUTES, deps, CONTROL_ERRORS)
}
