// Proof Key for Code Exchange (RFC 7636, method S256): only the client that began a sign-in can exchange its code.
import { sha256 } from '@noble/hashes/sha2.js'

export interface PkcePair {
  /** The secret of the sign-in. The client stores it on this device until it exchanges the code. */
  readonly verifier: string
  /** SHA-256 of the verifier in base64url. The client sends the challenge when the sign-in begins. */
  readonly challenge: string
}

/** 32 random bytes make a verifier of 43 characters, the minimum of RFC 7636 §4.1. */
export const VERIFIER_BYTES = 32

/**
 * Creates a verifier and its challenge. `makePkcePair` does not use `crypto.subtle`, because pages without a secure origin lack
 * it.
 */
export function makePkcePair(random: Uint8Array): PkcePair {
  const verifier = toBase64Url(random)
  return { verifier, challenge: toBase64Url(sha256(new TextEncoder().encode(verifier))) }
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
