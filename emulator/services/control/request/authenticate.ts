// Identifies the caller: a dashboard account, a group's backend, or a project key (docs/wire/credentials.md#bearer). Records
// the caller in the request's facts.

import type { RequestFacts } from '../../../core/observation.ts'
import { bearerOf, type VerifiedManagementKey } from '../../../platform/credentials/verify.ts'
import type { Owner } from '../accounts/owners.ts'
import type { ControlDeps } from '../deps.ts'
import { ManagementError } from '../errors.ts'
import type { Group } from '../groups/groups.ts'

export type AuthenticateDeps = Pick<ControlDeps, 'credentials' | 'stores'>

export interface Presented {
  /** The header `Authorization`, unchanged. */
  readonly authorization: string | undefined
  readonly facts: RequestFacts
}

/** Returns the account of a session token. @throws {CredentialError} */
export async function authenticateOwner(
  { credentials, stores }: AuthenticateDeps,
  { authorization, facts }: Presented,
): Promise<Owner> {
  const verified = await credentials.verifier.verify(bearerOf(authorization), ['owner'])
  return requireOwner(stores.owners.findOwner(verified.ownerId), facts)
}

/**
 * Returns the group of the presented key, which must be the group in the path.
 * @throws {CredentialError} @throws {ManagementError} `forbidden` when the key belongs to another group
 */
export async function authenticateGroup(
  { credentials, stores }: AuthenticateDeps,
  { authorization, facts }: Presented,
  groupId: string,
): Promise<Group> {
  const verified = await credentials.verifier.verify(bearerOf(authorization), ['groupKey'])
  facts.credentialKind = 'groupApiKey'
  facts.role = 'group'
  facts.subject = verified.keyId
  facts.groupId = verified.groupId
  const group = verified.groupId === groupId ? stores.groups.findGroup(groupId) : undefined
  if (group === undefined) throw foreignGroup()
  return group
}

/** The error for a key whose group is another one or was deleted. */
export function foreignGroup(): ManagementError {
  return new ManagementError('forbidden', 'This Group API Key has no permission for this group.', {
    hint: 'Use a key generated for the group in the address.',
  })
}

/** Accepts a management key or an account's session token. @throws {CredentialError} */
export async function authenticateProjectCaller(
  { credentials, stores }: AuthenticateDeps,
  { authorization, facts }: Presented,
): Promise<Owner | VerifiedManagementKey> {
  const verified = await credentials.verifier.verify(bearerOf(authorization), [
    'managementKey',
    'owner',
  ])
  if (verified.kind === 'owner')
    return requireOwner(stores.owners.findOwner(verified.ownerId), facts)
  return noteManagementKey(verified, facts)
}

/** Accepts only a management key. @throws {CredentialError} */
export async function authenticateManagementKey(
  { credentials }: Pick<ControlDeps, 'credentials'>,
  { authorization, facts }: Presented,
): Promise<VerifiedManagementKey> {
  const verified = await credentials.verifier.verify(bearerOf(authorization), ['managementKey'])
  return noteManagementKey(verified, facts)
}

function noteManagementKey(
  verified: VerifiedManagementKey,
  facts: RequestFacts,
): VerifiedManagementKey {
  facts.credentialKind = 'managementKey'
  facts.role = 'managementKey'
  facts.subject = verified.keyId
  return verified
}

function requireOwner(owner: Owner | undefined, facts: RequestFacts): Owner {
  if (owner === undefined)
    throw new ManagementError('unauthorized', 'The account of this session no longer exists.', {
      hint: 'Log in again.',
    })
  facts.credentialKind = 'sessionToken'
  facts.role = 'owner'
  facts.subject = owner.id
  return owner
}
