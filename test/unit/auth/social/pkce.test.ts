// Proof Key for Code Exchange (RFC 7636; docs/wire/auth.md#social).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  challengeOf,
  parseChallenge,
} from '../../../../emulator/services/auth/social/oauth-routes.ts'

describe('challengeOf', () => {
  it('returns the challenge of RFC 7636, appendix B', () => {
    expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    )
  })

  it('returns a challenge that parseChallenge accepts, for any verifier', () => {
    fc.assert(
      fc.property(fc.string(), (verifier) => {
        const challenge = challengeOf(verifier)
        return parseChallenge(challenge, 'S256') === challenge
      }),
    )
  })
})

describe('parseChallenge', () => {
  it.each([43, 128])('accepts %i characters of base64url', (length) => {
    const challenge = 'aZ0-_'.repeat(26).slice(0, length)
    expect(parseChallenge(challenge, 'S256')).toBe(challenge)
  })

  it.each([
    ['nothing', undefined, 'S256'],
    ['an empty challenge', '', 'S256'],
    ['42 characters', 'a'.repeat(42), 'S256'],
    ['129 characters', 'a'.repeat(129), 'S256'],
    ['padding', `${'a'.repeat(43)}=`, 'S256'],
    ['base64 that is not base64url', `${'a'.repeat(42)}+`, 'S256'],
    ['a line break at the end', `${'a'.repeat(43)}\n`, 'S256'],
    ['no method', 'a'.repeat(43), undefined],
    ['the method plain', 'a'.repeat(43), 'plain'],
    ['the method in lower case', 'a'.repeat(43), 's256'],
  ])('refuses %s', (_, challenge, method) => {
    expect(() => parseChallenge(challenge, method)).toThrow(
      expect.objectContaining({ code: 'invalid_pkce' }),
    )
  })
})
