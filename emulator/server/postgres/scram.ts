// Server side of SCRAM-SHA-256 (RFC 5802, RFC 7677; PostgreSQL documentation, "SASL Authentication"). The server does not offer
// channel binding, which needs TLS.
import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

export const MECHANISM = 'SCRAM-SHA-256'

const ITERATIONS = 4_096
const KEY_BYTES = 32
const stretch = promisify(pbkdf2)

export interface ScramSecrets {
  /** The user's password. For an unknown user use any text, so that the exchange looks the same. */
  readonly password: string
  /** The salt must be the same for every attempt of a user. */
  readonly salt: Uint8Array
  /** The server's nonce: base64 text, new for every attempt. */
  readonly nonce: string
}

export interface ScramChallenge {
  /** The server's first message. */
  readonly message: string
  /** Returns the server's last message, or `undefined` when the client's password is wrong. */
  verify(clientFinal: string): Promise<string | undefined>
}

/** Answers the client's first message. Returns `undefined` when the message is invalid. */
export function scramChallenge(
  clientFirst: string,
  { password, salt, nonce }: ScramSecrets,
): ScramChallenge | undefined {
  // The message has a gs2 header (no channel binding), then `n=user,r=nonce`.
  const found = /^([ny],[^,]*,)(n=[^,]*,r=([\x21-\x2b\x2d-\x7e]+)(?:,.*)?)$/s.exec(clientFirst)
  const [, header, bare, clientNonce] = found ?? []
  if (header === undefined || bare === undefined || clientNonce === undefined) return undefined
  const fullNonce = clientNonce + nonce
  const salted = Buffer.from(salt).toString('base64')
  const message = `r=${fullNonce},s=${salted},i=${ITERATIONS}`
  return {
    message,
    verify: async (clientFinal) => {
      const final = /^(c=([^,]*),r=([^,]*)(?:,.*)?),p=([^,]*)$/s.exec(clientFinal)
      const [, withoutProof, binding = '', repeatedNonce, proofText = ''] = final ?? []
      const isBound = Buffer.from(binding, 'base64').toString() === header
      if (withoutProof === undefined || repeatedNonce !== fullNonce || !isBound) return undefined
      const key = await stretch(password.normalize('NFKC'), salt, ITERATIONS, KEY_BYTES, 'sha256')
      const clientKey = hmac(key, 'Client Key')
      const signed = `${bare},${message},${withoutProof}`
      const signature = hmac(hash(clientKey), signed)
      const expected = Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0)))
      const proof = Buffer.from(proofText, 'base64')
      if (proof.length !== expected.length || !timingSafeEqual(proof, expected)) return undefined
      return `v=${hmac(hmac(key, 'Server Key'), signed).toString('base64')}`
    },
  }
}

function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function hash(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
