// Enrols, verifies and removes second factors. A second factor is an authenticator app that shows codes (RFC 6238,
// docs/wire/auth.md#mfa).
import type { AuthApi } from './api.ts'
import { attempt, localError, type Result } from './errors.ts'
import { type Factor, isRecord, isSession, type Session, type User } from './session.ts'
import type { SessionStore } from './session-store.ts'

export interface Enrolment {
  readonly id: string
  /** Base32 text that the user can type into the app. */
  readonly secret: string
  /** `otpauth://…` address for a QR code. */
  readonly uri: string
  /** The QR code as an image that a page can show. */
  readonly qr: string
}

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
  readonly store: SessionStore
  readonly bearer: () => Promise<string>
}

export function mfaCalls({ api, store, bearer }: MfaDeps): MfaCalls {
  return {
    enroll: ({ factorType, friendlyName }) =>
      attempt(null, async () =>
        readEnrolment(
          await api({
            method: 'POST',
            path: '/auth/v1/mfa/enroll',
            body: { factorType, friendlyName },
            bearer: await bearer(),
          }),
        ),
      ),
    verify: ({ factorId, code, mfa_token }) =>
      attempt({ user: null, session: null }, async () => {
        const answer = await api({
          method: 'POST',
          path: '/auth/v1/mfa/verify',
          body: { factorId, code, mfa_token },
          ...(mfa_token === undefined ? { bearer: await bearer() } : {}),
        })
        if (!isSession(answer))
          throw localError('unexpected_answer', 'The response of the platform contains no session.')
        await store.save(answer, mfa_token === undefined ? 'TOKEN_REFRESHED' : 'SIGNED_IN')
        return { user: answer.user, session: answer }
      }),
    list: () =>
      attempt({ factors: [] }, async () => {
        const answer = await api({ method: 'GET', path: '/auth/v1/mfa', bearer: await bearer() })
        const factors = isRecord(answer) ? answer['factors'] : undefined
        return { factors: Array.isArray(factors) ? factors : [] }
      }),
    unenroll: ({ factorId }) =>
      attempt(null, async () =>
        api({
          method: 'DELETE',
          path: `/auth/v1/mfa/${encodeURIComponent(factorId)}`,
          bearer: await bearer(),
        }),
      ),
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
