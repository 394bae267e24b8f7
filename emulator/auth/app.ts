// The Hono app of end-user authentication (docs/wire/auth.md). Handlers throw errors, and the HTTP edge turns the errors into
// responses with `renderError`.
import { Hono } from 'hono'
import { type HttpEnv, mountRoutes } from '../core/mount-routes.ts'
import type { ServiceApp } from '../core/request-env.ts'
import type { AuthDeps } from './deps.ts'
import { AuthError, renderAuthError, renderAuthInternal, renderAuthUnavailable } from './errors.ts'
import { AUTH_ROUTES } from './routes.ts'

/** Serves `/auth/v1/*`. */
export function createAuthApp(deps: AuthDeps): ServiceApp {
  const app = new Hono<HttpEnv>({ strict: false })
  mountRoutes(app, AUTH_ROUTES, deps, methodNotAllowed)
  app.notFound((context) => {
    throw new AuthError(
      'not_found',
      `The route ${context.req.method} ${context.req.path} does not exist.`,
    )
  })
  app.onError((error) => {
    throw error
  })
  return {
    fetch: (request, env) => app.fetch(request, env),
    renderError: renderAuthError,
    renderUnavailable: renderAuthUnavailable,
    renderInternal: renderAuthInternal,
  }
}

function methodNotAllowed(method: string, allowed: string): AuthError {
  return new AuthError('method_not_allowed', `${method} is not allowed here; use ${allowed}.`, {
    headers: { allow: allowed },
  })
}
