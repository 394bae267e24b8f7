// The identities for which a draft is judged: anon, a user who owns nothing, the identity of the context bar, a few users, and
// service_role. Pure.
import { NEW_USER } from '../../../../emulator/contract/choices.ts'
import type {
  IdentityChoices,
  IdentityReference,
} from '../../../../emulator/contract/identities.ts'
import { readableReference } from '../../../parts/identity-choices.ts'
import { identityLabel, identityText } from '../../../parts/identity-text.ts'

export interface DraftIdentity {
  readonly reference: IdentityReference
  readonly label: string
}

const MAX_USERS = 6

export function draftIdentities(
  choices: IdentityChoices,
  acting: IdentityReference | null,
): readonly DraftIdentity[] {
  const users = choices.identities
    .filter(({ reference }) => reference.kind === 'user')
    .slice(0, MAX_USERS)
    .map(({ label, reference }) => ({ label, reference: readableReference(reference, label) }))
  const all = [
    { reference: { kind: 'anon' } as const, label: 'anon' },
    { reference: { kind: 'user', user: NEW_USER.id } as const, label: NEW_USER.label },
    ...(acting === null ? [] : [{ reference: acting, label: identityLabel(acting) }]),
    ...users,
    { reference: { kind: 'service_role' } as const, label: 'service_role' },
  ]
  return [...new Map(all.map((one) => [identityText(one.reference), one])).values()]
}
