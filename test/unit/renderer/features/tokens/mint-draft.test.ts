import { describe, expect, it } from 'vitest'
import { NEW_DRAFT, orderOf } from '../../../../../renderer/features/tokens/mint-draft.ts'

const draft = { ...NEW_DRAFT, project: 'aurora' }

describe('orderOf', () => {
  it('orders a person’s token with claims that is already past', () => {
    const made = orderOf({
      ...draft,
      user: ' ana@patients.test ',
      claims: '{"aal":"aal2"}',
      expiry: 'past',
    })
    expect(made).toEqual({
      kind: 'ready',
      order: {
        project: 'aurora',
        kind: 'data_plane_token',
        user: 'ana@patients.test',
        claims: { aal: 'aal2' },
        expires_in: -60,
      },
    })
  })

  it('names the role where the kind has several, and no user beside a key’s role', () => {
    const made = orderOf({ ...draft, kind: 'realtime_token', role: 'anon', user: 'ana' })
    expect(made).toEqual({
      kind: 'ready',
      order: { project: 'aurora', kind: 'realtime_token', role: 'anon' },
    })
  })

  it.each([
    [{ ...draft, project: '' }, 'project'],
    [{ ...draft, claims: '[]' }, 'claims'],
    [{ ...draft, claims: '{' }, 'claims'],
    [{ ...draft, expiry: 'own', ownExpiry: 'soon' }, 'ownExpiry'],
  ] as const)('says which field is wrong: %o', (wrong, field) => {
    expect(orderOf(wrong)).toMatchObject({ kind: 'wrong', field })
  })

  it('takes seconds of its own, below zero too', () => {
    expect(orderOf({ ...draft, expiry: 'own', ownExpiry: '-5' })).toMatchObject({
      order: { expires_in: -5 },
    })
  })
})
