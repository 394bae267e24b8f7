// The social providers and their fictional accounts, which are the same at every start (docs/wire/auth.md#social). Pure.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../core/json.ts'
import type { ProviderName } from '../auth-settings.ts'

/** A provider's account: claims of OpenID Connect (Core §5.1) and the platform's `full_name`. */
export interface ProviderAccount extends JsonObject {
  /** The provider's id of the account, derived from the e-mail address. */
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly full_name: string
  /** A data URI, so that no picture is loaded from another server. */
  readonly avatar_url: string
}

export const PROVIDER_LABELS: Readonly<Record<ProviderName, string>> = {
  google: 'Google',
  github: 'GitHub',
  apple: 'Apple',
}

// Each name means "example" in some language. Ada has an account at each provider, which shows how accounts are linked.
const PEOPLE: Readonly<Record<ProviderName, readonly (readonly [name: string, email: string])[]>> =
  {
    google: [
      ['Ada Example', 'ada@example.com'],
      ['Bruno Exemplo', 'bruno@example.org'],
      ['Chiyo Rei', 'chiyo@example.net'],
    ],
    github: [
      ['Ada Example', 'ada@example.com'],
      ['Dmitri Primer', 'dmitri@example.org'],
      ['Esra Örnek', 'esra@example.net'],
    ],
    apple: [
      ['Ada Example', 'ada@example.com'],
      ['Farah Mithal', 'farah@example.org'],
      ['Gustav Beispiel', 'gustav@example.net'],
    ],
  }

/** Returns the provider of this name, or `undefined` for an unknown name. */
export function findProvider(name: string): ProviderName | undefined {
  return Object.hasOwn(PROVIDER_LABELS, name) ? (name as ProviderName) : undefined
}

/** Returns the accounts that every consent page of the provider lists. */
export function inventedAccounts(provider: ProviderName): readonly ProviderAccount[] {
  return PEOPLE[provider].map(([name, email]) => accountOf(provider, { name, email }))
}

export interface AccountHolder {
  readonly name: string
  readonly email: string
  /** Whether the provider verified the address. Absent means true. */
  readonly emailVerified?: boolean
}

/**
 * Returns the provider's account with this address. Every call returns the same account. `emailVerified: false` returns a
 * different account, with another `sub`.
 */
export function accountOf(
  provider: ProviderName,
  { name, email, emailVerified = true }: AccountHolder,
): ProviderAccount {
  const claim = emailVerified ? '' : 'unverified:'
  const digest = createHash('sha256').update(`${provider}:${claim}${email.toLowerCase()}`).digest()
  return {
    sub: subjectOf(provider, digest),
    email,
    email_verified: emailVerified,
    full_name: name,
    avatar_url: avatarOf(name, digest),
  }
}

// Ids have the format of the real provider's ids, because applications store and validate them.
function subjectOf(provider: ProviderName, digest: Buffer): string {
  const digits = digest.readBigUInt64BE(0).toString().padStart(20, '0')
  switch (provider) {
    case 'google':
      return `1${digits}`
    case 'github':
      return `1${digits.slice(-14)}`
    case 'apple':
      return `00${digits.slice(-4)}.${digest.toString('hex', 8, 24)}.${digits.slice(-8, -4)}`
  }
}

/** Background colours of avatars. White text on them has a contrast of at least 4.5 (WCAG 2.2, 1.4.3). */
const COLOURS = ['5b5bd6', '0d74ce', '00776f', '2a7e3b', '9a5b13', 'ca2a30', 'c2298a', '7c4fbb']

function avatarOf(name: string, digest: Buffer): string {
  const colour = COLOURS[digest.readUInt8(2) % COLOURS.length]
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'><path fill='#${colour}' d='M0 0h40v40H0z'/><text x='20' y='25' text-anchor='middle' font-family='sans-serif' font-size='15' fill='#fff'>${initialsOf(name)}</text></svg>`,
  )}`
}

// Uses only letters and digits, so that the initials cannot contain markup.
function initialsOf(name: string): string {
  const initials = name
    .split(/\s+/)
    .flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
    .map((letter) => letter.toUpperCase())
  return [initials[0], initials.length > 1 ? initials.at(-1) : undefined].join('')
}
