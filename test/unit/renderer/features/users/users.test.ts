// The draft of a new user, and facts about users with any JSON in their metadata.
import { describe, expect, it } from 'vitest'
import { EMPTY_DRAFT, readDraft } from '../../../../../renderer/features/users/new-user-draft.ts'
import {
  addressOf,
  isBanned,
  methodOf,
  nameOf,
  providersOf,
} from '../../../../../renderer/features/users/user-facts.ts'
import { parseUsersSearch } from '../../../../../renderer/features/users/users-search.ts'

describe('readDraft', () => {
  it('leaves out empty fields', () => {
    expect(readDraft({ ...EMPTY_DRAFT, email: ' ana@patients.test ' })).toEqual({
      kind: 'ready',
      order: { email: 'ana@patients.test', email_confirmed: true, user_metadata: {} },
    })
  })

  it('accepts a phone number alone', () => {
    expect(readDraft({ ...EMPTY_DRAFT, phone: '+5551', isConfirmed: false })).toEqual({
      kind: 'ready',
      order: { phone: '+5551', phone_confirmed: false, user_metadata: {} },
    })
  })

  it('shows no problem before an e-mail address or a phone number is typed', () => {
    expect(readDraft(EMPTY_DRAFT)).toEqual({ kind: 'wrong', problems: {} })
  })

  it.each([
    [{ phone: '+5551', password: 'x' }, 'password'],
    [{ email: 'a@b', metadata: '[1]' }, 'metadata'],
    [{ email: 'a@b', metadata: '{' }, 'metadata'],
    [{ email: 'a@b', metadata: 'null' }, 'metadata'],
  ])('refuses %j because of the %s', (members, field) => {
    expect(readDraft({ ...EMPTY_DRAFT, ...members })).toEqual({
      kind: 'wrong',
      problems: { [field]: expect.any(String) },
    })
  })
})

describe('displayed facts of a user', () => {
  it('include a name only when the value is text', () => {
    expect(nameOf({ user_metadata: { full_name: ['Ana'], name: ' ', display_name: 'Ana' } })).toBe(
      'Ana',
    )
    expect(nameOf({ user_metadata: {} })).toBeUndefined()
  })

  it('identify the user by phone number or id when the e-mail address is missing', () => {
    expect(addressOf({ email: null, phone: '+5551', id: 'u' })).toBe('+5551')
    expect(addressOf({ email: null, phone: null, id: 'u' })).toBe('u')
  })

  it('list each provider once', () => {
    const identities = [{ provider: 'google' }, { provider: 'google' }, { provider: 7 }]
    expect(providersOf({ identities })).toEqual(['google'])
    expect(methodOf({ method: {} })).toBe('?')
  })

  it('show a ban until its end in platform time', () => {
    expect(isBanned({ banned_until: 'x' }, 10, () => 11)).toBe(true)
    expect(isBanned({ banned_until: 'x' }, 11, () => 11)).toBe(false)
    expect(isBanned({ banned_until: null }, 0, () => 11)).toBe(false)
  })
})

describe('the address of the users screen', () => {
  it('leaves out the default part', () => {
    expect(parseUsersSearch({ q: '', user: 'u', part: 'profile', other: 1 })).toEqual({ user: 'u' })
  })
})
