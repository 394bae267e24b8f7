// What a server stores for a password (RFC 5803, PostgreSQL documentation, "pg_authid"). Computing it here keeps passwords out
// of the server's log, and lets the platform choose the number of iterations. Pure.
import { createHash, createHmac, pbkdf2, pbkdf2Sync } from 'node:crypto'
import { promisify } from 'node:util'

const hashLater = promisify(pbkdf2)

const KEY_BYTES = 32
const SALT_BYTES = 16

// Some clients of users refuse fewer iterations (RFC 7677 §4). Tenantry's own connections need no more than one, because a
// password with 256 random bits cannot be guessed.
const CLIENT_ITERATIONS = 4096
const OWN_ITERATIONS = 1

/** The verifier of a login that only Tenantry uses. */
export function ownVerifier(login: string, password: string): string {
  const salt = saltOf(login, password)
  return verifier(pbkdf2Sync(password, salt, OWN_ITERATIONS, KEY_BYTES, 'sha256'), {
    salt,
    iterations: OWN_ITERATIONS,
  })
}

/** The verifier of a login that programs of the user use. */
export async function clientVerifier(login: string, password: string): Promise<string> {
  const salt = saltOf(login, password)
  return verifier(await hashLater(password, salt, CLIENT_ITERATIONS, KEY_BYTES, 'sha256'), {
    salt,
    iterations: CLIENT_ITERATIONS,
  })
}

// The same password has the same verifier, so that repeating it changes nothing.
function saltOf(login: string, password: string): Buffer {
  return hmac(Buffer.from(password), `salt of ${login}`).subarray(0, SALT_BYTES)
}

function verifier(
  salted: Buffer,
  { salt, iterations }: { readonly salt: Buffer; readonly iterations: number },
): string {
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64')
  const serverKey = hmac(salted, 'Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
