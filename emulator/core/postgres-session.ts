// Interface between the Postgres server and the engine: logins, and sessions that exchange messages of Postgres's protocol 3.0.
// server/postgres-port.ts calls it; the engine implements the sessions.
import type { EmulatorError } from './errors.ts'

/** The role and password that belong to a user name. */
export interface PostgresLogin {
  readonly schemaName: string
  /** The client's role. The client cannot change this role. */
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
  /** Calls the listener with the project whose clients must be disconnected; `undefined` means all projects. */
  onRevoked(listener: (schemaName: string | undefined) => void): void
}

/** Callbacks for events that the client did not cause. */
export interface SessionEvents {
  /** Called when the engine has ended the session and rolled back its open transaction. */
  onExpired(error: EmulatorError): void
  /** Called when the running turn needs more data for COPY FROM STDIN. */
  onStarved(): void
  /** Called when the running turn waits for another session's open transaction, at most once a turn. */
  onWaits(notice: string): void
}

export type Write = (messages: Uint8Array) => Promise<void> | undefined

/** A client's session, with its settings, prepared statements and transaction. A session runs one turn at a time. */
export interface PostgresSession {
  /** Server parameters that the client gets when it connects (ParameterStatus). */
  readonly parameters: ReadonlyMap<string, string>
  /**
   * Runs a turn: a list of frontend messages, in order. The session writes answers as soon as they arrive. While the session's
   * transaction is open, the engine runs no other statements.
   * @param write returns a promise while the client has not read earlier output; the turn waits for it
   * @throws {EmulatorError} with an SQLSTATE as its code when the session has ended
   */
  run(messages: Uint8Array, write: Write): Promise<TurnEnd>
  /** Passes data of COPY FROM STDIN to the running turn. Resolves when the engine has taken the data or the turn has ended. */
  feed(messages: Uint8Array): Promise<void>
  /** Cancels the running turn: its statement fails with SQLSTATE 57014. */
  cancel(): void
  /** Rolls back an open transaction and ends the session. */
  close(): Promise<void>
}

export interface TurnEnd {
  /** State of the session after the turn. `pipeline`: the client has not sent Sync yet. */
  readonly state: 'idle' | 'transaction' | 'failed' | 'pipeline'
  /** The first error that was sent to the client. */
  readonly error: { readonly code: string; readonly message: string } | undefined
  /** The last command tag, e.g. `INSERT 0 3`. */
  readonly commandTag: string | undefined
}
