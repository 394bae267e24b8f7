// Chooses the identities whose visible rows are compared: anon, a user who has just signed up, and users of the tenant whose
// claims differ.

import { NEW_USER } from '../../contract/choices.ts'
import type { KeyAddresses } from '../../platform/credentials/project-key.ts'
import type { Project } from '../../platform/projects/project.ts'
import { chooseUsers } from '../api-kit/choose-users.ts'
import { type IdentityDeps, resolveIdentities, resolveIdentity } from '../api-kit/identities.ts'
import type { RehearsalIdentity } from './visibility.ts'

const MAX_USERS = 4
/** The users are chosen among the newest of the tenant. */
const CONSIDERED = { limit: 100, offset: 0, search: '' }

/**
 * Chooses the identities for measuring a change before it is applied. Rows that the new user gains are open to everybody who
 * signs up.
 */
export async function chooseAudience(
  deps: IdentityDeps,
  project: Project,
  addresses: KeyAddresses,
): Promise<readonly RehearsalIdentity[]> {
  const [stranger, [anon, ...users]] = await Promise.all([
    resolveIdentity(deps, project, { kind: 'user', user: NEW_USER.id, claims: {} }, addresses),
    chooseIdentities(deps, project, addresses),
  ])
  const { principal } = stranger
  const newUser = { label: NEW_USER.label, role: 'authenticated', principal } as const
  return anon === undefined ? [newUser] : [anon, newUser, ...users]
}

export async function chooseIdentities(
  deps: IdentityDeps,
  project: Project,
  addresses: KeyAddresses,
  maxUsers: number = MAX_USERS,
): Promise<readonly RehearsalIdentity[]> {
  const { users } = await deps.users.list(project.schemaName, CONSIDERED)
  const references = [
    { kind: 'anon' } as const,
    ...chooseUsers(users, maxUsers).map(
      ({ id }) => ({ kind: 'user', user: id, claims: {} }) as const,
    ),
  ]
  const resolved = await resolveIdentities(deps, project, references, addresses)
  return resolved.flatMap(({ identity, principal }) =>
    principal.role === 'service_role'
      ? []
      : [{ label: identity.label, role: principal.role, principal }],
  )
}
