// The port between the Postgres server and the engine: logins, and sessions that exchange messages of Postgres's protocol 3.0.
// server/postgres-port.ts uses it; the engine implements sessions.
import type { EmulatorError } from './errors.ts'

/** The login of a user name. */
export interface PostgresLogin {
  readonly schemaName: string
  /** The client's role, which it cannot change. */
  readonly role: string
  readonly password: string
  /**
   * Opens a session.
   * @param settings from the client's startup message, e.g. `application_name`
   * @throws {EmulatorError} with an SQLSTATE as its code
   */
  open(settings: Readonly<Record<string, string>>, events: SessionEvents): Promise<PostgresSession>
}

export interface PostgresLogins {
  /** `undefined` for an unknown user name. */
  find(user: string): PostgresLogin | undefined
  /** Calls back with projects whose clients must be disconnected. */
  onRevoked(listener: (schemaName: string | undefined) => void): void
}

/** Events of a session that its client did not cause. */
export interface SessionEvents {
  /** The session has ended and its open transaction was rolled back. */
  onExpired(error: EmulatorError): void
  /** The running turn waits for data of COPY FROM STDIN. */
  onStarved(): void
}

export type Write = (messages: Uint8Array) => Promise<void> | undefined

/** A client's session with its settings, prepared statements and transaction. It runs one turn at a time. */
export interface PostgresSession {
  /** The server's parameters for the client's start (ParameterStatus). */
  readonly parameters: ReadonlyMap<string, string>
  /**
   * Runs a turn: frontend messages in order. Writes the answers as they arrive. While its transaction is open no other
   * statements run.
   * @param write returns a promise while the client has not read earlier output; a long answer waits for it
   * @throws {EmulatorError} with an SQLSTATE as its code when the session has ended
   */
  run(messages: Uint8Array, write: Write): Promise<TurnEnd>
  /** Passes data of COPY FROM STDIN to the running turn. Settles when the data was taken or the turn has ended. */
  feed(messages: Uint8Array): Promise<void>
  /** Cancels the running turn: its statement fails with SQLSTATE 57014. */
  cancel(): void
  /** Rolls back an open transaction and ends the session. */
  close(): Promise<void>
}

export interface TurnEnd {
  /** `pipeline`: the client has not sent Sync yet. */
  readonly state: 'idle' | 'transaction' | 'failed' | 'pipeline'
  /** The first error that the client got. */
  readonly error: { readonly code: string; readonly message: string } | undefined
  /** The last command tag, e.g. `INSERT 0 3`. */
  readonly commandTag: string | undefined
}
