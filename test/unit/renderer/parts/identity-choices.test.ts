// renderer/parts/identity-choices.ts: the identities that a user can choose.
import { describe, expect, it } from 'vitest'
import type { IdentityChoices } from '../../../../emulator/contract/identities.ts'
import { identityOf, identityOptions, OWNER } from '../../../../renderer/parts/identity-choices.ts'

const CHOICES: IdentityChoices = {
  identities: [
    { reference: { kind: 'user', user: 'u2' }, label: 'zoe@a.test', role: 'authenticated' },
    { reference: { kind: 'user', user: 'u1' }, label: 'ana@a.test', role: 'authenticated' },
    { reference: { kind: 'anon' }, label: 'anon', role: 'anon' },
  ],
}

describe('identities to choose from', () => {
  it('are the owner, the keys, then the users by e-mail address', () => {
    const options = identityOptions(CHOICES, [], null, true)
    expect(options.map(({ value }) => value)).toEqual([
      OWNER,
      'anon',
      'user:ana@a.test',
      'user:zoe@a.test',
    ])
  })

  it('include the chosen identity even when no other list contains it', () => {
    const chosen = { kind: 'claims', role: 'anon', claims: { sub: '1' } } as const
    const options = identityOptions(undefined, [], chosen, false)
    expect(options.map(({ value, group }) => [identityOf(value), group])).toEqual([
      [chosen, 'Custom'],
    ])
  })

  it('map the owner to no identity', () => {
    expect(identityOf(OWNER)).toBeNull()
  })
})
