// A new user as it is written, and what a list says of users, whatever JSON they put into their metadata.
import { describe, expect, it } from 'vitest'
import { EMPTY_DRAFT, orderOf } from '../../../../../renderer/features/users/new-user-draft.ts'
import {
  addressOf,
  isBanned,
  methodOf,
  nameOf,
  providersOf,
} from '../../../../../renderer/features/users/user-facts.ts'
import { parseUsersSearch } from '../../../../../renderer/features/users/users-search.ts'

describe('orderOf', () => {
  it('leaves out what was not written', () => {
    expect(orderOf({ ...EMPTY_DRAFT, email: ' ana@patients.test ' })).toEqual({
      kind: 'ready',
      order: { email: 'ana@patients.test', email_confirmed: true, user_metadata: {} },
    })
  })

  it('takes a telephone number alone', () => {
    expect(orderOf({ ...EMPTY_DRAFT, phone: '+5551', isConfirmed: false })).toEqual({
      kind: 'ready',
      order: { phone: '+5551', phone_confirmed: false, user_metadata: {} },
    })
  })

  it.each([
    [{}, 'email'],
    [{ phone: '+5551', password: 'x' }, 'password'],
    [{ email: 'a@b', metadata: '[1]' }, 'metadata'],
    [{ email: 'a@b', metadata: '{' }, 'metadata'],
    [{ email: 'a@b', metadata: 'null' }, 'metadata'],
  ])('refuses %j because of the %s', (members, field) => {
    expect(orderOf({ ...EMPTY_DRAFT, ...members })).toMatchObject({ kind: 'wrong', field })
  })
})

describe('what a list says of a user', () => {
  it('takes a name only where it is a text', () => {
    expect(nameOf({ user_metadata: { full_name: ['Ana'], name: ' ', display_name: 'Ana' } })).toBe(
      'Ana',
    )
    expect(nameOf({ user_metadata: {} })).toBeUndefined()
  })

  it('calls a user by address, number or id', () => {
    expect(addressOf({ email: null, phone: '+5551', id: 'u' })).toBe('+5551')
    expect(addressOf({ email: null, phone: null, id: 'u' })).toBe('u')
  })

  it('names each provider once', () => {
    const identities = [{ provider: 'google' }, { provider: 'google' }, { provider: 7 }]
    expect(providersOf({ identities })).toEqual(['google'])
    expect(methodOf({ method: {} })).toBe('?')
  })

  it('is banned until the instant of platform time', () => {
    expect(isBanned({ banned_until: 'x' }, 10, () => 11)).toBe(true)
    expect(isBanned({ banned_until: 'x' }, 11, () => 11)).toBe(false)
    expect(isBanned({ banned_until: null }, 0, () => 11)).toBe(false)
  })
})

describe('the address of the users screen', () => {
  it('leaves out the part that is open anyway', () => {
    expect(parseUsersSearch({ q: '', user: 'u', part: 'profile', other: 1 })).toEqual({ user: 'u' })
  })
})
