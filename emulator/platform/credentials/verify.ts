// Verifies every kind of credential and returns its bearer or the exact reason of the refusal. A signature is checked once per
// token text; expiry, key version and user are checked at every use.
import type { Clock } from '../../core/clock.ts'
import { keepNewest } from '../../core/keep-newest.ts'
import { type GroupId, type OwnerId, type ProjectId, trusted } from '../../core/names.ts'
import type {
  PrincipalCredentialKind,
  PrincipalRole,
  VerifiedPrincipal,
} from '../../core/principal.ts'
import type { ProjectLookup } from '../projects/project.ts'
import {
  type ApiKeyLookup,
  GROUP_KEY_PREFIX,
  hashApiKey,
  MANAGEMENT_KEY_PREFIX,
} from './api-key.ts'
import { CredentialError } from './credential-error.ts'
import { ownerOf } from './session-tokens.ts'
import { refuseExpired, type SigningKeys, type VerifiedJwt } from './signing-keys.ts'
import type { UserStandings } from './standing.ts'

/** A dashboard account, from a platform session token. */
export interface VerifiedOwner {
  readonly kind: 'owner'
  readonly ownerId: OwnerId
  readonly email: string
}

/** The holder of a Group API Key. */
export interface VerifiedGroupKey {
  readonly kind: 'groupKey'
  readonly groupId: GroupId
  readonly keyId: string
}

/** The holder of a project's management key. */
export interface VerifiedManagementKey {
  readonly kind: 'managementKey'
  readonly projectId: ProjectId
  readonly keyId: string
}

export type Verified = VerifiedOwner | VerifiedGroupKey | VerifiedManagementKey | VerifiedPrincipal

/** Verifies credentials for all services. */
export interface Verifier {
  /**
   * Verifies a credential and returns its bearer.
   * @throws {CredentialError} `missing` for `undefined` or empty text, `wrongKind` for a valid credential of a kind not in
   * `expected`
   */
  verify<Kind extends Verified['kind']>(
    text: string | undefined,
    expected: readonly Kind[],
  ): Promise<Extract<Verified, { kind: Kind }>>
}

/** Extracts the credential from an `Authorization: Bearer …` header; `undefined` without one. */
export function bearerOf(header: string | null | undefined): string | undefined {
  const match = /^bearer\s+(\S+)\s*$/i.exec(header ?? '')
  return match?.[1]
}

export interface VerifierDeps {
  readonly signingKeys: SigningKeys
  readonly projects: ProjectLookup
  readonly apiKeys: ApiKeyLookup
  readonly standings: UserStandings
  readonly clock: Clock
}

/** Number of verified tokens in the cache. A token's text is about 600 bytes. */
const REMEMBERED_TOKENS = 2_000

const PASETO_PREFIX = 'v4.public.'

export function createVerifier(deps: VerifierDeps): Verifier {
  const remembered = new Map<string, VerifiedPrincipal>()

  async function principalOf(text: string): Promise<VerifiedPrincipal> {
    let verified = remembered.get(text)
    if (verified === undefined) {
      verified = readPrincipal(await deps.signingKeys.verifyEs256(text))
      keepNewest(remembered, REMEMBERED_TOKENS, text, verified)
    }
    await refuseUnsound(deps, verified)
    return verified
  }

  async function identify(text: string): Promise<Verified> {
    if (text.startsWith(GROUP_KEY_PREFIX)) return groupKeyOf(deps, text)
    if (text.startsWith(MANAGEMENT_KEY_PREFIX)) return managementKeyOf(deps, text)
    if (text.startsWith(PASETO_PREFIX)) return sessionOf(deps, text)
    return principalOf(text)
  }

  return {
    verify: async (text, expected) => {
      if (text === undefined || text === '')
        throw new CredentialError('missing', 'No credential was sent.', {
          hint: 'Send a credential in the header "Authorization: Bearer …".',
        })
      const verified = await identify(text)
      if (!isOneOf(verified, expected)) throw wrongKind(verified.kind)
      return verified
    },
  }
}

