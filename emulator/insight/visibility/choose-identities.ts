// Chooses the identities whose visible rows a rehearsal compares: anon, and users of the tenant whose claims differ.

import type { KeyAddresses } from '../../platform/credentials/project-key.ts'
import type { Project } from '../../platform/projects/project.ts'
import { chooseUsers } from '../api-kit/choose-users.ts'
import { type IdentityDeps, resolveIdentities } from '../api-kit/identities.ts'
import type { RehearsalIdentity } from './visibility.ts'

const MAX_USERS = 4
/** The users are chosen among the newest of the tenant. */
const CONSIDERED = { limit: 100, offset: 0, search: '' }

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
