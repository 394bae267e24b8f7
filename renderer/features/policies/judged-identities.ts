// The identities for which rows are judged: anon, a user who owns nothing, the identity of the context bar, the first users, and
// service_role. Pure.
import { NEW_USER } from '../../../emulator/contract/choices.ts'
import type { IdentityChoices, IdentityReference } from '../../../emulator/contract/identities.ts'
import { readableReference } from '../../parts/identity-choices.ts'
import { identityLabel, identityText } from '../../parts/identity-text.ts'

/** Number of rows in a matrix, the same in the table's matrix and in the policy editor. */
export const MATRIX_ROWS = 200

export interface JudgedIdentity {
  readonly reference: IdentityReference
  readonly label: string
}

export function judgedIdentities(
  choices: IdentityChoices,
  acting: IdentityReference | null,
  maxUsers: number,
): readonly JudgedIdentity[] {
  const users = choices.identities
    .filter(({ reference }) => reference.kind === 'user')
    .slice(0, maxUsers)
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
