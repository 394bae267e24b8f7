// Replaces secrets in recorded texts by placeholders. Equal secrets get equal placeholders, so that a reader and `tenantry compare`
// still see which values are the same.
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { SECRETS, SECRETS_OF_SIGN_INS } from '../../journal/recording/mask-body.ts'
import type { CredentialFacts } from '../har/har.ts'
import { createPlaceholders, type SecretKind } from './placeholders.ts'

export interface Masking {
  /** Whether the text belongs to a sign-in, where `code` and `state` are secrets. */
  readonly isSignIn: boolean
}

export interface Masker {
  /** Masks JSON, form and plain text. */
  text(text: string, masking: Masking): string
  /** Masks a path with its query, or a whole URL. */
  url(url: string, masking: Masking): string
  /** Masks tokens, keys and known secrets in bytes that are no text. */
  bytes(bytes: Buffer): Buffer
  header(name: string, value: string, masking: Masking): string
  /** Returns the facts of the credentials that were first seen since the last call. */
  newFacts(): readonly CredentialFacts[]
}

const KIND_OF: Readonly<Record<string, SecretKind>> = {
  code: 'code',
  code_challenge: 'challenge',
  code_verifier: 'verifier',
  otp: 'code',
}
const CREDENTIAL_HEADERS = new Set([
  'authorization',
  'apikey',
  'cookie',
  'proxy-authorization',
  'set-cookie',
  'x-api-key',
  'x-signature',
])
/** Secrets without a form of their own that answers have: a second factor as a picture, and the key of an S3 client. */
const OF_ANSWERS = ['qr', 'secret_access_key']
/** Parameters of presigned addresses of S3. */
const OF_ADDRESSES = ['x-amz-credential', 'x-amz-security-token', 'x-amz-signature']
const URL_HEADERS = new Set(['content-location', 'location', 'referer'])
/** The shortest password that the platform accepts. A shorter one is refused as weak, which a replay must repeat. */
const PASSWORD_LENGTH = 6
/** Claims that tell which identity a credential has and when it ends. */
const KEPT_CLAIMS = [
  'role',
  'sub',
  'email',
  'phone',
  'project_schema',
  'project_id',
  'origin_role',
  'sdb_role',
  'session_id',
  'aal',
  'typ',
  'scope',
  'iat',
  'exp',
]

/** @param names further members to mask, in any case of letters */
export function createMasker(names: readonly string[] = []): Masker {
  const hidden = new Set(names.map((name) => name.toLowerCase()))
  const known = createPlaceholders((claims) => factsOf(claims, hidden))
  const always = patternsOf([...SECRETS, ...OF_ANSWERS, ...OF_ADDRESSES, ...names])
  const atSignIn = patternsOf([
    ...SECRETS,
    ...OF_ANSWERS,
    ...OF_ADDRESSES,
    ...SECRETS_OF_SIGN_INS,
    ...names,
  ])

  function text(source: string, { isSignIn }: Masking): string {
    const { json, form } = isSignIn ? atSignIn : always
    const pattern = /^\s*[[{"]/.test(source) ? json : form
    const byName = known
      .tokens(source)
      .replace(
        pattern,
        (_all, before: string, name: string, value: string) =>
          before + known.placeholder(value, kindOf(name, value)),
      )
    return known.everywhere(byName)
  }

  function url(source: string, { isSignIn }: Masking): string {
    const start = source.search(/[?#]/) + 1
    if (start === 0) return known.everywhere(source)
    const { form } = isSignIn ? atSignIn : always
    const query = source
      .slice(start)
      .replace(form, (_all, before: string, name: string, value: string) => {
        const decoded = decodedQuery(value)
        const masked = known.everywhere(decoded)
        const isNamed = masked === decoded
        return (
          before +
          encodeURIComponent(isNamed ? known.placeholder(decoded, kindOf(name, decoded)) : masked)
        )
      })
    return known.everywhere(source.slice(0, start) + query)
  }

  return {
    text,
    url,
    bytes: (bytes) => {
      // Each character represents one byte.
      const text = bytes.toString('latin1')
      const masked = known.everywhere(text)
      return masked === text ? bytes : Buffer.from(masked, 'latin1')
    },
    header: (name, value, masking) => {
      const lower = name.toLowerCase()
      if (URL_HEADERS.has(lower)) return url(value, masking)
      if (hidden.has(lower)) return known.placeholder(value, 'secret')
      const masked = known.everywhere(value)
      if (!CREDENTIAL_HEADERS.has(lower) || masked !== value) return masked
      const [, scheme = '', credential = ''] = /^([\w-]+\s+)?(.*)$/.exec(value) ?? []
      return scheme + known.placeholder(credential, 'secret')
    },
    newFacts: known.newFacts,
  }
}

function kindOf(name: string, value: string): SecretKind {
  const lower = name.toLowerCase()
  if (lower.includes('password'))
    return value.length < PASSWORD_LENGTH ? 'short-password' : 'password'
  return KIND_OF[lower] ?? 'secret'
}

/** Returns the claims of a token. A realtime token has those of its user one level deeper. */
export function flatClaims(claims: JsonObject): JsonObject {
  const inner = claims['claims']
  return { ...(isJsonObject(inner) ? inner : {}), ...claims }
}

function factsOf(
  claims: JsonObject,
  hidden: ReadonlySet<string>,
): Readonly<Record<string, string | number>> {
  const all = flatClaims(claims)
  return Object.fromEntries(
    KEPT_CLAIMS.flatMap((name): [string, string | number][] => {
      const value = all[name]
      const isKept = !hidden.has(name) && (typeof value === 'string' || typeof value === 'number')
      return isKept ? [[name, value]] : []
    }),
  )
}

// A value without its closing quote is the end of a body that was cut off.
function patternsOf(names: readonly string[]): { readonly json: RegExp; readonly form: RegExp } {
  const any = names.map((name) => name.replace(/[^\w-]/g, '\\$&')).join('|')
  return {
    json: new RegExp(`("(${any})"\\s*:\\s*")((?:[^"\\\\]|\\\\.)*)`, 'gi'),
    form: new RegExp(`((?:^|(?<=[&?#]))(${any})=)([^&#]*)`, 'gi'),
  }
}

function decodedQuery(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
