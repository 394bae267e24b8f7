// Authenticates a client with SCRAM-SHA-256 and the project's own password. An unknown user gets the same number of messages and
// the same error (PostgreSQL documentation, "SASL Authentication").
import { createHash } from 'node:crypto'
import type { IdSource } from '../../core/id-source.ts'
import type { PostgresLogin, PostgresLogins } from '../../core/postgres-session.ts'
import { saslContinue, saslFinal, saslOffer } from './backend-writer.ts'
import { BODY, type ClientMessage, textAt } from './frontend-reader.ts'
import { PostgresRefusal } from './postgres-refusal.ts'
import { MECHANISM, type ScramChallenge, scramChallenge } from './scram.ts'

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
