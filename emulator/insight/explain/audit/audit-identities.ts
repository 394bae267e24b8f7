// The identities of an audit: anon, a user who has just signed up, users of the tenant, and service_role.

import type { AuditIdentity } from '../../../contract/audit.ts'
import { NEW_USER } from '../../../contract/choices.ts'
import type { KeyAddresses } from '../../../platform/credentials/project-key.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { chooseUsers } from '../../api-kit/choose-users.ts'
import {
  type DecodedReference,
  type IdentityDeps,
  type ResolvedIdentity,
  resolveIdentities,
} from '../../api-kit/identities.ts'

export interface AskedIdentity {
  readonly shown: AuditIdentity
  readonly resolved: ResolvedIdentity
}

/** The users are chosen among the newest of the tenant. */
const CONSIDERED = 200

export async function auditIdentities(
  deps: IdentityDeps,
  project: Project,
  limit: number,
  addresses: KeyAddresses,
): Promise<readonly AskedIdentity[]> {
  const page = { limit: CONSIDERED, offset: 0, search: '' }
  const { users } = await deps.users.list(project.schemaName, page)
  const references: readonly DecodedReference[] = [
    { kind: 'anon' },
    { kind: 'user', user: NEW_USER.id },
    ...chooseUsers(users, limit).map(({ id }) => ({ kind: 'user', user: id }) as const),
    { kind: 'service_role' },
  ]
  const resolved = await resolveIdentities(deps, project, references, addresses)
  return resolved.map((one, index) => {
    const reference = references[index] ?? { kind: 'anon' }
    const isNew = reference.kind === 'user' && reference.user === NEW_USER.id
    const { label, role } = one.identity
    return { shown: { reference, label: isNew ? NEW_USER.label : label, role }, resolved: one }
  })
}
