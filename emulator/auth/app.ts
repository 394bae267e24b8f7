// End-user authentication as one app (docs/wire/auth.md). It refuses by throwing; the edge renders with `renderError`.
import { Hono } from 'hono'
import type { ServiceApp } from '../core/request-env.ts'
import type { AuthDeps } from './deps.ts'
import { AuthError, renderAuthError, renderAuthInternal, renderAuthUnavailable } from './errors.ts'
import { confirmationRoutes } from './routes/confirmation.ts'
import { consentRoutes } from './routes/consent.ts'
import { magicLinkRoutes } from './routes/magic-link.ts'
import { mfaRoutes } from './routes/mfa.ts'
import { oauthRoutes } from './routes/oauth.ts'
import { otpRoutes } from './routes/otp.ts'
import { passwordRoutes } from './routes/password.ts'
import { recoveryRoutes } from './routes/recovery.ts'
import { refreshRoutes } from './routes/refresh.ts'
import { type AuthEnv, mountRoutes } from './routes/route-table.ts'
import { signInRoutes } from './routes/signin.ts'
import { signOutRoutes } from './routes/signout.ts'
import { signUpRoutes } from './routes/signup.ts'
import { userRoutes } from './routes/user.ts'

/** Serves `/auth/v1/*`. */
export function createAuthApp(deps: AuthDeps): ServiceApp {
  const app = new Hono<AuthEnv>({ strict: false })
  const tables = [
    signUpRoutes,
    signInRoutes,
    refreshRoutes,
    userRoutes,
    passwordRoutes,
    signOutRoutes,
    oauthRoutes,
    consentRoutes,
    otpRoutes,
    magicLinkRoutes,
    confirmationRoutes,
    recoveryRoutes,
    mfaRoutes,
  ]
  for (const table of tables) mountRoutes(app, table(deps))
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
