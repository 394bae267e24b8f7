// Enrols, verifies and removes second factors. A second factor is an authenticator app that shows codes (RFC 6238,
// docs/wire/auth.md#mfa).
import type { AuthApi, UserApi } from './api.ts'
import { attempt, localError, type Result } from './errors.ts'
import { type Factor, isRecord, readSession, type Session, type User } from './session.ts'
import type { SessionStore } from './session-store.ts'

/** A second factor that the user adds to an authenticator app. */
export interface Enrolment {
  readonly id: string
  /** Base32 text that the user can type into the app. */
  readonly secret: string
  /** `otpauth://…` address for a QR code. */
  readonly uri: string
  /** The QR code as an image that a page can show. */
  readonly qr: string
}

/** Adds, verifies and removes second factors. */
export interface MfaCalls {
  /** Begins an enrolment. The factor becomes active with the first successful `verify`. */
  enroll(request: {
    readonly factorType: 'totp'
    readonly friendlyName?: string
  }): Promise<Result<Enrolment>>
  /** Verifies a factor. Raises the session to `aal2`, or completes a sign-in when `mfa_token` is given. */
  verify(answer: {
    readonly factorId: string
    readonly code: string
    readonly mfa_token?: string
  }): Promise<Result<{ user: User; session: Session }, { user: null; session: null }>>
  list(): Promise<Result<{ factors: readonly Factor[] }, { factors: readonly Factor[] }>>
  unenroll(factor: { readonly factorId: string }): Promise<Result<unknown>>
}

export interface MfaDeps {
  readonly api: AuthApi
  readonly asUser: UserApi
  readonly store: SessionStore
}

export function mfaCalls({ api, asUser, store }: MfaDeps): MfaCalls {
  return {
    enroll: ({ factorType, friendlyName }) =>
      attempt(null, async () => {
        const body = { factorType, friendlyName }
        return readEnrolment(await asUser('POST', '/auth/v1/mfa/enroll', body))
      }),
    verify: ({ factorId, code, mfa_token }) =>
      attempt({ user: null, session: null }, async () => {
        const path = '/auth/v1/mfa/verify'
        const body = { factorId, code, mfa_token }
        const isSignedIn = mfa_token === undefined
        const session = readSession(
          await (isSignedIn ? asUser('POST', path, body) : api({ method: 'POST', path, body })),
        )
        await store.save(session, isSignedIn ? 'TOKEN_REFRESHED' : 'SIGNED_IN')
        return { user: session.user, session }
      }),
    list: () =>
      attempt({ factors: [] }, async () => {
        const answer = await asUser('GET', '/auth/v1/mfa')
        const factors = isRecord(answer) ? answer['factors'] : undefined
        return { factors: Array.isArray(factors) ? factors : [] }
      }),
    unenroll: ({ factorId }) =>
      attempt(null, () => asUser('DELETE', `/auth/v1/mfa/${encodeURIComponent(factorId)}`)),
  }
}

function readEnrolment(answer: unknown): Enrolment {
  if (isRecord(answer)) {
    const { id, secret, uri, qr } = answer
    if (typeof id === 'string' && typeof secret === 'string' && typeof uri === 'string')
      return { id, secret, uri, qr: typeof qr === 'string' ? qr : '' }
  }
  throw localError('unexpected_answer', 'The response of the platform contains no factor.')
}
