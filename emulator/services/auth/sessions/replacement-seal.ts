// Encrypts the new refresh token so that only the holder of the old one can read it (docs/wire/auth.md#refresh). A second tab
// gets the same pair within the grace time, and the tables alone reveal no token.
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { IdSource } from '../../../core/id-source.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts with AES-256-GCM and a key derived from the old token. Returns base64url. */
export function sealReplacement(spentToken: string, replacement: string, ids: IdSource): string {
  const nonce = ids.bytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(spentToken), nonce)
  const sealed = Buffer.concat([cipher.update(replacement, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts the result of `sealReplacement`; `undefined` when it was encrypted with another token. */
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

// Must differ from the token digest in the tables, so that the tables do not contain the key.
function keyOf(spentToken: string): Buffer {
  return createHash('sha256').update(`replacement of ${spentToken}`).digest()
}
