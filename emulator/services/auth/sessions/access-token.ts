// Mints and reads the end user's access_token (docs/wire/auth.md#session). The token is PASETO v4.public and valid for one
// hour. Only auth routes accept it.
import type { EpochMillis } from '../../../core/time.ts'
import { CredentialError } from '../../../platform/credentials/credential-error.ts'
import { USER_SESSION_SECONDS } from '../../../platform/credentials/session-tokens.ts'
import type { SigningKeys } from '../../../platform/credentials/signing-keys.ts'
import type { Project } from '../../../platform/projects/project.ts'

/** Distinguishes an access_token from a dashboard session token, which is also PASETO. */
const TOKEN_USE = 'user_session'
const PASETO_PREFIX = 'v4.public.'

export interface AccessTokenFacts {
  readonly userId: string
  readonly projectId: string
  readonly sessionId: string
  readonly assuranceLevel: 'aal1' | 'aal2'
}

export function mintAccessToken(
  signingKeys: SigningKeys,
  project: Pick<Project, 'id' | 'schemaName'>,
  session: Omit<AccessTokenFacts, 'projectId'> & {
    readonly email: string | null
    /** The claim `jti`, by which two tokens of one session differ when both are issued within the same second. */
    readonly tokenId: string
  },
  issuer: string,
  now: EpochMillis,
): Promise<string> {
  return signingKeys.signPaseto(
    {
      jti: session.tokenId,
      sub: session.userId,
      project_id: project.id,
      project_schema: project.schemaName,
      session_id: session.sessionId,
      aal: session.assuranceLevel,
      email: session.email,
      role: 'authenticated',
      use: TOKEN_USE,
      iss: issuer,
    },
    now,
    USER_SESSION_SECONDS,
  )
}

/** Whether the token has the form of an access_token. Dashboard session tokens have the same form. */
export function isAccessToken(token: string | undefined): token is string {
  return token?.startsWith(PASETO_PREFIX) === true
}

/** Checks signature, time and use, but not whether the session is still active. @throws {CredentialError} */
export async function readAccessToken(
  signingKeys: SigningKeys,
  token: string | undefined,
  now: EpochMillis,
): Promise<AccessTokenFacts> {
  if (token === undefined)
    throw new CredentialError('missing', 'No access_token was sent.', {
      hint: 'Send the session’s access_token in the header "Authorization: Bearer …".',
    })
  if (!isAccessToken(token)) throw notAnAccessToken('is not PASETO')
  const claims = await signingKeys.verifyPaseto(token, now)
  const { sub, project_id: projectId, session_id: sessionId, aal, use } = claims
  if (use !== TOKEN_USE) throw notAnAccessToken('is another kind of session token')
  if (typeof sub !== 'string' || typeof projectId !== 'string' || typeof sessionId !== 'string')
    throw notAnAccessToken('lacks the claims of an access_token')
  return { userId: sub, projectId, sessionId, assuranceLevel: aal === 'aal2' ? 'aal2' : 'aal1' }
}

function notAnAccessToken(reason: string): CredentialError {
  return new CredentialError(
    'wrongKind',
    `This route requires an end user’s access_token, but the credential ${reason}.`,
    { hint: 'Send the session’s access_token, not its data_plane_token and not a key.' },
  )
}
