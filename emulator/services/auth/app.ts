// The Hono app of end-user authentication (docs/wire/auth.md).
import { serveRoutes } from '../../core/mount-routes.ts'
import type { ServiceApp } from '../../core/request-env.ts'
import type { AuthDeps } from './deps.ts'
import { AUTH_ERRORS } from './errors.ts'
import { AUTH_ROUTES } from './routes.ts'

/** Serves `/auth/v1/*`. */
export function createAuthApp(deps: AuthDeps): ServiceApp {
  return serveRoutes(AUTH_ROUTES, deps, AUTH_ERRORS)
}
