// The invented accounts of the social providers (docs/wire/auth.md#social).
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROVIDERS, type ProviderName } from '../../../../emulator/services/auth/auth-settings.ts'
import {
  accountOf,
  findProvider,
  inventedAccounts,
} from '../../../../emulator/services/auth/social/providers.ts'

// The format of each provider's `sub`.
const SUBJECTS: Readonly<Record<ProviderName, RegExp>> = {
  google: /^\d{21}$/,
  github: /^\d{15}$/,
  apple: /^\d{6}\.[0-9a-f]{32}\.\d{4}$/,
}

describe('inventedAccounts', () => {
  it.each(PROVIDERS)('uses only reserved example addresses for %s', (provider) => {
    for (const { email } of inventedAccounts(provider))
      expect(email).toMatch(/@example\.(com|org|net)$/)
  })

  it.each(PROVIDERS)('gives every account of %s a different colour', (provider) => {
    const colours = inventedAccounts(provider).map(
      (account) => /fill%3D'%23(\w{6})/.exec(account.avatar_url)?.[1],
    )
    expect(new Set(colours).size).toBe(colours.length)
  })
})

describe('accountOf', () => {
  it('returns the same account for all spellings of an address', () => {
    const [lower, upper] = ['a@example.com', 'A@EXAMPLE.com'].map((email) =>
      accountOf('google', { name: 'A', email }),
    )
    expect(lower?.sub).toBe(upper?.sub)
  })

  it.each(PROVIDERS)('creates subject ids in the format of %s', (provider) => {
    for (const { sub } of inventedAccounts(provider)) expect(sub).toMatch(SUBJECTS[provider])
  })

  it('marks the address as verified unless set otherwise', () => {
    const holder = { name: 'A', email: 'a@example.com' }
    expect(accountOf('google', holder).email_verified).toBe(true)
    expect(accountOf('google', { ...holder, emailVerified: false }).email_verified).toBe(false)
  })

  it.each([
    ['Ada Example', 'AE'],
    ['Ada Maria Example', 'AE'],
    ['ada', 'A'],
    ['Đorđe Šaš', 'ĐŠ'],
    ['𠮷 野家', '𠮷野'],
    ['<b> "x" &', 'BX'],
    ['!!!', ''],
  ])('draws the initials of %s', (name, initials) => {
    const { avatar_url: avatar } = accountOf('google', { name, email: 'a@example.com' })
    expect(decodeURIComponent(avatar)).toContain(`>${initials}</text>`)
  })

  it('draws a picture with a valid data URL for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const { avatar_url: avatar } = accountOf('google', { name, email: 'a@example.com' })
        return /^data:image\/svg\+xml,[\w%'.~!*()-]+$/.test(avatar)
      }),
    )
  })
})

it.each(['docs/wire/auth.md', 'docs/guide/sign-in.md'])('%s has all providers', (page) => {
  expect(readFileSync(page, 'utf8').includes(PROVIDERS.join(', '))).toBe(true)
})

describe('findProvider', () => {
  it.each(['constructor', '__proto__', 'GOOGLE', ''])('does not find %j', (name) => {
    expect(findProvider(name)).toBeUndefined()
  })
})
