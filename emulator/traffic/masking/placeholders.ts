// Remembers which placeholder replaces which secret, so that equal secrets get equal placeholders.
import type { JsonObject } from '../../core/json.ts'
import { GROUP_KEY_PREFIX, MANAGEMENT_KEY_PREFIX } from '../../credentials/api-key.ts'
import { readClaims } from '../../credentials/unverified-claims.ts'
import type { CredentialFacts } from '../har/har.ts'

const KINDS = [
  'token',
  'group-key',
  'management-key',
  'key',
  'password',
  'short-password',
  'code',
  'challenge',
  'verifier',
  'secret',
] as const
/**
 * `token` has claims; a `key` is one of the platform. A `short-password` has fewer characters than the platform accepts. A
 * `challenge` is the hash of a `verifier` (RFC 7636).
 */
export type SecretKind = (typeof KINDS)[number]

const FORM = `masked~(?:${KINDS.join('|')})~\\d+`
const WHOLE = new RegExp(`^${FORM}$`)
/** Matches every placeholder, such as `masked~token~3`. All its characters are valid in JSON, headers and URLs. */
export const PLACEHOLDER: RegExp = new RegExp(FORM, 'g')

/** @throws {TypeError} when the text is no placeholder */
export function kindOfPlaceholder(placeholder: string): SecretKind {
  const kind = KINDS.find((each) => placeholder.startsWith(`masked~${each}~`))
  if (kind === undefined) throw new TypeError(`${placeholder} is no placeholder`)
  return kind
}

export interface Placeholders {
  /** Returns the placeholder of a secret; an empty text and a placeholder stay. */
  placeholder(secret: string, kind: SecretKind): string
  /** Replaces tokens and keys, which are recognised by their form. */
  tokens(text: string): string
  /** Replaces tokens, keys, passwords in addresses, and each long secret that is known. */
  everywhere(text: string): string
  /** Returns the facts of the credentials that were first seen since the last call. */
  newFacts(): readonly CredentialFacts[]
}

/** JWT, PASETO v4.public and keys of the platform. */
const TOKENS = /eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|v4\.public\.[\w-]+(?:\.[\w-]+)?|sdb_[a-z]+_[\w-]{16,}/g
/** The password of a connection string. */
const IN_ADDRESSES = /(?<=:\/\/[^\s:@/"]+:)[^\s@/"]+(?=@)/g
/** A secret of this length is unlikely to be a part of other text, so it is masked wherever it occurs. */
const DISTINCT_LENGTH = 16

export function createPlaceholders(
  factsOf: (claims: JsonObject) => CredentialFacts['claims'],
): Placeholders {
  const known = new Map<string, string>()
  const distinct: string[] = []
  const counts = new Map<SecretKind, number>()
  let facts: CredentialFacts[] = []

  function placeholder(secret: string, kind: SecretKind): string {
    if (secret === '' || WHOLE.test(secret)) return secret
    const earlier = known.get(secret)
    if (earlier !== undefined) return earlier
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    const made = `masked~${kind}~${number}`
    known.set(secret, made)
    // Tokens and keys are recognised without a list.
    if (secret.length >= DISTINCT_LENGTH && tokens(secret) !== made) distinct.push(secret)
    const claims = kind === 'token' ? readClaims(secret) : undefined
    if (claims !== undefined) facts.push({ placeholder: made, claims: factsOf(claims) })
    return made
  }

  const tokens = (text: string): string =>
    text.replace(TOKENS, (token) => placeholder(token, kindOf(token)))

  return {
    placeholder,
    tokens,
    everywhere: (text) =>
      distinct.reduce(
        (masked, secret) =>
          masked.includes(secret) ? masked.replaceAll(secret, known.get(secret) ?? '') : masked,
        tokens(text).replace(IN_ADDRESSES, (password) => placeholder(password, 'secret')),
      ),
    newFacts: () => {
      const found = facts
      facts = []
      return found
    },
  }
}

function kindOf(token: string): SecretKind {
  if (token.startsWith(GROUP_KEY_PREFIX)) return 'group-key'
  if (token.startsWith(MANAGEMENT_KEY_PREFIX)) return 'management-key'
  return token.startsWith('sdb_') ? 'key' : 'token'
}
