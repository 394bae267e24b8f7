// Lists every route of auth, and the codes that any auth route can return (docs/wire/auth.md#errors). app.ts mounts the table.
// Faults and their catalogue also read the table.

import { MFA_ROUTES } from './mfa/mfa-routes.ts'
import { OTP_ROUTES } from './one-time-codes/code-routes.ts'
import { CONFIRMATION_ROUTES, MAGIC_LINK_ROUTES } from './one-time-codes/link-routes.ts'
import { PASSWORD_ROUTES } from './passwords/password-routes.ts'
import { SIGN_IN_ROUTES } from './passwords/sign-in-routes.ts'
import type { AuthErrorCode } from './refusals.ts'
import type { AuthRoutes } from './request/route.ts'
import { SESSION_ROUTES } from './sessions/session-routes.ts'
import { CONSENT_ROUTES } from './social/consent-routes.ts'
import { AUTHORIZE_ROUTES, CALLBACK_ROUTES } from './social/oauth-routes.ts'
import { USER_ROUTES } from './users/user-routes.ts'

export const AUTH_ROUTES: AuthRoutes = {
  ...SIGN_IN_ROUTES,
  ...MAGIC_LINK_ROUTES,
  ...OTP_ROUTES,
  ...CONFIRMATION_ROUTES,
  ...SESSION_ROUTES,
  ...AUTHORIZE_ROUTES,
  ...CONSENT_ROUTES,
  ...CALLBACK_ROUTES,
  ...USER_ROUTES,
  ...PASSWORD_ROUTES,
  ...MFA_ROUTES,
}

/** Codes that any auth route can return, in addition to those it lists. */
export const AUTH_ROUTE_CODES: readonly AuthErrorCode[] = [
  'invalid_request',
  'project_conflict',
  'unauthorized',
  'not_found',
  'method_not_allowed',
  'internal',
  'unavailable',
  'disk_full',
  'disk_failed',
]
