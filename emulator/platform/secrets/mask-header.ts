// Masks the value of a header. Pure.
import { maskAddress } from './mask-parameters.ts'
import { maskValue } from './mask-value.ts'
import { isNamed, type Masking } from './masking.ts'
import { isSecretHeader, isSecretName } from './secret-names.ts'

const ADDRESSES = new Set(['content-location', 'location', 'referer'])
const CHALLENGES = new Set(['proxy-authenticate', 'www-authenticate'])
/** An authentication scheme and its credentials (RFC 9110 §11.1). The name of the scheme is not masked. */
const SCHEME = /^((?:bearer|basic|digest|token|negotiate|aws4-hmac-sha256)[ \t]+)?(.*)$/is

/** @param name in any case */
export function maskHeader(name: string, value: string, masking: Masking): string {
  const lower = name.toLowerCase()
  if (value === '') return value
  if (CHALLENGES.has(lower)) return maskChallenge(value, masking)
  if (lower === 'upload-metadata') return maskUploadMetadata(value, masking)
  if (lower === 'x-metadata') return maskBase64(value, masking)
  if (isSecretHeader(lower) || isNamed(masking, lower)) {
    const [, scheme = '', secret = ''] = SCHEME.exec(value) ?? []
    return secret === '' ? value : scheme + masking.replace(secret, lower)
  }
  return ADDRESSES.has(lower) ? maskAddress(value, masking) : maskValue(value, masking)
}

/** Parameters of a challenge, whose value is a token or a quoted text (RFC 9110 §11.2). */
const PARAMETER = /([\w-]+)(\s*=\s*)("(?:[^"\\]|\\.)*"|[^\s,]+)/g
/** Error codes of a Bearer challenge (RFC 6750 §3.1). */
const ERRORS = /^"?(?:invalid_request|invalid_token|insufficient_scope)"?$/

/** A challenge with one token instead of parameters. */
const TOKEN_CHALLENGE = /^(\w+\s+)([\w.~+/-]+=*)$/

// Masks a challenge, except for its scheme and a known error code.
function maskChallenge(challenge: string, masking: Masking): string {
  const [, scheme, token] = TOKEN_CHALLENGE.exec(challenge) ?? []
  if (scheme !== undefined && token !== undefined)
    return scheme + masking.replace(token, 'www-authenticate')
  return challenge.replace(
    PARAMETER,
    (whole: string, name: string, equals: string, value: string) =>
      (name.toLowerCase() === 'error' && ERRORS.test(value)) || value === '""'
        ? whole
        : `${name}${equals}"${masking.replace(value.replace(/^"|"$/g, ''), 'www-authenticate')}"`,
  )
}

// `Upload-Metadata` contains pairs of a name and a base64 value (docs/wire/storage.md#tus).
function maskUploadMetadata(metadata: string, masking: Masking): string {
  return metadata
    .split(',')
    .map((pair) => {
      const [, before = '', name = '', value = ''] = /^(\s*(\S+)\s+)(\S+)\s*$/.exec(pair) ?? []
      if (value === '') return pair
      if (!isSecretName(name, false) && !isNamed(masking, name))
        return before + maskBase64(value, masking)
      return before + base64Of(masking.replace(textOf(value), name))
    })
    .join(',')
}

function maskBase64(value: string, masking: Masking): string {
  const text = textOf(value)
  const masked = maskValue(text, masking)
  return masked === text ? value : base64Of(masked)
}

function textOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}

function base64Of(text: string): string {
  return Buffer.from(text).toString('base64')
}
