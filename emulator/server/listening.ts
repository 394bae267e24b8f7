// A listening socket, and the error for an unavailable address.
import type { Server } from 'node:net'
import { EmulatorError } from '../core/errors.ts'

/** An open port. */
export interface Listening {
  readonly port: number
  readonly host: string
  /** Address for clients of this machine, without a path: `http://…`, or `postgresql://…` of a Postgres port. */
  readonly url: string
  /** Accepts no more connections, ends the open ones and waits until they are closed. */
  close(): Promise<void>
}

/** Error code for an address on which the emulator cannot listen. */
export type ListenErrorCode =
  | 'port_taken'
  | 'port_forbidden'
  | 'address_unavailable'
  | 'listen_failed'

/** The error for an address on which the emulator cannot listen. */
export class ListenError extends EmulatorError {
  override readonly code: ListenErrorCode

  constructor(code: ListenErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** A free port for clients of this machine. */
export const LOOPBACK: { readonly port: number; readonly host: string } = {
  port: 0,
  host: '127.0.0.1',
}

/** Formats the host for a URL. Replaces a wildcard with 127.0.0.1, because clients cannot call a wildcard. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Opens the port of a server and returns its number.
 * @param option name of the command-line option for the port
 * @throws {ListenError}
 */
export async function openPort(
  server: Server,
  at: { readonly port: number; readonly host: string },
  option: string,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, at, option)))
    server.listen(at.port, at.host, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : at.port
}

function listenError(
  error: Error & { code?: string },
  { port, host }: { readonly port: number; readonly host: string },
  option: string,
): ListenError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenError(
        'port_taken',
        `Port ${port} on ${host} is already in use. Stop the other program or choose another port with ${option} (0 takes a free one).`,
      )
    case 'EACCES':
      return new ListenError(
        'port_forbidden',
        `This user may not open port ${port}. Choose a port above 1023 with ${option}.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenError(
        'address_unavailable',
        `${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`,
      )
    default:
      return new ListenError(
        'listen_failed',
        `Cannot listen on ${host}:${port}: ${error.message}.`,
        error,
      )
  }
}
