// Chooses the identities whose visible rows are compared: anon, a user who has just signed up, and users of the tenant whose
// claims differ.

import { NEW_USER } from '../../contract/choices.ts'
import type { KeyAddresses } from '../../platform/credentials/project-key.ts'
import type { Project } from '../../platform/projects/project.ts'
import { chooseUsers } from '../api-kit/choose-users.ts'
import {
  type DecodedReference,
  type IdentityDeps,
  type ResolvedIdentity,
  resolveIdentities,
  resolveIdentity,
} from '../api-kit/identities.ts'
import type { RehearsalIdentity } from './visibility.ts'

const MAX_USERS = 4
/** The users are chosen among the newest of the tenant. */
const CONSIDERED = { limit: 100, offset: 0, search: '' }

export interface AudienceOrder {
  readonly maxUsers?: number
  /** A further identity. Keys are ignored. */
  readonly also?: DecodedReference | undefined
}

export interface Audience {
  readonly identities: readonly RehearsalIdentity[]
  /** Number of users of the project. */
  readonly users: number
}

/**
 * Chooses the identities for measuring a change before it is applied. Rows that the new user gains are open to everybody who
 * signs up.
 * @throws {InspectorError} when `also` is unknown
 */
export async function chooseAudience(
  deps: IdentityDeps,
  project: Project,
  addresses: KeyAddresses,
  { also, maxUsers = MAX_USERS }: AudienceOrder = {},
): Promise<Audience> {
  const references: readonly DecodedReference[] = [
    { kind: 'user', user: NEW_USER.id, claims: {} },
    ...(also === undefined ? [] : [also]),
  ]
  const [further, chosen, { total }] = await Promise.all([
    Promise.all(references.map((one) => resolveIdentity(deps, project, one, addresses))),
    chooseIdentities(deps, project, addresses, maxUsers),
    deps.users.list(project.schemaName, { ...CONSIDERED, limit: 1 }),
  ])
  const all = [
    ...chosen.filter(({ role }) => role === 'anon'),
    ...further.flatMap(readerOf),
    ...chosen,
  ]
  const bySubject = new Map(all.map((one) => [one.principal.claims['sub'], one]))
  return { identities: [...bySubject.values()], users: total }
}

/** Returns nothing for a key that bypasses policies. */
function readerOf({ identity, principal }: ResolvedIdentity): readonly RehearsalIdentity[] {
  const { claims, role } = principal
  const label = claims['sub'] === NEW_USER.id ? NEW_USER.label : identity.label
  return role === 'service_role' ? [] : [{ label, role, principal }]
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
  return resolved.flatMap(readerOf)
}
