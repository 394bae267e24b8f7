// The interface for a user's sessions (docs/wire/auth.md#refresh). Every way of signing in opens a session. Refresh tokens
// extend the session. Sign-out or the reuse of an old refresh token ends the session.
import type { JsonObject } from '../../../core/json.ts'
import type { Sql } from '../../../database/sql.ts'
import type { TextRow } from '../auth-tables.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import type { ProvenUser } from '../users/proven-user.ts'
import type { UserRecord } from '../users/user.ts'

/** Methods in the claim `amr` (RFC 8176), whose entries are `{method, timestamp}` with epoch seconds. */
export type AuthMethod = 'password' | 'otp' | 'magiclink' | 'oauth' | 'totp' | 'recovery'

/** The answer with a session's tokens, as sent on the wire. */
export interface SessionAnswer extends JsonObject {
  readonly access_token: string
  readonly data_plane_token: string
  readonly refresh_token: string
  readonly token_type: 'bearer'
  /** Lifetime of the access_token in seconds. */
  readonly expires_in: number
  /** Time at which the access_token expires, in epoch seconds. */
  readonly expires_at: number
  readonly user: UserRecord
}

export type SignedInUser = Pick<ProvenUser, 'userId' | 'proof'>

/** The verified content of a bearer access_token. */
export interface AccessTokenClaims {
  readonly userId: string
  readonly sessionId: string
  readonly assuranceLevel: 'aal1' | 'aal2'
}

/** A session that is opened in the transaction that creates its user. */
export interface SessionOpening {
  readonly statement: Sql
  /** Makes the answer from the statement's rows. @throws {AuthError} `user_banned`, `unauthorized` as `open` does */
  answer(rows: readonly TextRow[] | undefined): Promise<SessionAnswer>
}

export interface Sessions {
  /** Prepares a session of a user who is being created and proved the first factor by `method`. */
  opening(request: AuthRequest, userId: string, method: AuthMethod): SessionOpening
  /**
   * Opens a session for a user who proved the first factor, at `aal2` when the user also proved a second one.
   * @throws {AuthError} `user_banned`, `unauthorized` when another request made the user's proof invalid meanwhile
   */
  open(
    request: AuthRequest,
    user: SignedInUser,
    method: AuthMethod,
    secondFactor?: 'totp',
  ): Promise<SessionAnswer>
  /** Exchanges a refresh token for new tokens. @throws {AuthError} `unauthorized` for an unknown, ended or reused token */
  refresh(request: AuthRequest, refreshToken: string): Promise<SessionAnswer>
  /** Raises the session to `aal2` and returns its new tokens. @throws {AuthError} `unauthorized` */
  stepUp(request: AuthRequest, sessionId: string): Promise<SessionAnswer>
  /** Verifies a bearer access_token of this project whose session is active. @throws {AuthError | CredentialError} */
  authenticate(request: AuthRequest, authorization: string | undefined): Promise<AccessTokenClaims>
  /** Ends sessions of the user and returns their number. */
  end(
    request: AuthRequest,
    claims: Pick<AccessTokenClaims, 'userId' | 'sessionId'>,
    scope: 'local' | 'global' | 'others',
  ): Promise<number>
}
