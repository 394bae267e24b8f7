// Mints the dashboard's session tokens (PASETO) and end users' data_plane_tokens (ES256;
// docs/wire/credentials.md#data-plane-token).
import type { JsonObject } from '../../core/json.ts'
import type { OwnerId } from '../../core/names.ts'
import { type EpochMillis, SECOND_MILLIS, toEpochSeconds } from '../../core/time.ts'
import type { Project } from '../projects/project.ts'
import type { KeyAddresses } from './project-key.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Lifetime of a dashboard session, 12 hours (docs/wire/credentials.md#data-plane-token). */
export const OWNER_SESSION_SECONDS: number = 12 * 3600
const REUSE_MILLIS = (OWNER_SESSION_SECONDS * SECOND_MILLIS) / 2
/** Lifetime of an end user's tokens, 1 hour (docs/wire/credentials.md#data-plane-token). */
export const USER_SESSION_SECONDS = 3600

const OWNER_TOKEN_USE = 'platform_session'

export interface SessionTokenMint {
  /** Mints a dashboard session token. */
  mintSessionToken(
    owner: SessionOwner,
    now: EpochMillis,
  ): Promise<{ readonly token: string; readonly expiresInSeconds: number }>
  /**
   * Returns a token minted by an earlier call while at least half of its lifetime remains. Pages call this method often, and each
   * new token would be listed as a coming expiry.
   */
  reuseSessionToken(owner: SessionOwner, now: EpochMillis): Promise<string>
}

interface SessionOwner {
  readonly id: OwnerId
  readonly email: string
}

/** The user's data in a data_plane_token (docs/wire/credentials.md#data-plane-token). */
export interface UserClaims {
  readonly userId: string
  readonly email: string | null
  readonly phone: string | null
  readonly sessionId: string
  readonly assuranceLevel: 'aal1' | 'aal2'
  readonly methods: readonly JsonObject[]
  readonly userMetadata: JsonObject
  readonly appMetadata: JsonObject
}

export function createSessionTokenMint(signingKeys: SigningKeys): SessionTokenMint {
  const kept = new Map<OwnerId, { readonly at: EpochMillis; readonly token: Promise<string> }>()
  const sign = (owner: SessionOwner, now: EpochMillis): Promise<string> =>
    signingKeys.signPaseto(
      { sub: owner.id, email: owner.email, use: OWNER_TOKEN_USE },
      now,
      OWNER_SESSION_SECONDS,
    )
  return {
    mintSessionToken: async (owner, now) => ({
      token: await sign(owner, now),
      expiresInSeconds: OWNER_SESSION_SECONDS,
    }),
    reuseSessionToken: (owner, now) => {
      const earlier = kept.get(owner.id)
      // The platform clock may have moved back to a time before the earlier token was issued.
      if (earlier !== undefined && now >= earlier.at && now < earlier.at + REUSE_MILLIS)
        return earlier.token
      const token = sign(owner, now)
      kept.set(owner.id, { at: now, token })
      return token
    },
  }
}

/** Mints a user's data_plane_token, which expires one hour after `now`. */
export function mintDataPlaneToken(
  signingKeys: SigningKeys,
  project: Pick<Project, 'id' | 'schemaName' | 'keyVersion'>,
  user: UserClaims,
  addresses: KeyAddresses,
  now: EpochMillis,
): Promise<string> {
  return signingKeys.signEs256(dataPlaneClaims(project, user, addresses, now))
}

/** Returns the claims of a data_plane_token. */
export function dataPlaneClaims(
  project: Pick<Project, 'id' | 'schemaName' | 'keyVersion'>,
  user: UserClaims,
  addresses: KeyAddresses,
  now: EpochMillis,
): JsonObject {
  const issuedAt = toEpochSeconds(now)
  return {
    role: 'authenticated',
    sub: user.userId,
    email: user.email,
    phone: user.phone,
    session_id: user.sessionId,
    aal: user.assuranceLevel,
    amr: user.methods,
    user_metadata: user.userMetadata,
    app_metadata: user.appMetadata,
    project_id: project.id,
    project_schema: project.schemaName,
    kv: project.keyVersion,
    iss: addresses.authUrl,
    aud: addresses.dataUrl,
    iat: issuedAt,
    exp: issuedAt + USER_SESSION_SECONDS,
  }
}

/** Returns the dashboard account that PASETO claims name; `undefined` for the claims of an end user's access_token. */
export function ownerOf(
  claims: JsonObject,
): { readonly id: string; readonly email: string } | undefined {
  const sub = claims['sub']
  const email = claims['email']
  if (claims['use'] !== OWNER_TOKEN_USE) return undefined
  return typeof sub === 'string' && typeof email === 'string' ? { id: sub, email } : undefined
}
