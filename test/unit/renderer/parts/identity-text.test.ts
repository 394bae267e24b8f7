// renderer/parts/identity-text.ts: identities as texts of addresses.
import { describe, expect, it } from 'vitest'
import type { IdentityReference } from '../../../../emulator/contract/identities.ts'
import {
  identityLabel,
  identityText,
  parseIdentityText,
} from '../../../../renderer/parts/identity-text.ts'

const IDENTITIES: readonly IdentityReference[] = [
  { kind: 'anon' },
  { kind: 'service_role' },
  { kind: 'user', user: 'ana@patients.test' },
  { kind: 'user', user: 'ana@patients.test', claims: { aal: 'aal2', note: 'a b' } },
  { kind: 'claims', role: 'authenticated', claims: { sub: '1', email: 'x@y.z' } },
  { kind: 'request', request_id: 'req_1' },
]

describe('identities as text in an address', () => {
  it.each(IDENTITIES)('are read again unchanged: $kind', (identity) => {
    expect(parseIdentityText(identityText(identity))).toEqual(identity)
  })

  // cspell:disable-next-line
  it.each([undefined, 7, '', 'owner', 'user:', 'claims:postgres {}', 'nobody:1'])(
    'are not found in %j',
    (text) => {
      expect(parseIdentityText(text)).toBeUndefined()
    },
  )

  it('have empty claims when the claims are not an object', () => {
    expect(parseIdentityText('claims:anon [1]')).toEqual({
      kind: 'claims',
      role: 'anon',
      claims: {},
    })
  })

  it('have readable labels', () => {
    expect(IDENTITIES.map(identityLabel)).toEqual([
      'anon',
      'service_role',
      'ana@patients.test',
      'ana@patients.test + claims',
      'x@y.z (claims)',
      'request req_1',
    ])
  })
})
