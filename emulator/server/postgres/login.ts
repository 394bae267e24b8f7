// Authenticates a client with SCRAM-SHA-256 and the project's own password. An unknown user gets the same number of messages and
// the same error (PostgreSQL documentation, "SASL Authentication").
import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { IdSource } from '../../core/id-source.ts'
import type { PostgresLogin, PostgresLogins } from '../../core/postgres-session.ts'
import { saslContinue, saslFinal, saslOffer } from './backend-writer.ts'
import { BODY, type ClientMessage, textAt } from './frontend-reader.ts'
import { PostgresRefusal } from './postgres-refusal.ts'

export interface LoginExchange {
  send(bytes: Buffer): void
  /** Returns the client's next message, or `undefined` when the client left. */
  next(): Promise<ClientMessage | undefined>
}

/** Runs the SASL exchange with the client. @throws {PostgresRefusal} 28P01, 28000, 08P01 */
export async function authenticate(
  user: string,
  { logins, ids }: { readonly logins: PostgresLogins; readonly ids: IdSource },
  exchange: LoginExchange,
): Promise<PostgresLogin | undefined> {
  const login = logins.find(user)
  const unknown = Buffer.from(ids.bytes(32)).toString('base64')
  const password = login?.password ?? unknown
  exchange.send(saslOffer([MECHANISM]))
  const first = await passwordMessage(exchange)
  if (first === undefined) return undefined
  const challenge = challengeFor(
    first,
    password,
    user,
    Buffer.from(ids.bytes(18)).toString('base64'),
  )
  exchange.send(saslContinue(challenge.message))
  const final = await passwordMessage(exchange)
  if (final === undefined) return undefined
  const signature = await challenge.verify(final.toString('utf8', BODY))
  if (signature === undefined || login === undefined)
    throw new PostgresRefusal('28P01', `password authentication failed for user "${user}"`, {
      hint: 'GET /_emulator/v1/info and "tenantry start" show the user and password of each project.',
    })
  exchange.send(saslFinal(signature))
  return login
}

async function passwordMessage(exchange: LoginExchange): Promise<Buffer | undefined> {
  const message = await exchange.next()
  if (message === undefined || message.kind === 'X') return undefined
  if (message.kind === 'p') return message.bytes
  throw new PostgresRefusal('08P01', `expected SASL response, got message type "${message.kind}"`)
}

function challengeFor(
  initial: Buffer,
  password: string,
  user: string,
  nonce: string,
): ScramChallenge {
  const { text: mechanism, next } = textAt(initial, BODY)
  if (mechanism !== MECHANISM)
    throw new PostgresRefusal('08P01', 'client selected an invalid SASL authentication mechanism')
  const salt = createHash('sha256').update(`postgres ${user}`).digest().subarray(0, 16)
  const challenge = scramChallenge(initial.toString('utf8', next + 4), { password, salt, nonce })
  if (challenge === undefined) throw new PostgresRefusal('08P01', 'malformed SCRAM message')
  return challenge
}

// Server side of SCRAM-SHA-256 (RFC 5802, RFC 7677; PostgreSQL documentation, "SASL Authentication"). The server does not offer
// channel binding, which needs TLS.
const MECHANISM = 'SCRAM-SHA-256'

const ITERATIONS = 4_096
const KEY_BYTES = 32
const stretch = promisify(pbkdf2)

interface ScramSecrets {
  /** The user's password. For an unknown user use any text, so that the exchange looks the same. */
  readonly password: string
  /** The salt must be the same for every attempt of a user. */
  readonly salt: Uint8Array
  /** The server's nonce: base64 text, new for every attempt. */
  readonly nonce: string
}

interface ScramChallenge {
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
