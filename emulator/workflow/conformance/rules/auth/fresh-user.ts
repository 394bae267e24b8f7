// Users that a check creates for itself, so that ending their sessions disturbs no other check.
import type { TenantAccess } from '../../model/check.ts'
import { TEXT, UUID } from '../../model/patterns.ts'
import { numberAt, type Part, send, textAt } from '../../model/steps.ts'
import { auth } from '../requests.ts'

export const PASSWORD = 'check-the-wire-1'

export interface FreshUser {
  readonly id: string
  readonly email: string
  readonly accessToken: string
  readonly dataPlaneToken: string
  readonly refreshToken: string
  /** Time of the sign-in, in epoch seconds of the platform's clock. */
  readonly signedInAt: number
}

/** Signs up `<name>@conformance.test`. */
export function* freshUser(tenant: TenantAccess, name: string): Part<FreshUser> {
  const email = `${name}@conformance.test`
  const session = yield send(auth(tenant, 'POST', '/signup', { email, password: PASSWORD }), 200, {
    access_token: TEXT,
    refresh_token: TEXT,
    data_plane_token: TEXT,
    user: { id: UUID },
  })
  return {
    id: textAt(session, 'user', 'id'),
    email,
    accessToken: textAt(session, 'access_token'),
    dataPlaneToken: textAt(session, 'data_plane_token'),
    refreshToken: textAt(session, 'refresh_token'),
    signedInAt: numberAt(session, 'expires_at') - numberAt(session, 'expires_in'),
  }
}

export interface Account {
  readonly email: string
  readonly password: string
}

/** The body of a sign-in. */
export function credentialsOf({ email, password }: Account): Account {
  return { email, password }
}
