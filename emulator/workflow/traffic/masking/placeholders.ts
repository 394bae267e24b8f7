// Remembers which placeholder replaces which secret, so that equal secrets get equal placeholders.
import type { JsonObject } from '../../../core/json.ts'
import { GROUP_KEY_PREFIX, MANAGEMENT_KEY_PREFIX } from '../../../platform/credentials/api-key.ts'
import { readClaims } from '../../../platform/credentials/unverified-claims.ts'
import { isToken } from '../../../platform/secrets/mask-text.ts'
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
 * A `token` has claims, and a `key` is one that the platform issued. A `short-password` has fewer characters than the platform
 * accepts. A `challenge` is the hash of a `verifier` (RFC 7636).
 */
export type SecretKind = (typeof KINDS)[number]

const FORM = `masked~(?:${KINDS.join('|')})~\\d+`
const WHOLE = new RegExp(`^${FORM}$`)
/** Matches every placeholder, such as `masked~token~3`. All its characters are valid in JSON, headers and URLs. */
export const PLACEHOLDER: RegExp = new RegExp(FORM, 'g')

export function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && WHOLE.test(value)
}

/** @throws {TypeError} when the text is not a placeholder */
export function kindOfPlaceholder(placeholder: string): SecretKind {
  const kind = KINDS.find((each) => placeholder.startsWith(`masked~${each}~`))
  if (kind === undefined) throw new TypeError(`${placeholder} is no placeholder`)
  return kind
}

export interface Placeholders {
  /** Number of secrets that `everywhere` finds at any place, without the name of a member. */
  readonly distinctCount: number
  /**
   * Returns the placeholder of a secret. Returns an empty text or a placeholder unchanged.
   * @param kind used for a secret whose form does not tell its kind
   */
  placeholder(secret: string, kind: SecretKind): string
  /** Replaces known secrets: long ones in any text, and ones of medium length only when they are the whole text. */
  everywhere(text: string): string
  /** Returns the facts of the credentials that occurred for the first time since the last call. */
  newFacts(): readonly CredentialFacts[]
}

/** A secret with at least this many characters is masked everywhere, because it hardly occurs in other text by chance. */
const DISTINCT_LENGTH = 16
/** A secret with at least this many characters is masked where it is a whole value. */
const WHOLE_LENGTH = 12

export function createPlaceholders(
  factsOf: (claims: JsonObject) => CredentialFacts['claims'],
): Placeholders {
  const known = new Map<string, string>()
  /** Long secrets by their first characters, each with its placeholder. */
  const distinct = new Map<string, (readonly [form: string, placeholder: string])[]>()
  let distinctCount = 0
  const counts = new Map<SecretKind, number>()
  let facts: CredentialFacts[] = []

  function placeholder(secret: string, given: SecretKind): string {
    if (secret === '' || isPlaceholder(secret)) return secret
    const earlier = known.get(secret)
    if (earlier !== undefined) return earlier
    const hasForm = isToken(secret)
    const kind = hasForm ? kindOf(secret) : given
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    const made = `masked~${kind}~${number}`
    known.set(secret, made)
    // Tokens and keys need no entry, because the masker recognises them by their form.
    if (secret.length >= DISTINCT_LENGTH && !hasForm)
      for (const form of formsOf(secret)) {
        const start = form.slice(0, DISTINCT_LENGTH)
        const others = distinct.get(start) ?? []
        distinctCount += 1
        distinct.set(
          start,
          [[form, made] as const, ...others].sort(([a], [b]) => b.length - a.length),
        )
      }
    const claims = kind === 'token' ? readClaims(secret) : undefined
    if (claims !== undefined) facts.push({ placeholder: made, claims: factsOf(claims) })
    return made
  }

  return {
    get distinctCount() {
      return distinctCount
    },
    placeholder,
    everywhere: (text) => {
      if (text.length < WHOLE_LENGTH) return text
      const whole = known.get(text)
      if (whole !== undefined) return whole
      if (distinct.size === 0) return text
      let masked = ''
      let end = 0
      for (let at = 0; at + DISTINCT_LENGTH <= text.length; at += 1) {
        const here = distinct.get(text.slice(at, at + DISTINCT_LENGTH))
        const [secret, made] = here?.find(([form]) => text.startsWith(form, at)) ?? []
        if (secret === undefined || made === undefined) continue
        masked += text.slice(end, at) + made
        end = at + secret.length
        at = end - 1
      }
      return masked + text.slice(end)
    },
    newFacts: () => {
      const found = facts
      facts = []
      return found
    },
  }
}

/** Returns the secret in the forms that it has in text, JSON, URLs, form bodies, and bytes read as Latin-1. */
function formsOf(secret: string): ReadonlySet<string> {
  const inAddress = encodeURIComponent(secret.toWellFormed())
  return new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    inAddress,
    inAddress.replaceAll('%20', '+'),
    Buffer.from(secret).toString('latin1'),
  ])
}

function kindOf(token: string): SecretKind {
  if (token.startsWith(GROUP_KEY_PREFIX)) return 'group-key'
  if (token.startsWith(MANAGEMENT_KEY_PREFIX)) return 'management-key'
  return token.startsWith('sdb_') ? 'key' : 'token'
}
