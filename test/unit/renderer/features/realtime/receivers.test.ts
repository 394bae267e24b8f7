import { expect, it } from 'vitest'
import type { IdentityChoices } from '../../../../../emulator/contract/identities.ts'
import {
  MOST_USERS,
  receivers,
} from '../../../../../renderer/features/realtime/change-row/receivers.ts'

const KEYS: IdentityChoices['identities'] = [
  { reference: { kind: 'anon' }, label: 'anon', role: 'anon' },
  { reference: { kind: 'service_role' }, label: 'service_role', role: 'service_role' },
]

function withUsers(count: number): IdentityChoices {
  const users = Array.from({ length: count }, (_, index) => ({
    reference: { kind: 'user', user: `id-${index}` } as const,
    label: `user-${index}@example.com`,
    role: 'authenticated' as const,
  }))
  return { identities: [...KEYS, ...users] }
}

it('the receivers are anon and all users, by e-mail address', () => {
  expect(receivers(withUsers(2))).toEqual({
    identities: [
      { kind: 'anon' },
      { kind: 'user', user: 'user-0@example.com' },
      { kind: 'user', user: 'user-1@example.com' },
    ],
    users: 2,
    hasMore: false,
  })
})

it('the receivers are only the newest users when there are many, and hasMore is true', () => {
  const { identities, users, hasMore } = receivers(withUsers(MOST_USERS + 1))
  expect(identities).toHaveLength(1 + MOST_USERS)
  expect({ users, hasMore }).toEqual({ users: MOST_USERS, hasMore: true })
})
