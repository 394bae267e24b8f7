// Parses a pasted credential without verifying it: form, header, claims, and probable kind (docs/wire/credentials.md#kinds).
// Pure.
import type { TokenExplanation } from '../../../contract/tokens.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import { GROUP_KEY_PREFIX, MANAGEMENT_KEY_PREFIX } from '../../../platform/credentials/api-key.ts'

export type TokenKind = TokenExplanation['kind']

export interface TokenText {
  /** The token alone, without `Bearer`, quotes and surrounding text. */
  readonly text: string
  readonly form: 'jwt' | 'paseto' | 'opaque'
  /** Derived from form and claims, without verification. */
  readonly kind: TokenKind
  readonly header: JsonObject | null
  readonly claims: JsonObject | null
}

/** Parses any text. The kind is `unknown` if the text is not a token. */
export function readTokenText(pasted: string): TokenText {
  const text = bare(pasted)
  if (text.startsWith(GROUP_KEY_PREFIX)) return opaque(text, 'group_api_key')
  if (text.startsWith(MANAGEMENT_KEY_PREFIX)) return opaque(text, 'management_key')
  return pasetoOf(text) ?? jwtOf(text) ?? opaque(text, 'unknown')
}

// Extracts the token. Users paste headers, quoted strings from code, and addresses that contain the token.
function bare(pasted: string): string {
  const text = pasted
    .trim()
    .replace(/^authorization\s*:\s*/i, '')
    .replace(/^apikey\s*:\s*/i, '')
    .replace(/^["'`](.*)["'`][,;]?$/s, '$1')
    .replace(/^bearer\s+/i, '')
    .trim()
  return /[?&#](?:token|access_token)=([^&#\s]+)/.exec(text)?.[1] ?? text
}

function opaque(text: string, kind: TokenKind): TokenText {
  return { text, form: 'opaque', kind, header: null, claims: null }
}

const PASETO = /^v(\d)\.(public|local)\.([\w-]+)(?:\.[\w-]+)?$/
const ED25519_SIGNATURE_BYTES = 64

const SESSION_KINDS: Readonly<Record<string, TokenKind>> = {
  platform_session: 'platform_session',
  user_session: 'session_token',
}

function pasetoOf(text: string): TokenText | undefined {
  const [, version, purpose, payload] = PASETO.exec(text) ?? []
  if (payload === undefined) return undefined
  const signed = Buffer.from(payload, 'base64url')
  const claims = objectOf(signed.subarray(0, Math.max(0, signed.length - ED25519_SIGNATURE_BYTES)))
  return {
    text,
    form: 'paseto',
    kind: SESSION_KINDS[String(claims?.['use'])] ?? 'unknown',
    header: { version: `v${version}`, purpose: purpose ?? '' },
    claims,
  }
}

function jwtOf(text: string): TokenText | undefined {
  const parts = text.split('.')
  if (parts.length !== 3) return undefined
  const header = objectOf(Buffer.from(parts[0] ?? '', 'base64url'))
  if (header === null) return undefined
  const claims = objectOf(Buffer.from(parts[1] ?? '', 'base64url'))
  return { text, form: 'jwt', kind: jwtKindOf(header, claims ?? {}), header, claims }
}

function jwtKindOf(header: JsonObject, claims: JsonObject): TokenKind {
  if (header['alg'] === 'HS256') {
    if (typeof claims['url'] === 'string') return 'signed_url_token'
    if (claims['sdb_role'] !== undefined) return 'realtime_token'
    return claims['origin_role'] === undefined ? 'unknown' : 'storage_token'
  }
  if (header['alg'] !== 'ES256' || claims['project_schema'] === undefined) return 'unknown'
  switch (claims['role']) {
    case 'anon':
      return 'anon_key'
    case 'service_role':
      return 'service_role_key'
    case 'authenticated':
      return 'data_plane_token'
    default:
      return 'unknown'
  }
}

function objectOf(bytes: Uint8Array): JsonObject | null {
  const value = parseJson(Buffer.from(bytes).toString('utf8'))
  return isJsonObject(value) ? value : null
}
