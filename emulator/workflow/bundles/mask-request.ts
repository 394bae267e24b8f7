// Masks the secrets of a recorded request for a bundle. Credentials that the bundled state can issue again become placeholders.
import type { KeptBytes } from '../../insight/journal/recording/kept-bytes.ts'
import { maskHeader } from '../../platform/secrets/mask-header.ts'
import { maskAddress } from '../../platform/secrets/mask-parameters.ts'
import { type Masking, shortened } from '../../platform/secrets/masking.ts'
import { type SignInScope, scopeOf } from '../../platform/secrets/secret-names.ts'
import { shownBody } from '../../platform/secrets/shown-secrets.ts'
import { type BundledCredentials, type NamedCredential, unsigned } from './named-credential.ts'

/** A placeholder in headers and targets, with the credential's index in `named`. */
export const PLACEHOLDER: RegExp = /credential~(\d+)/g

/** The credentials of one request. */
export interface RequestCredentials {
  readonly named: NamedCredential[]
  /** Returns the text that replaces the credential. Returns `undefined` for a text that must be masked. */
  place(text: string): Promise<string | undefined>
}

export function credentialsOfRequest(known: BundledCredentials): RequestCredentials {
  const named: NamedCredential[] = []
  return {
    named,
    place: async (text) => {
      const found = await known.name(text)
      // A token of another platform keeps its claims, so that the opened bundle explains the refusal in the same way.
      if (found === undefined) return unsigned(text)
      named.push(found)
      return `credential~${named.length - 1}`
    },
  }
}

export async function maskHeaders(
  headers: Iterable<[name: string, value: string]>,
  credentials: RequestCredentials,
): Promise<[string, string][]> {
  const masked: [string, string][] = []
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    const text = await placed(IN_HEADERS, credentials, (masking) =>
      maskHeader(name, value, masking),
    )
    masked.push([name, text])
  }
  return masked
}

/** An address in a header can have the parameters `code` and `state` of a sign-in. */
const IN_HEADERS: SignInScope = { inMembers: false, inParameters: true }

/** Replaces the credentials in a target by placeholders, and masks all other secrets. */
export function maskTarget(target: string, credentials: RequestCredentials): Promise<string> {
  return placed(scopeOf(target, 'request'), credentials, (masking) => maskAddress(target, masking))
}

// The mask functions are synchronous, but naming a credential is not. So the text is masked twice: to find its secrets, and to
// replace them.
async function placed(
  signIn: SignInScope,
  credentials: RequestCredentials,
  mask: (masking: Masking) => string,
): Promise<string> {
  const secrets = new Set<string>()
  const note = (secret: string): string => {
    secrets.add(secret)
    return secret
  }
  mask({ signIn, replace: note })
  const places = new Map<string, string>()
  for (const secret of secrets) {
    const place = await credentials.place(secret.trim())
    if (place !== undefined) places.set(secret, place)
  }
  return mask({ signIn, replace: (secret) => places.get(secret) ?? shortened(secret) })
}

export interface MaskedBody {
  readonly body: {
    readonly text: string | null
    readonly size_bytes: number
    readonly is_complete: boolean
  }
  readonly isMasked: boolean
}

/**
 * Masks the passwords and tokens of a body. Returns `undefined` for a body that was not kept.
 * @param type the header `Content-Type`
 */
export function maskKeptBody(
  kept: KeptBytes | undefined,
  type: string | null,
  signIn: SignInScope,
): MaskedBody | undefined {
  if (kept === undefined) return undefined
  const { sizeBytes } = kept
  const text = textOf(kept)
  const masked = text === undefined ? undefined : shownBody({ text, type, signIn })
  return {
    body: { text: masked ?? null, size_bytes: sizeBytes, is_complete: kept.isComplete },
    isMasked: masked !== text,
  }
}

function textOf(kept: KeptBytes): string | undefined {
  if (!kept.isText) return undefined
  const bytes = kept.bytes()
  if (bytes.includes(0)) return undefined
  // A body that was cut off may end in the middle of a character.
  return kept.isComplete ? bytes.toString('utf8') : bytes.toString('utf8').replace(/\uFFFD$/, '')
}
