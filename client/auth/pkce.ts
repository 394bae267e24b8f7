// Proof Key for Code Exchange (RFC 7636, method S256): only the client that began a sign-in can exchange its code.
import { sha256 } from '@noble/hashes/sha2.js'

export interface PkcePair {
  /** Stored on this device until the code is exchanged. */
  readonly verifier: string
  /** Sent when the sign-in begins: SHA-256 of the verifier, base64url. */
  readonly challenge: string
}

/** 32 random bytes make a verifier of 43 characters, the minimum of RFC 7636 §4.1. */
export const VERIFIER_BYTES = 32

/** Creates a verifier and its challenge. Does not use `crypto.subtle`, which pages without a secure origin lack. */
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
