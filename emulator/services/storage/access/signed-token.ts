// Verifies HS256 tokens issued by storage: storage tokens and the tokens of signed URLs. Error messages are those of the JWT
// library that upstream uses (docs/wire/storage.md#signed-tokens).
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import { type EpochMillis, toEpochSeconds } from '../../../core/time.ts'
import { CredentialError } from '../../../platform/credentials/credential-error.ts'
import type { SigningKeys } from '../../../platform/credentials/signing-keys.ts'

export type TokenReading =
  | { readonly kind: 'sound'; readonly claims: JsonObject; readonly header: JsonObject }
  /** The token is invalid; `message` is upstream's text. */
  | { readonly kind: 'flawed'; readonly message: string }
  /** A JWT with another algorithm, such as one of the platform's own keys. */
  | { readonly kind: 'foreign' }

/** Checks the token's format and signature, but not its expiry. */
export async function readSignedToken(
  signingKeys: SigningKeys,
  text: string,
): Promise<TokenReading> {
  const parts = text.split('.')
  if (parts.length !== 3) return flawed('Invalid Compact JWS')
  const header = parseJson(Buffer.from(parts[0] ?? '', 'base64url').toString())
  if (!isJsonObject(header)) return flawed('JWS Protected Header is invalid')
  if (header['alg'] === 'ES256') return { kind: 'foreign' }
  try {
    const { claims } = await signingKeys.verifyHs256('storage', text)
    return { kind: 'sound', claims, header }
  } catch (error) {
    if (error instanceof CredentialError) return flawed('signature verification failed')
    throw error
  }
}

/** Whether the claim `exp` is missing or in the past. The matching error message is EXPIRED. */
export function isExpired(claims: JsonObject, now: EpochMillis): boolean {
  const expiry = claims['exp']
  return typeof expiry !== 'number' || toEpochSeconds(now) >= expiry
}

export const EXPIRED = '"exp" claim timestamp check failed'

function flawed(message: string): TokenReading {
  return { kind: 'flawed', message }
}
