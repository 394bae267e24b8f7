// Every route of auth, and the codes that any of them can answer (docs/wire/auth.md#errors). app.ts mounts the table; faults
// and their catalogue read it.
import type { AuthErrorCode } from './errors.ts'
import { CONFIRMATION_ROUTES } from './routes/confirmation.ts'
import { CONSENT_ROUTES } from './routes/consent.ts'
import { MAGIC_LINK_ROUTES } from './routes/magic-link.ts'
import { MFA_ROUTES } from './routes/mfa.ts'
import { AUTHORIZE_ROUTES, CALLBACK_ROUTES } from './routes/oauth.ts'
import { OTP_ROUTES } from './routes/otp.ts'
import { PASSWORD_ROUTES } from './routes/password.ts'
import { RECOVERY_ROUTES } from './routes/recovery.ts'
import { REFRESH_ROUTES } from './routes/refresh.ts'
import type { AuthRoutes } from './routes/route-table.ts'
import { SIGN_IN_ROUTES } from './routes/signin.ts'
import { SIGN_OUT_ROUTES } from './routes/signout.ts'
import { SIGN_UP_ROUTES } from './routes/signup.ts'
import { USER_ROUTES } from './routes/user.ts'

export const AUTH_ROUTES: AuthRoutes = {
  ...SIGN_UP_ROUTES,
  ...SIGN_IN_ROUTES,
  ...MAGIC_LINK_ROUTES,
  ...OTP_ROUTES,
  ...CONFIRMATION_ROUTES,
  ...REFRESH_ROUTES,
  ...SIGN_OUT_ROUTES,
  ...AUTHORIZE_ROUTES,
  ...CONSENT_ROUTES,
  ...CALLBACK_ROUTES,
  ...USER_ROUTES,
  ...PASSWORD_ROUTES,
  ...RECOVERY_ROUTES,
  ...MFA_ROUTES,
}

/** Beside the codes that a route lists. */
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
