// Measures sign-ins of end users beside the password hashing alone, and refreshes of one session per connection. Uses 1 and 4
// connections.
import { SystemIdSource } from '../../emulator/core/id-source.ts'
import { hashPassword, matchesPassword } from '../../emulator/platform/credentials/password-hash.ts'
import { type BenchConnection, openConnection, requestText } from './http-client.ts'
import { closedLoop, type Loop } from './measure.ts'
import { type BenchServer, manage } from './server.ts'

export interface SignInFigures {
  readonly cells: readonly SignInCell[]
  /** CPU milliseconds to compare one password with its hash. */
  readonly hashMillis: number
}

export interface SignInCell {
  readonly connections: number
  readonly signIn: Loop
  readonly refresh: Loop
  /** Only password comparisons, in a separate process, with the same number of parallel lanes. */
  readonly hashing: Loop
}

const CONNECTIONS = 4
const CELL_MILLIS = 3_000
const PASSWORD = 'correct horse'
const HASHES = 20

type Ask = (path: string, body: object, lane: number) => Promise<Readonly<Record<string, string>>>

export async function measureSignIn(server: BenchServer): Promise<SignInFigures> {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection('127.0.0.1', server.port)),
  )
  const ask = asker(connections, await makeProject(server))
  const emails = connections.map((_, lane) => `user${lane}@bench.test`)
  const tokens = await Promise.all(
    emails.map(async (email, lane) => {
      const session = await ask('/signup', { email, password: PASSWORD }, lane)
      return session['refresh_token'] ?? ''
    }),
  )
  const hash = await hashPassword(PASSWORD, new SystemIdSource())
  const cells: SignInCell[] = []
  for (const count of [1, CONNECTIONS]) {
    const signIn = await closedLoop(count, CELL_MILLIS, async (lane) => {
      await ask('/signin', { email: emails[lane], password: PASSWORD }, lane)
    })
    const refresh = await closedLoop(count, CELL_MILLIS, async (lane) => {
      const session = await ask('/token/refresh', { refresh_token: tokens[lane] }, lane)
      tokens[lane] = session['refresh_token'] ?? ''
    })
    const hashing = await closedLoop(count, CELL_MILLIS, async () => {
      await matchesPassword(PASSWORD, hash)
    })
    cells.push({ connections: count, signIn, refresh, hashing })
  }
  for (const connection of connections) connection.close()
  return { cells, hashMillis: await costOfHashing(hash) }
}

async function costOfHashing(hash: string): Promise<number> {
  const before = process.cpuUsage()
  for (let turn = 0; turn < HASHES; turn += 1) await matchesPassword(PASSWORD, hash)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / HASHES
}

async function makeProject(server: BenchServer): Promise<string> {
  const project = await manage<{ anon_key: string }>(
    server,
    server.ready.platform.session_token,
    'POST',
    '/platform/v1/projects',
    { name: 'Bench of sign-in', slug: 'signinbench', plan: 'scale' },
  )
  return project.anon_key
}

function asker(connections: readonly BenchConnection[], anonKey: string): Ask {
  const headers = { apikey: anonKey, 'content-type': 'application/json' }
  return async (path, body, lane) => {
    const request = requestText('POST', `/auth/v1${path}`, headers, JSON.stringify(body))
    const answer = await connections[lane]?.send(request)
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.body}`)
    return JSON.parse(answer.body) as Readonly<Record<string, string>>
  }
}
