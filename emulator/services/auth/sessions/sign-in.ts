// Runs the last step of every sign-in: opens a session or asks for the second factor (docs/wire/auth.md#session).
import type { JsonObject } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { MINUTE_MILLIS } from '../../../core/time.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, signupDisabled } from '../errors.ts'
import { claimAddress, issueToken, type TokenDeps } from '../one-time-codes/link-tokens.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import type { ProvenUser, Target } from '../users/proven-user.ts'
import type { FactorRecord } from '../users/user.ts'
import { createUser, ownIdentity } from '../users/users.ts'
import type { AuthMethod, SessionAnswer } from './sessions.ts'

/** The answer of a sign-in that POST /auth/v1/mfa/verify has to complete. */
export interface SecondFactorRequired extends JsonObject {
  readonly mfa_required: true
  readonly mfa_token: string
  readonly factors: readonly FactorRecord[]
}

/** Opens a session unless a second factor is required. @throws {AuthError} `user_banned` */
export async function signIn(
  deps: Pick<AuthDeps, 'sessions' | 'tables' | 'ids'>,
  request: AuthRequest,
  user: ProvenUser,
  method: AuthMethod,
): Promise<SessionAnswer | SecondFactorRequired> {
  const { verifiedFactors } = user
  if (verifiedFactors.length === 0) return deps.sessions.open(request, user, method)
  return {
    mfa_required: true,
    mfa_token: await mintMfaToken(deps, request.project.schemaName, user, method),
    factors: verifiedFactors,
  }
}

/**
 * Creates the user of an address that a code or link proved. When another request creates the user at the same time, the proof
 * counts for that user. @throws {AuthError} `signup_disabled`
 */
export async function welcome(
  deps: Pick<AuthDeps, 'tables' | 'ids'>,
  { project, settings }: AuthRequest,
  target: Target,
): Promise<ProvenUser> {
  const { kind, address } = target
  if (settings.signupClosed) throw signupDisabled()
  const creation = await createUser(deps.tables, project.schemaName, {
    id: deps.ids.uuid(),
    [kind]: address,
    emailConfirmed: kind === 'email',
    phoneConfirmed: kind === 'phone',
    userMetadata: {},
    identities: [ownIdentity(kind, address)],
  })
  if (creation.kind === 'created') return { userId: creation.user.id, verifiedFactors: [] }
  const holder = await claimAddress(deps, project.schemaName, target)
  if (holder !== undefined) return holder
  throw new AuthError(
    'email_taken',
    `During this sign-in, another request created and then deleted the user of ${address}.`,
    {
      hint: 'Sign in again.',
    },
  )
}

export const MFA_TOKEN_MILLIS: number = 5 * MINUTE_MILLIS

// `facts.method` in the token's row records how the user proved the first factor.
function mintMfaToken(
  deps: TokenDeps,
  schemaName: SchemaName,
  { proof, userId }: ProvenUser,
  method: AuthMethod,
): Promise<string> {
  return issueToken(deps, schemaName, {
    purpose: 'mfa',
    userId,
    target: undefined,
    redirectTo: undefined,
    facts: { method },
    lifetimeMillis: MFA_TOKEN_MILLIS,
    proof,
  })
}
