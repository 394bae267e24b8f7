// Sessions of people: an end user's access_token and the dashboard's session token, both PASETO.
import { readAccessToken } from '../../auth/sessions/access-token.ts'
import { trusted } from '../../core/names.ts'
import type { Project } from '../../projects/project.ts'
import { bearerOf } from './examine-signed.ts'
import { type ExamineDeps, type Examined, refusalOf, signatureFlaw } from './examined.ts'
import { type Flaw, flawed } from './flaw.ts'
import { signatureOf } from './signature.ts'
import { expiryFlaw, expiryOf, projectFlaw, projectOfClaims, userFlaw } from './token-state.ts'
import type { TokenText } from './token-text.ts'

export async function examineSession(deps: ExamineDeps, token: TokenText): Promise<Examined> {
  const { signingKeys, clock, projects } = deps
  const project = projectOfClaims(projects, token.claims)
  const signature = await signatureOf(signingKeys, token)
  const refusal = await refusalOf(() => readAccessToken(signingKeys, token.text, clock.now()))
  return {
    signature,
    expiresAt: expiryOf(token.claims),
    project,
    flaw: signatureFlaw(signature) ?? (await sessionFlaw(deps, token, project)) ?? refusal,
    bearer: bearerOf(token, token.claims ?? {}),
  }
}

async function sessionFlaw(
  deps: ExamineDeps,
  { claims }: TokenText,
  project: Project | undefined,
): Promise<Flaw | undefined> {
  const late = expiryFlaw(expiryOf(claims), deps.clock.now())
  if (late !== undefined) return late
  const offline = projectFlaw(project, String(claims?.['project_schema']))
  if (offline !== undefined || project === undefined) return offline
  const { sub, session_id: sessionId } = claims ?? {}
  const gone = await userFlaw(deps.standings, project, String(sub))
  if (gone !== undefined) return gone
  return (await deps.hasSession(project.schemaName, String(sessionId), String(sub)))
    ? undefined
    : flawed(
        'credential',
        'Its session was ended: by signing out, by a new password, or because a spent refresh token was presented again.',
      )
}

export async function examineOwner(deps: ExamineDeps, token: TokenText): Promise<Examined> {
  const signature = await signatureOf(deps.signingKeys, token)
  const refusal = await refusalOf(() => deps.verifier.verify(token.text, ['owner']))
  const expiresAt = expiryOf(token.claims)
  const owner = deps.owners.findOwner(trusted.ownerId(String(token.claims?.['sub'])))
  return {
    signature,
    expiresAt,
    project: undefined,
    flaw:
      signatureFlaw(signature) ??
      expiryFlaw(expiresAt, deps.clock.now()) ??
      refusal ??
      (owner === undefined
        ? flawed('claims', 'The account of this session no longer exists.')
        : undefined),
    bearer: `the dashboard account ${String(token.claims?.['email'])}`,
  }
}