function isOneOf<Kind extends Verified['kind']>(
  verified: Verified,
  expected: readonly Kind[],
): verified is Extract<Verified, { kind: Kind }> {
  return expected.some((kind) => kind === verified.kind)
}

function groupKeyOf(deps: VerifierDeps, text: string): Verified {
  const found = deps.apiKeys.findGroupKey(hashApiKey(text))
  if (found === undefined) throw revoked('The Group API Key is unknown or was revoked.')
  return { kind: 'groupKey', ...found }
}

function managementKeyOf(deps: VerifierDeps, text: string): Verified {
  const found = deps.apiKeys.findManagementKey(hashApiKey(text))
  if (found === undefined) throw revoked('The management key is unknown or was revoked.')
  if (found.expiresAt !== undefined && deps.clock.now() >= found.expiresAt)
    throw new CredentialError('expired', 'The management key has expired.', {
      hint: 'Create a new management key.',
    })
  return { kind: 'managementKey', projectId: found.projectId, keyId: found.keyId }
}

async function sessionOf(deps: VerifierDeps, text: string): Promise<VerifiedOwner> {
  const owner = ownerOf(await deps.signingKeys.verifyPaseto(text, deps.clock.now()))
  if (owner === undefined) throw wrongKind('an end user’s access_token')
  return { kind: 'owner', ownerId: trusted.ownerId(owner.id), email: owner.email }
}

const ROLES: readonly PrincipalRole[] = ['anon', 'authenticated', 'service_role']
const KINDS: Readonly<Record<PrincipalRole, PrincipalCredentialKind>> = {
  anon: 'anonKey',
  authenticated: 'dataPlaneToken',
  service_role: 'serviceRoleKey',
}

function readPrincipal({ claims, claimsText }: VerifiedJwt): VerifiedPrincipal {
  const role = ROLES.find((known) => known === claims['role'])
  const projectId = claims['project_id']
  const schemaName = claims['project_schema']
  const subject = claims['sub']
  if (
    role === undefined ||
    typeof projectId !== 'string' ||
    typeof schemaName !== 'string' ||
    typeof subject !== 'string' ||
    typeof claims['kv'] !== 'number'
  )
    throw new CredentialError('malformed', 'The token lacks the claims of a project credential.')
  return {
    kind: 'principal',
    projectId: trusted.projectId(projectId),
    schemaName: trusted.schemaName(schemaName),
    role,
    subject,
    credentialKind: KINDS[role],
    claims,
    claimsText,
  }
}

/** @throws {CredentialError} `expired`, `offline`, `revoked` */
async function refuseUnsound(deps: VerifierDeps, principal: VerifiedPrincipal): Promise<void> {
  refuseExpired(principal.claims, deps.clock.now())
  const project = deps.projects.findProject(principal.projectId)
  if (project?.state !== 'active' || project.schemaName !== principal.schemaName)
    throw new CredentialError('offline', `The project ${principal.schemaName} is not active.`, {
      hint: 'The project was removed or purged. Use the keys of an active tenant.',
    })
  if (principal.claims['kv'] !== project.keyVersion)
    throw revoked('The key is no longer valid, because the project’s keys were regenerated.')
  if (principal.role !== 'authenticated') return
  const standing = await deps.standings.standingOf(principal.schemaName, principal.subject)
  if (standing !== 'good')
    throw new CredentialError('userGone', `The user behind this token is ${standing}.`)
}

function revoked(message: string): CredentialError {
  return new CredentialError('revoked', message, {
    hint: 'Use a current key, or create a new key.',
  })
}

function wrongKind(kind: string): CredentialError {
  return new CredentialError(
    'wrongKind',
    `This endpoint does not accept this kind of credential (${kind}).`,
    {
      hint: 'Check which credential the endpoint accepts: session token, Group API Key, management key or project key.',
    },
  )
}
