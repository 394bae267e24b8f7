// Mints a session's tokens and builds the session answer from the row that the session's SQL statement returned
// (docs/wire/auth.md#session).
import type { JsonObject } from '../../../core/json.ts'
import { type EpochMillis, toEpochSeconds } from '../../../core/time.ts'
import {
  mintDataPlaneToken,
  USER_SESSION_SECONDS,
} from '../../../platform/credentials/session-tokens.ts'
import type { AuthDeps } from '../deps.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import type { UserRecord } from '../users/user.ts'
import { mintAccessToken } from './access-token.ts'
import type { SessionAnswer } from './sessions.ts'

/** An active session. */
export interface StandingSession {
  readonly sessionId: string
  readonly assuranceLevel: 'aal1' | 'aal2'
  /** The claim `amr`: entries `{method, timestamp}` with epoch seconds. */
  readonly methods: readonly JsonObject[]
  readonly refreshToken: string
  readonly user: UserRecord
}

export async function answerOf(
  { signingKeys, ids }: Pick<AuthDeps, 'signingKeys' | 'ids'>,
  { project, addresses }: Pick<AuthRequest, 'project' | 'addresses'>,
  session: StandingSession,
  now: EpochMillis,
): Promise<SessionAnswer> {
  const { user, sessionId, assuranceLevel, methods } = session
  const { id: userId, email, phone, user_metadata: userMetadata, app_metadata: appMetadata } = user
  const [accessToken, dataPlaneToken] = await Promise.all([
    mintAccessToken(
      signingKeys,
      project,
      { userId, sessionId, assuranceLevel, email, tokenId: ids.uuid() },
      addresses.authUrl,
      now,
    ),
    mintDataPlaneToken(
      signingKeys,
      project,
      { userId, email, phone, sessionId, assuranceLevel, methods, userMetadata, appMetadata },
      addresses,
      now,
    ),
  ])
  return {
    access_token: accessToken,
    data_plane_token: dataPlaneToken,
    refresh_token: session.refreshToken,
    token_type: 'bearer',
    expires_in: USER_SESSION_SECONDS,
    expires_at: toEpochSeconds(now) + USER_SESSION_SECONDS,
    user,
  }
}
