// Replaces secrets in recorded texts by placeholders. Equal secrets get equal placeholders, so that a reader and
// `tenantry compare` still see which values are the same.
import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import { type BodyKind, maskBody, maskBytes } from '../../../platform/secrets/bodies/mask-body.ts'
import { maskHeader } from '../../../platform/secrets/mask-header.ts'
import { maskAddress } from '../../../platform/secrets/mask-parameters.ts'
import { maskValue } from '../../../platform/secrets/mask-value.ts'
import type { Masking } from '../../../platform/secrets/masking.ts'
import { plainName, type SignInScope } from '../../../platform/secrets/secret-names.ts'
import type { CredentialFacts } from '../har/har.ts'
import { createPlaceholders, type SecretKind } from './placeholders.ts'

export interface Masker {
  /** Number of secrets that are masked wherever they occur. */
  readonly knownSecrets: number
  /** Masks JSON, SQL and plain text. */
  text(text: string, scope: SignInScope): string
  /** Masks a path with its query, or a whole URL. */
  url(url: string, scope: SignInScope): string
  header(name: string, value: string, scope: SignInScope): string
  /** Masks a body by its type. Returns `undefined` when its secrets cannot be found. */
  body(bytes: Buffer, kind: BodyKind, scope: SignInScope): Buffer | undefined
  /** Masks tokens, keys and known secrets in bytes that are not text. */
  bytes(bytes: Buffer): Buffer
  /** Returns the facts of the credentials that occurred for the first time since the last call. */
  newFacts(): readonly CredentialFacts[]
}

const KIND_OF: Readonly<Record<string, SecretKind>> = {
  code: 'code',
  codechallenge: 'challenge',
  codeverifier: 'verifier',
  otp: 'code',
}
/**
 * Length of the shortest password that the platform accepts. In place of a shorter password, a replay also sends a short one, so
 * that the platform refuses it as weak again.
 */
const PASSWORD_LENGTH = 6
/** Claims that identify the user or role of a credential, and its expiry. */
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

/** @param names names of further members, parameters and headers to mask; upper and lower case are equal */
export function createMasker(names: readonly string[] = []): Masker {
  const named = new Set(names.map(plainName))
  const known = createPlaceholders((claims) => factsOf(claims, named))
  const masking = (signIn: SignInScope): Masking => ({
    signIn,
    named,
    replace: (secret, name) => known.placeholder(secret, kindOf(name, secret)),
    known: known.everywhere,
  })
  return {
    get knownSecrets() {
      return known.distinctCount
    },
    text: (text, scope) => maskValue(text, masking(scope)),
    url: (url, scope) => maskAddress(url, masking(scope)),
    header: (name, value, scope) => maskHeader(name, value, masking(scope)),
    body: (bytes, kind, scope) => maskBody(bytes, kind, masking(scope)),
    bytes: (bytes) => maskBytes(bytes, masking({ inMembers: false, inParameters: false })),
    newFacts: known.newFacts,
  }
}

function kindOf(name: string, value: string): SecretKind {
  const plain = plainName(name)
  if (plain.includes('password'))
    return value.length < PASSWORD_LENGTH ? 'short-password' : 'password'
  return KIND_OF[plain] ?? 'secret'
}

/** Returns the claims of a token at one level. In a realtime token, the claims of the user are inside the claim `claims`. */
export function flatClaims(claims: JsonObject): JsonObject {
  const inner = claims['claims']
  return { ...(isJsonObject(inner) ? inner : {}), ...claims }
}

function factsOf(
  claims: JsonObject,
  named: ReadonlySet<string>,
): Readonly<Record<string, string | number>> {
  const all = flatClaims(claims)
  return Object.fromEntries(
    KEPT_CLAIMS.flatMap((name): [string, string | number][] => {
      const value = all[name]
      const isKept =
        !named.has(plainName(name)) && (typeof value === 'string' || typeof value === 'number')
      return isKept ? [[name, value]] : []
    }),
  )
}
