// What the server engine needs to know about its server: the address, facts, and when the server is down. A native server
// (native/) and a given one (given-server.ts) implement it.
import type { ConnectionOptions } from 'node:tls'
import { EmulatorError } from '../../../core/errors.ts'

/** How the platform's own account connects. Never log or store it, because it contains the password. */
export interface ServerAddress {
  /** Host name, IP address, or the absolute path of the folder with the server's Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** The database in which the platform creates and drops other databases. */
  readonly database: string
  /** TLS options of Node and `pg`. Absent: the connection is not encrypted. */
  readonly ssl?: boolean | ConnectionOptions
}

/** Something that the platform's account may not do on this server. */
export interface MissingCapability {
  readonly capability: string
  /** One sentence for the terminal. */
  readonly consequence: string
}

export interface ServerFacts {
  /** Major version: 17 or 18. */
  readonly majorVersion: number
  /** Version as the server writes it, such as `18.4`. */
  readonly version: string
  /** Identifies the cluster whatever its address (`pg_control_system()`). Absent when the account may not read it. */
  readonly systemIdentifier: string | undefined
  readonly isSuperuser: boolean
  /** Whether the account has BYPASSRLS, so that it can create roles that have it. */
  readonly bypassesRls: boolean
  /** Connections that the account may open at once: `max_connections` without the reserved ones. */
  readonly connectionLimit: number
  readonly missing: readonly MissingCapability[]
}

export interface RunningServer {
  /** The port can change when the server starts again. */
  readonly address: ServerAddress
  /** Where other programs of this machine connect, such as psql: a host and port without credentials. */
  readonly clientAddress: { readonly host: string; readonly port: number }
  /** 32 bytes that belong to the data directory. The passwords of the projects' logins derive from them. */
  readonly secret: Uint8Array
  /** Starts the names of databases. Empty on a native server, because it belongs to one data directory. */
  readonly prefix: string
  readonly facts: ServerFacts
  /** Number of times that the server was started again because it had died. Always 0 for a given server. */
  readonly restarts: number
  /** Present while the server is known to be down: why, and in how many seconds the next attempt to start it follows. */
  readonly down: { readonly reason: string; readonly retryAfterSeconds: number } | undefined
  /**
   * Calls `listener` when the server has died. All its connections are lost. Returns a function that ends the calls. While
   * the server starts again, `down` is present.
   */
  onDown(listener: (reason: string) => void): () => void
  /** Stops a native server. A given server keeps running. */
  close(): Promise<void>
}

export type ServerErrorCode =
  | 'server_not_installed'
  | 'server_refused'
  | 'server_unreachable'
  | 'server_not_started'

/** The server cannot be used. The message is shown in the terminal and never contains a password. */
export class ServerError extends EmulatorError {
  override readonly code: ServerErrorCode

  constructor(
    code: ServerErrorCode,
    message: string,
    facts: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, facts)
    this.code = code
  }
}
