// The Postgres port for psql, graphical clients and migration tools. Each client connects as the owner of one project. All
// clients share the engine's one session.
import { createServer } from 'node:net'
import type { Clock } from '../core/clock.ts'
import type { IdSource } from '../core/id-source.ts'
import type { Observer } from '../core/observation.ts'
import type { PostgresLogins } from '../core/postgres-session.ts'
import { hostInUrl, type Listening, openPort } from './listening.ts'
import { ClientConnection } from './postgres/client-connection.ts'
import { PostgresRefusal } from './postgres/postgres-refusal.ts'

export interface PostgresPortDeps {
  readonly logins: PostgresLogins
  readonly clock: Clock
  readonly wallClock: Clock
  readonly ids: IdSource
  readonly observe: Observer
}

/** Maximum number of clients that are logged in at once. */
const MAX_CLIENTS = 100
/**
 * Maximum number of connections without a login. Each connection may take 30 seconds to log in. A further connection closes the
 * oldest one.
 */
const MAX_LOGGING_IN = 100

/** Listens on an address; port 0 means a free port. @throws {ListenError} */
export async function listenPostgres(
  deps: PostgresPortDeps,
  at: { readonly port: number; readonly host: string },
): Promise<Listening> {
  const clients = new Map<number, ClientConnection>()
  // Connections without a login, in order of arrival.
  const loggingIn = new Map<number, ClientConnection>()
  const served = new Set<Promise<void>>()
  let processId = 0

  const server = createServer((socket) => {
    const [oldest] = loggingIn.size >= MAX_LOGGING_IN ? loggingIn.values() : []
    oldest?.end(new PostgresRefusal('53300', CROWDED))
    if (oldest !== undefined) loggingIn.delete(oldest.processId)
    const connection = new ClientConnection(socket, ++processId, {
      ...deps,
      admit: () => {
        if (clients.size >= MAX_CLIENTS)
          throw new PostgresRefusal('53300', 'sorry, too many clients already')
        loggingIn.delete(connection.processId)
        clients.set(connection.processId, connection)
      },
      cancel: (id, secret) => {
        const client = clients.get(id)
        if (client?.secret === secret) client.cancel()
      },
    })
    loggingIn.set(connection.processId, connection)
    const serving = connection.serve().finally(() => {
      loggingIn.delete(connection.processId)
      clients.delete(connection.processId)
      served.delete(serving)
    })
    served.add(serving)
  })
  deps.logins.onRevoked((schemaName) => {
    for (const client of clients.values())
      if (schemaName === undefined || client.schemaName === schemaName)
        client.end(new PostgresRefusal('57P01', REVOKED))
  })
  const port = await openPort(server, at, '--postgres-port')
  return {
    port,
    host: at.host,
    url: postgresUrl({ host: at.host, port }),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const client of [...loggingIn.values(), ...clients.values()])
        client.end(new PostgresRefusal('57P01', CLOSED))
      await Promise.all(served)
      await closed
    },
  }
}

/** The address without a project's user and password. */
export function postgresUrl({ host, port }: Pick<Listening, 'host' | 'port'>): string {
  return `postgresql://${hostInUrl(host)}:${port}`
}

const REVOKED = 'terminating connection: the project went offline or its keys were replaced'
const CROWDED = 'connection closed: too many connections have not logged in yet'
const CLOSED = 'terminating connection due to administrator command'
