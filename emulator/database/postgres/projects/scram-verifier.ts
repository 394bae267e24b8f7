// What a server stores for a password (RFC 5803, PostgreSQL documentation, "pg_authid"). Computing it here keeps passwords out
// of the server's log, and lets the platform choose the number of iterations. Pure.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'

const KEY_BYTES = 32
const SALT_BYTES = 16

/**
 * @param iterations repeated hashing slows down guesses, which a password with 256 random bits does not need. Some clients
 * refuse fewer than 4096.
 */
export function scramVerifier(login: string, password: string, iterations: number): string {
  // The same password has the same verifier, so that repeating it changes nothing.
  const salt = hmac(Buffer.from(password), `salt of ${login}`).subarray(0, SALT_BYTES)
  const salted = pbkdf2Sync(password, salt, iterations, KEY_BYTES, 'sha256')
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64')
  const serverKey = hmac(salted, 'Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
