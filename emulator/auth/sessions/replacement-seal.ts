// What a refresh token was rotated into, kept so that only the holder of the old token can open it: a second tab gets the
// same pair within the grace time, while the tables alone reveal no token (docs/wire/auth.md#refresh).
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { IdSource } from '../../core/id-source.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals with AES-256-GCM under a key derived from the spent token; gives base64url. */
export function sealReplacement(spentToken: string, replacement: string, ids: IdSource): string {
  const nonce = ids.bytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(spentToken), nonce)
  const sealed = Buffer.concat([cipher.update(replacement, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Opens what `sealReplacement` gave; `undefined` when the token is not the one it was sealed with. */
export function openReplacement(spentToken: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const text = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyOf(spentToken),
      bytes.subarray(0, NONCE_BYTES),
    )
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

// Domain-separated from the digest that is stored: that one must not be the key.
function keyOf(spentToken: string): Buffer {
  return createHash('sha256').update(`replacement of ${spentToken}`).digest()
}
