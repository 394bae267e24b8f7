// Examines whether a credential is valid, and if not, why. Uses the same readers as the services. Project tokens are examined
// in examine-signed.ts.

import { trusted } from '../../../core/names.ts'
import { epochMillis } from '../../../core/time.ts'
import { hashApiKey } from '../../../platform/credentials/api-key.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { readAccessToken } from '../../../services/auth/sessions/access-token.ts'
import { isExpired } from '../../../services/storage/access/signed-token.ts'
import { bearerOf, examineSigned } from './examine-signed.ts'
import {
  type Examination,
  type ExamineDeps,
  type Examined,
  examined,
  refusalOf,
  signatureFlaw,
} from './examined.ts'
import { signatureOf } from './signature.ts'
import {
  expiryFlaw,
  expiryOf,
  expirySentence,
  type Flaw,
  flawed,
  projectFlaw,
  projectOfClaims,
  userFlaw,
} from './token-state.ts'
import type { TokenText } from './token-text.ts'

/** Examines a credential. Checks only the signature and the expiry of a token of unknown kind. */
export function examineToken(deps: ExamineDeps, token: TokenText): Promise<Examined> {
  return EXAMINATIONS[token.kind](deps, token)
}

const EXAMINATIONS: Readonly<Record<TokenText['kind'], Examination>> = {
  anon_key: examineSigned,
  service_role_key: examineSigned,
  data_plane_token: examineSigned,
  storage_token: examineSigned,
  realtime_token: examineSigned,
  session_token: examineSession,
  platform_session: examineOwner,
  group_api_key: examineGroupKey,
  management_key: examineManagementKey,
  signed_url_token: examineUrlToken,
  admin_token: async () => examined('not_signed', undefined, 'the user of this emulator'),
  unknown: async (deps, token) => ({
    ...examined(await signatureOf(deps.signingKeys, token), unknownFlaw(token), 'no one'),
    expiresAt: expiryOf(token.claims),
  }),
}

function unknownFlaw(token: TokenText): Flaw {
  return flawed('credential', unknownSentence(token))
}

function unknownSentence({ form, claims, header }: TokenText): string {
  if (form === 'paseto')
    return 'The text is a PASETO, but not a session of this platform: the claims name no kind.'
  const algorithm = header?.['alg']
  const kind = typeof algorithm === 'string' ? ` (${algorithm})` : ' without an algorithm'
  if (form === 'jwt')
    return `The text is a JWT${kind}, but not a credential of this platform: the claims (${Object.keys(claims ?? {}).join(', ') || 'none'}) belong to another service.`
  return 'The text is not a key or token of this platform. Refresh tokens, links and one-time codes cannot be recognised: send them to the route for which they were issued.'
}

export async function examineGroupKey(deps: ExamineDeps, { text }: TokenText): Promise<Examined> {
  const found = deps.apiKeys.findGroupKey(hashApiKey(text))
  const group = found && deps.groups.findGroup(found.groupId)
  return group === undefined
    ? examined('not_signed', unknownKey('Group API Key'), 'no one')
    : examined('not_signed', undefined, `the group ${group.name} (${group.id})`)
}

export async function examineManagementKey(deps: ExamineDeps, token: TokenText): Promise<Examined> {
  const found = deps.apiKeys.findManagementKey(hashApiKey(token.text))
  if (found === undefined) return examined('not_signed', unknownKey('management key'), 'no one')
  const { expiresAt, projectId } = found
  const project = deps.projects.findProject(projectId)
  return {
    signature: 'not_signed',
    expiresAt,
    project,
    flaw:
      expiryFlaw(expiresAt, deps.clock.now()) ??
      projectFlaw(project, project?.schemaName ?? projectId),
    bearer: `the holder of a management key of ${project?.schemaName ?? projectId}`,
  }
}

function unknownKey(kind: string): Flaw {
  return flawed(
    'credential',
    `This emulator has no such ${kind}. The ${kind} was revoked, or belongs to another emulator or data directory. Only hashes of keys are stored, so nothing more is known.`,
  )
}

export async function examineUrlToken(deps: ExamineDeps, token: TokenText): Promise<Examined> {
  const signature = await signatureOf(deps.signingKeys, token)
  const url = String(token.claims?.['url'])
  const bucketName = url.slice(0, url.indexOf('/'))
  const bucket = deps.buckets.findBucket(bucketName)
  const project = bucket && deps.projects.findProjectBySchema(bucket.schemaName)
  const now = deps.clock.now()
  const end = expiryOf(token.claims) ?? epochMillis(0)
  const isLate = isExpired(token.claims ?? {}, now)
  return {
    signature,
    expiresAt: expiryOf(token.claims),
    project,
    flaw:
      signatureFlaw(signature) ??
      (isLate ? flawed('credential', expirySentence(end, now)) : undefined) ??
      (bucket === undefined
        ? flawed('project', `The bucket ${bucketName} does not exist in this emulator.`)
        : projectFlaw(project, bucket.schemaName)),
    bearer: `everyone who has the link to ${url}`,
  }
}

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
        'The session of this token has ended: by signing out, by a new password, or because a used refresh token was sent again.',
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
