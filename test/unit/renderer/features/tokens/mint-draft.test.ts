import { describe, expect, it } from 'vitest'
import { NEW_DRAFT, readDraft } from '../../../../../renderer/features/tokens/mint-draft.ts'

const draft = { ...NEW_DRAFT, project: 'aurora' }

describe('readDraft', () => {
  it('requests an expired token for a user with claims', () => {
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

  it('sends the role when the token kind has several roles, and no user for the role anon', () => {
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
  ] as const)('names the invalid field: %o', (wrong, field) => {
    expect(readDraft(wrong)).toEqual({
      kind: 'wrong',
      problems: { [field]: expect.any(String) },
    })
  })

  it('accepts a custom expiry, even a negative number', () => {
    expect(readDraft({ ...draft, expiry: 'own', ownExpiry: '-5' })).toMatchObject({
      order: { expires_in: -5 },
    })
  })
})
