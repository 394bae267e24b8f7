import { describe, expect, it } from 'vitest'
import { NEW_DRAFT, readDraft } from '../../../../../renderer/features/tokens/mint-draft.ts'

const draft = { ...NEW_DRAFT, project: 'aurora' }

describe('readDraft', () => {
  it('orders an expired token of a user with claims', () => {
    const made = readDraft({
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

  it('names the role where the kind has several, and no user for a role without one', () => {
    const made = readDraft({ ...draft, kind: 'realtime_token', role: 'anon', user: 'ana' })
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
  ] as const)('names the field that is wrong: %o', (wrong, field) => {
    expect(readDraft(wrong)).toEqual({
      kind: 'wrong',
      problems: { [field]: expect.any(String) },
    })
  })

  it('accepts a custom expiry, also a negative one', () => {
    expect(readDraft({ ...draft, expiry: 'own', ownExpiry: '-5' })).toMatchObject({
      order: { expires_in: -5 },
    })
  })
})
