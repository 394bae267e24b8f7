// A user's sessions: opened by every way of signing in, carried on by refresh tokens that rotate, ended by sign-out or by
// the reuse of a spent token (docs/wire/auth.md#refresh).
import type { JsonObject } from '../../core/json.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import type { UserRecord } from '../users/user.ts'

/** RFC 8176 method names in the shape `amr` has: `{method, timestamp}` with epoch seconds. */
export type AuthMethod = 'password' | 'otp' | 'magiclink' | 'oauth' | 'totp' | 'recovery'

/** The wire's session answer. */
export interface SessionAnswer extends JsonObject {
  readonly access_token: string
  readonly data_plane_token: string
  readonly refresh_token: string
  readonly token_type: 'bearer'
  /** Seconds. */
  readonly expires_in: number
  /** Epoch seconds. */
  readonly expires_at: number
  readonly user: UserRecord
}

/** The verified content of a bearer access_token. */
export interface AccessTokenClaims {
  readonly userId: string
  readonly sessionId: string
  readonly assuranceLevel: 'aal1' | 'aal2'
}

export interface Sessions {
  /**
   * Opens a session for a user who has proved the first factor; with a second factor at `aal2`.
   * @throws {AuthError} `user_banned`
   */
  open(
    request: AuthRequest,
    userId: string,
    method: AuthMethod,
    secondFactor?: 'totp',
  ): Promise<SessionAnswer>
  /** Rotates. @throws {AuthError} `unauthorized` for an unknown, ended or reused token */
  refresh(request: AuthRequest, refreshToken: string): Promise<SessionAnswer>
  /** Raises the session to `aal2` and gives its new tokens. @throws {AuthError} `unauthorized` */
  stepUp(request: AuthRequest, sessionId: string): Promise<SessionAnswer>
  /** Verifies a bearer access_token of this project whose session is active. @throws {AuthError | CredentialError} */
  authenticate(request: AuthRequest, authorization: string | undefined): Promise<AccessTokenClaims>
  /** Ends sessions of the user and gives how many. */
  end(
    request: AuthRequest,
    claims: Pick<AccessTokenClaims, 'userId' | 'sessionId'>,
    scope: 'local' | 'global' | 'others',
  ): Promise<number>
}
