// Hashes passwords with scrypt, in the thread pool so that the main thread never blocks.
import { scrypt, timingSafeEqual } from 'node:crypto'
import type { IdSource } from '../../core/id-source.ts'

const SALT_BYTES = 16
const KEY_BYTES = 32
/**
 * Cost of scrypt. 2^12 takes about 8 ms and 4 MB. OWASP's minimum of 2^17 is not needed for local test accounts
 * (docs/decisions.md).
 */
const COST = 4_096

/** Derives a key from a password; slow on purpose, so that guessing is expensive. */
export type KeyDerivation = (password: string, salt: Uint8Array, cost: number) => Promise<Buffer>

/** Computes scrypt of the password in NFKC form. Returns 32 bytes. */
const deriveKey: KeyDerivation = (password, salt, cost) =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { cost }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

/** Returns `scrypt$<cost>$<salt>$<key>`, base64url. */
export async function hashPassword(password: string, ids: IdSource): Promise<string> {
  const salt = ids.bytes(SALT_BYTES)
  const key = await deriveKey(password, salt, COST)
  return ['scrypt', COST, Buffer.from(salt).toString('base64url'), key.toString('base64url')].join(
    '$',
  )
}

/**
 * Compares a password with a hash in constant time, with the cost stored in the hash. A malformed hash never matches, and its
 * check takes as long as that of a valid hash.
 */
export async function matchesPassword(
  password: string,
  hash: string | undefined,
  derive: KeyDerivation = deriveKey,
): Promise<boolean> {
  const [, cost, salt, expected] = (hash ?? '').split('$')
  const key = await derive(
    password,
    Buffer.from(salt ?? 'unknown-account', 'base64url'),
    Number(cost) || COST,
  )
  const wanted = Buffer.from(expected ?? '', 'base64url')
  return wanted.length === key.length && timingSafeEqual(wanted, key)
}
