// Opens a connection to a server: `pg` makes the socket, TLS and SCRAM. Then the socket is taken over, so that replies stay
// bytes. Also sends cancel requests (PostgreSQL documentation, "Canceling Requests in Progress").
import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { ServerAddress } from '../server/running-server.ts'

/** An authenticated connection that is ready for a query. */
export interface OpenedSocket {
  readonly stream: Duplex
  /** The process that serves the connection, and the key of its cancel requests. */
  readonly processId: number
  readonly secretKey: number
}

const CONNECT_WITHIN_MILLIS = 10_000
const CANCEL_REQUEST_CODE = 80_877_102

/** @param options settings of the session in libpq's form, `-c name=value` @throws the error of `pg`, or of the socket */
export async function logIn(address: ServerAddress, options?: string): Promise<OpenedSocket> {
  const client = new pg.Client({
    ...address,
    application_name: 'tenantry',
    connectionTimeoutMillis: CONNECT_WITHIN_MILLIS,
    keepAlive: true,
    ...(options === undefined ? {} : { options }),
  })
  // Ignores errors that `pg` reports here, because the connection's owner gets the same errors from the stream.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
  const { processID, secretKey } = client as unknown as { processID: number; secretKey: number }
  const { stream } = client.connection
  stream.removeAllListeners('data')
  return { stream, processId: processID, secretKey }
}

interface PlainConnection {
  readonly stream: Duplex
  connect(port: number | string, host?: string): void
  requestSsl(): void
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void
}

/** Asks the server to cancel what the connection runs. Resolves when the server has sent the signal, or cannot be reached. */
export function requestCancel(
  address: ServerAddress,
  { processId, secretKey }: OpenedSocket,
): Promise<void> {
  const { host, port, ssl } = address
  const request = Buffer.alloc(16)
  for (const [place, word] of [16, CANCEL_REQUEST_CODE, processId, secretKey].entries())
    request.writeInt32BE(word, 4 * place)
  return new Promise((resolve) => {
    const connection = new pg.Connection({ ssl }) as unknown as PlainConnection
    connection.on('connect', () => {
      if (ssl === undefined || ssl === false) connection.stream.write(request)
      else connection.requestSsl()
    })
    connection.on('sslconnect', () => connection.stream.write(request))
    connection.on('error', resolve)
    connection.on('end', resolve)
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}
