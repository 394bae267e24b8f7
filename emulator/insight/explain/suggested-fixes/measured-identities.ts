// Chooses the identities whose rows the effect of a fix is measured for. They are the identity of the request, anon, users of the
// project, and an unknown user whose id is in no row and no claim. Rows that the unknown user gains are open to everybody who
// signs in.

import type { FixChange } from '../../../contract/suggested-fixes.ts'
import type { KeyAddresses } from '../../../platform/credentials/project-key.ts'
import type { Project } from '../../../platform/projects/project.ts'
import {
  type IdentityDeps,
  type ResolvedIdentity,
  resolveIdentity,
} from '../../api-kit/identities.ts'
import { chooseIdentities } from '../../visibility/choose-identities.ts'
import type { RehearsalIdentity } from '../../visibility/visibility.ts'

export interface MeasuredIdentity extends RehearsalIdentity {
  readonly audience: FixChange['audience']
}

const MAX_USERS = 20
const STRANGER = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
export const STRANGER_LABEL = 'any other signed-in user'

/** @param asker left out when its role is not subject to policies */
export async function measuredIdentities(
  deps: IdentityDeps,
  project: Project,
  asker: ResolvedIdentity,
  addresses: KeyAddresses,
): Promise<readonly MeasuredIdentity[]> {
  const [chosen, stranger] = await Promise.all([
    chooseIdentities(deps, project, addresses, MAX_USERS),
    resolveIdentity(deps, project, { kind: 'user', user: STRANGER, claims: {} }, addresses),
  ])
  const { principal } = asker
  const { role } = principal
  const isAsker = (one: RehearsalIdentity): boolean =>
    one.role === role &&
    (role === 'anon' || one.principal.claims['sub'] === principal.claims['sub'])
  const others = chosen.filter((one) => !isAsker(one))
  return [
    ...(role === 'service_role'
      ? []
      : [{ label: asker.identity.label, role, principal, audience: 'asker' as const }]),
    ...others.map((one) => ({
      ...one,
      audience: one.role === 'anon' ? ('anon' as const) : ('user' as const),
    })),
    {
      label: STRANGER_LABEL,
      role: 'authenticated',
      principal: stranger.principal,
      audience: 'signed_in',
    },
  ]
}
