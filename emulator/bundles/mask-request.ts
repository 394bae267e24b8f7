// Masks the secrets of a recorded request for a bundle. Credentials that the bundled state can issue again become placeholders.
import type { KeptBytes } from '../journal/recording/kept-bytes.ts'
import { maskBody } from '../journal/recording/mask-body.ts'
import { showHeader } from '../journal/recording/show-recording.ts'
import { type BundledCredentials, type NamedCredential, unsigned } from './named-credential.ts'

/** The sign of a masked value. */
export const MASK = '…'
/** A placeholder in headers and targets, with the credential's place in the list. */
export const PLACEHOLDER: RegExp = /credential~(\d+)/g

/** The credentials of one request. */
export interface RequestCredentials {
  readonly named: NamedCredential[]
  /** Returns what replaces the credential. Returns `undefined` for a text that must be masked. */
  place(text: string): Promise<string | undefined>
}

export function credentialsOfRequest(known: BundledCredentials): RequestCredentials {
  const named: NamedCredential[] = []
  return {
    named,
    place: async (text) => {
      const found = await known.name(text)
      // A token of another platform stays readable, so that the explanation of its refusal stays the same.
      if (found === undefined) return unsigned(text)
      named.push(found)
      return `credential~${named.length - 1}`
    },
  }
}

const CREDENTIAL_HEADERS = new Set(['authorization', 'apikey', 'x-api-key', 'x-upload-signature'])

export async function maskHeaders(
  headers: Iterable<[name: string, value: string]>,
  credentials: RequestCredentials,
): Promise<[string, string][]> {
  const masked: [string, string][] = []
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    const [, scheme = '', secret = ''] = /^(bearer\s+)?(.*)$/is.exec(value) ?? []
    const placed = CREDENTIAL_HEADERS.has(name) ? await credentials.place(secret.trim()) : undefined
    masked.push([
      name,
      placed === undefined ? maskTokens(showHeader(name, value)) : scheme + placed,
    ])
  }
  return masked
}

/**
 * Fills the masked parameters of a target with placeholders where possible.
 * @param shown the same target as the journal shows it, with masked secrets
 */
export async function maskTarget(
  target: string,
  shown: string,
  credentials: RequestCredentials,
): Promise<string> {
  const [whole, parts] = [target.split(PARAMETERS), shown.split(PARAMETERS)]
  if (whole.length !== parts.length) return shown
  const masked: string[] = []
  for (const [at, part] of parts.entries()) {
    const [, name = '', value = '', rest = ''] = /^([^=]*=)([^&]*)(&?)$/.exec(whole[at] ?? '') ?? []
    const placed = part.includes(MASK) && value !== '' ? await credentials.place(value) : undefined
    masked.push(placed === undefined ? part : name + placed + rest)
  }
  return masked.join('')
}

/** Splits a target before each parameter. */
const PARAMETERS = /(?<=[?&])/

export interface MaskedBody {
  readonly body: {
    readonly text: string | null
    readonly size_bytes: number
    readonly is_complete: boolean
  }
  readonly isMasked: boolean
}

/** Masks the passwords and tokens of a body. Returns `undefined` for a body that was not kept. */
export function maskKeptBody(
  kept: KeptBytes | undefined,
  isSignIn: boolean,
): MaskedBody | undefined {
  if (kept === undefined) return undefined
  const { sizeBytes } = kept
  const text = textOf(kept)
  const masked = text === undefined ? undefined : maskTokens(maskBody(text, isSignIn))
  return {
    body: { text: masked ?? null, size_bytes: sizeBytes, is_complete: kept.isComplete },
    isMasked: masked !== text,
  }
}

/** Number of characters that remain of a masked token. */
const SHOWN = 8
// Signed tokens, keys of the platform, and the secret of an authenticator app's address.
const TOKENS = /eyJ[\w-]{8,}\.[\w-]+\.[\w-]+|v4\.public\.[\w-]{16,}|sdb_[a-z]+_[\w-]{16,}/g
const APP_SECRET = /([?&]secret=)[^&"\\\s]+/g

// Answers contain keys in members of any name, such as those of a new tenant.
function maskTokens(text: string): string {
  return text
    .replace(TOKENS, (token) => token.slice(0, SHOWN) + MASK)
    .replace(APP_SECRET, `$1${MASK}`)
}

function textOf(kept: KeptBytes): string | undefined {
  if (!kept.isText) return undefined
  const bytes = kept.bytes()
  if (bytes.includes(0)) return undefined
  // A body that was cut off may end in the middle of a character.
  return kept.isComplete ? bytes.toString('utf8') : bytes.toString('utf8').replace(/\uFFFD$/, '')
}
