// Chooses the identities that join to see which of them receive a change. Pure.
import type {
  IdentityChoices,
  IdentityReference,
} from '../../../../emulator/contract/identities.ts'
import { readableReference } from '../../../parts/identity-choices.ts'

/** Maximum number of users that join. The drawing of a fan-out shows at most 24 subscribers. */
export const MOST_USERS = 20

export interface Receivers {
  /** anon and the newest users. service_role is left out, because it receives all changes. */
  readonly identities: readonly IdentityReference[]
  readonly users: number
  /** Whether the project has more users than those that join. */
  readonly hasMore: boolean
}

export function receivers({ identities }: IdentityChoices): Receivers {
  const known = identities.map(({ reference, label }) => readableReference(reference, label))
  const users = known.filter(({ kind }) => kind === 'user')
  const joining = users.slice(0, MOST_USERS)
  return {
    identities: [...known.filter(({ kind }) => kind === 'anon'), ...joining],
    users: joining.length,
    hasMore: users.length > joining.length,
  }
}
