// One emulator with Postgres addresses of two tenants, and their clients: `pg`, psql, and bare sockets. On a server, addresses
// are the server's own, and the emulator's Postgres port is not used.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import pg from 'pg'
import type { EmulatorConfig } from '../../emulator/index.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from './test-emulator.ts'

/** Path of psql; `undefined` when this machine does not have psql. */
export const PSQL = ['/usr/bin/psql', '/usr/local/bin/psql', '/opt/homebrew/bin/psql'].find(
  (path) => existsSync(path),
)

/** A part of the title of skipped tests. */
export const PSQL_HINT =
  PSQL === undefined ? ' (skipped: no psql here; "apt-get install postgresql-client")' : ''

export interface PostgresWorld extends AsyncDisposable {
  readonly at: TestEmulator
  readonly port: number
  readonly tenant: TestTenant
  readonly other: TestTenant
  readonly url: string
  readonly otherUrl: string
  /** Connects a client. The client ends at the latest with the world. */
  client(options?: pg.ClientConfig): Promise<pg.Client>
  /**
   * Ends all clients. Tests that leave clients open call this function, because a server accepts only few connections of a
   * project.
   */
  endClients(): Promise<void>
  /** Reads rows of a table over REST with the service_role key. */
  rest(path: string): Promise<Json>
  psql(input: string, ...args: readonly string[]): Promise<PsqlOutcome>
  /** Opens a socket that has sent nothing yet. */
  socket(): Promise<BareClient>
}

export interface PsqlOutcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface BareClient {
  readonly socket: Socket
  /** Everything received so far, as text. */
  received(): string
  isClosed(): boolean
}

export async function startPostgresWorld(
  sql = '',
  config: EmulatorConfig = {},
): Promise<PostgresWorld> {
  const at = await startTestEmulator(config)
  const { port } = await at.emulator.listenPostgres({ port: 0, host: '127.0.0.1' })
  const group = await createGroup(at, 'vendor', { sql })
  const tenant = await provisionTenant(at, group, 'north')
  const other = await provisionTenant(at, group, 'south')
  const { groups } = await at.emulator.ready(at.url)
  const urlOf = (slug: string): string =>
    groups.flatMap(({ tenants }) => tenants).find((each) => each.slug === slug)?.postgres_url ?? ''
  const clients: pg.Client[] = []
  const sockets: Socket[] = []
  const url = urlOf('north')
  const endClients = async (): Promise<void> => {
    await Promise.all(clients.splice(0).map((client) => client.end()))
  }
  return {
    at,
    port,
    tenant,
    other,
    url,
    otherUrl: urlOf('south'),
    client: async (options = {}) => {
      const client = new pg.Client({ connectionString: url, ...options })
      client.on('error', () => {})
      clients.push(client)
      await client.connect()
      return client
    },
    endClients,
    rest: async (path) => {
      const answer = await at.call('GET', path, {
        credential: tenant.serviceRoleKey,
        headers: { apikey: tenant.anonKey, 'accept-profile': tenant.schemaName },
      })
      return answer.body
    },
    psql: (input, ...args) => runPsql(url, input, args),
    socket: async () => {
      const bare = bareClient(port)
      sockets.push(bare.socket)
      await new Promise((resolve) => bare.socket.once('connect', resolve))
      return bare
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await endClients()
      await at[Symbol.asyncDispose]()
    },
  }
}

function runPsql(url: string, input: string, args: readonly string[]): Promise<PsqlOutcome> {
  return new Promise((resolve) => {
    const child = execFile(
      PSQL ?? 'psql',
      ['-X', '-v', 'VERBOSITY=verbose', ...args, url],
      { env: { ...process.env, PAGER: 'cat', LC_ALL: 'C.UTF-8' } },
      (error, out, err) => {
        const code = typeof error?.code === 'number' ? error.code : 0
        resolve({ code, out, err })
      },
    )
    child.stdin?.end(input)
  })
}

function bareClient(port: number): BareClient {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let isClosed = false
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  return { socket, received: () => received, isClosed: () => isClosed }
}
