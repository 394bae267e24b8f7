// Credentials that speak of no project by themselves: opaque keys, known by their hash, and the tokens of signed URLs.
import { epochMillis } from '../../core/time.ts'
import { hashApiKey } from '../../credentials/api-key.ts'
import { isExpired } from '../../storage/access/signed-token.ts'
import { type ExamineDeps, type Examined, examined, signatureFlaw } from './examined.ts'
import { type Flaw, flawed } from './flaw.ts'
import { signatureOf } from './signature.ts'
import { expiryFlaw, expiryOf, expirySentence, projectFlaw } from './token-state.ts'
import type { TokenText } from './token-text.ts'

export async function examineGroupKey(deps: ExamineDeps, { text }: TokenText): Promise<Examined> {
  const found = deps.apiKeys.findGroupKey(hashApiKey(text))
  const group = found && deps.groups.findGroup(found.groupId)
  return group === undefined
    ? examined('not_signed', unknownKey('Group API Key'), 'nobody')
    : examined('not_signed', undefined, `the group ${group.name} (${group.id})`)
}

export async function examineManagementKey(deps: ExamineDeps, token: TokenText): Promise<Examined> {
  const found = deps.apiKeys.findManagementKey(hashApiKey(token.text))
  if (found === undefined) return examined('not_signed', unknownKey('management key'), 'nobody')
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
    `This emulator has no such ${kind}: it was revoked, or belongs to another emulator or data directory. Keys are kept as hashes, so it cannot say more.`,
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
    bearer: `whoever has the link to ${url}`,
  }
}
