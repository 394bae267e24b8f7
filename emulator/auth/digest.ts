// Secrets are kept as digests: whoever reads the tables cannot use them (docs/wire/credentials.md#data-plane-token).
import { createHash } from 'node:crypto'

/** SHA-256 of a secret's text in base64url. Secrets drawn by us carry 256 random bits: nothing slower is needed. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
