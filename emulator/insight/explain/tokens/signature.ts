// Checks whether this emulator signed a token, regardless of its claims and expiry.
import type { TokenExplanation } from '../../../contract/tokens.ts'
import { isJsonObject } from '../../../core/json.ts'
import { epochMillis } from '../../../core/time.ts'
import { CredentialError } from '../../../platform/credentials/credential-error.ts'
import type { SigningKeys } from '../../../platform/credentials/signing-keys.ts'
import type { TokenText } from './token-text.ts'

export type Signature = TokenExplanation['signature']

/** A time before every token's expiry, so that expired tokens pass the signature check. */
const BEFORE_ALL = epochMillis(0)

export async function signatureOf(signingKeys: SigningKeys, token: TokenText): Promise<Signature> {
  const { form, header, text } = token
  if (form === 'opaque') return 'not_signed'
  if (form === 'paseto')
    return (await holds(() => signingKeys.verifyPaseto(text, BEFORE_ALL))) ? 'valid' : 'invalid'
  switch (header?.['alg']) {
    case 'ES256':
      if (header['kid'] !== ownKeyId(signingKeys)) return 'unknown_key'
      return (await holds(() => signingKeys.verifyEs256(text))) ? 'valid' : 'invalid'
    case 'HS256':
      return signatureOfServiceToken(signingKeys, text)
    case 'none':
      return 'not_signed'
    default:
      return 'unknown_key'
  }
}

async function signatureOfServiceToken(signingKeys: SigningKeys, text: string): Promise<Signature> {
  for (const secret of ['storage', 'realtime'] as const)
    if (await holds(() => signingKeys.verifyHs256(secret, text))) return 'valid'
  return 'invalid'
}

async function holds(verify: () => Promise<unknown>): Promise<boolean> {
  try {
    await verify()
    return true
  } catch (error) {
    if (error instanceof CredentialError) return false
    throw error
  }
}

function ownKeyId(signingKeys: SigningKeys): unknown {
  const keys = signingKeys.jwks()['keys']
  const [key] = Array.isArray(keys) ? keys : []
  return isJsonObject(key) ? key['kid'] : undefined
}
