// Checks Proof Key for Code Exchange, with the method S256 only (RFC 7636; docs/wire/auth.md#social). Pure.
import { digestOf } from '../auth-tables.ts'
import { AuthError } from '../errors.ts'

/** Matches a code challenge (RFC 7636 §4.2) in base64url, which has no `.` and no `~`. */
const CHALLENGE = /^[A-Za-z0-9_-]{43,128}$/

/** Checks the PKCE parameters of /authorize and returns the challenge. @throws {AuthError} `invalid_pkce` */
export function parseChallenge(challenge: string | undefined, method: string | undefined): string {
  if (challenge === undefined) throw refused('code_challenge is missing.')
  if (!CHALLENGE.test(challenge))
    throw refused('code_challenge is not 43 to 128 characters of base64url.')
  if (method !== 'S256') throw refused('code_challenge_method is not S256.')
  return challenge
}

/** Returns the challenge of a verifier, which is its SHA-256 in base64url without padding (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return digestOf(verifier)
}

function refused(problem: string): AuthError {
  return new AuthError('invalid_pkce', problem, {
    hint: 'Keep a random code_verifier, and send base64url(SHA-256(code_verifier)) as code_challenge with code_challenge_method=S256.',
  })
}
