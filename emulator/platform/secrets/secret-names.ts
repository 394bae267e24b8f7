// The one list of names of secrets: headers, parameters and members that contain credentials, passwords or codes. Log, journal,
// bundles, recordings, reports and the inspector mask the values of these names. The OpenAPI documents take the names of
// credentials from this file. Pure, and without modules of Node, because pages import it.

/** Headers in which the platform reads credentials (docs/wire/credentials.md). */
export const CREDENTIAL_HEADERS = {
  bearer: 'authorization',
  projectKey: 'apikey',
  socketKey: 'x-api-key',
  uploadToken: 'x-signature',
} as const

/** Query parameters in which the platform reads credentials. */
export const CREDENTIAL_PARAMETERS = { projectKey: 'apikey', urlToken: 'token' } as const

/** Where `code` and `state` are secrets. Elsewhere `code` is an error code, or both are columns. */
export interface SignInScope {
  /** In JSON members, form fields and text. */
  readonly inMembers: boolean
  /** In parameters of addresses. */
  readonly inParameters: boolean
}

export const NO_SIGN_IN: SignInScope = { inMembers: false, inParameters: false }
const SIGN_IN: SignInScope = { inMembers: true, inParameters: true }

/** Returns the scope of a request or of its answer. @param target path with query */
export function scopeOf(target: string, part: 'request' | 'answer'): SignInScope {
  const [path = ''] = target.split('?', 1)
  if (path.includes('/_emulator/v1/mailbox')) return SIGN_IN
  if (!path.includes('/auth/v1/')) return NO_SIGN_IN
  // The member `code` of an answer is the code of an error.
  return { inMembers: part === 'request', inParameters: true }
}

/** Endings of names, in lower case and without separators: `refresh_token`, `clientSecret`, `X-Amz-Signature`. */
const ENDINGS =
  /(?:passw(?:or)?d|passphrase|pwd|secret|token|(?:api|access|secret|private|signing|encryption|management|anon|role)key|signature|authorization|cookie|jwt|credentials?|otp|(?:recovery|backup|mfa)code)(?:hash)?$/
/** `qr` is an image that contains the secret of a second factor. */
const WHOLE = new Set(['codeverifier', 'qr'])
/** Names in S3 lists that end like secret names, but contain page positions. */
const HARMLESS = new Set(['continuationtoken', 'nextcontinuationtoken'])
const OF_SIGN_INS = new Set(['code', 'state', 'codechallenge'])

/** Returns the name in lower case and without separators, so that `access_token` and `accessToken` become equal. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** @param isSignIn whether `code` and `state` are secrets here */
export function isSecretName(name: string, isSignIn: boolean): boolean {
  const plain = plainName(name)
  if (isSignIn && OF_SIGN_INS.has(plain)) return true
  return WHOLE.has(plain) || (ENDINGS.test(plain) && !HARMLESS.has(plain))
}

/** Each secret name contains one of these parts, or is percent-encoded. */
const STEMS = /pass|pwd|secret|token|key|signature|auth|cookie|jwt|credential|otp|code|state|qr|%/i

/** Quick check. Returns false only for a text without any name of a secret. */
export function mayNameSecret(text: string): boolean {
  return STEMS.test(text)
}

/** A header is a secret when its name contains one of these parts. */
const HEADERS =
  /passw|passphrase|secret|token|signature|authori[sz]ation|x-auth\b|cookie|credential|session|jwt|(?:api|access|private)-?key/
const HARMLESS_HEADERS = new Set(['access-control-allow-credentials', 'signature-input'])

/** @param name in any case */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return HEADERS.test(lower) && !HARMLESS_HEADERS.has(lower)
}
