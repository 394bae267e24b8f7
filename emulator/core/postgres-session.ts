// How a Postgres client reaches the engine without the server knowing it: who may log in, and a session of one's own that
// takes and gives messages of Postgres's protocol (version 3.0). server/postgres-port.ts is the other side.
import type { EmulatorError } from './errors.ts'

/** Who may log in under a name. */
export interface PostgresLogin {
  readonly schemaName: string
  /** The role the client works as, and can never leave. */
  readonly role: string
  readonly password: string
  /**
   * Opens a session.
   * @param settings what the client asked for at its start, e.g. `application_name`
   * @throws {EmulatorError} with an SQLSTATE as its code
   */
  open(settings: Readonly<Record<string, string>>, events: SessionEvents): Promise<PostgresSession>
}

export interface PostgresLogins {
  /** `undefined` when nobody logs in under this name. */
  find(user: string): PostgresLogin | undefined
  /** Tells of projects whose clients have to go. */
  onRevoked(listener: (schemaName: string | undefined) => void): void
}

/** What becomes of a session without its client having asked. */
export interface SessionEvents {
  /** The session is over; its open transaction is rolled back. */
  onExpired(error: EmulatorError): void
  /** The turn that runs reads data of COPY FROM STDIN and has taken everything that was fed. */
  onStarved(): void
}

export type Write = (messages: Uint8Array) => Promise<void> | undefined

/** One client's own session: its settings, prepared statements and transaction. One turn at a time. */
export interface PostgresSession {
  /** What the client is told of the server at its start (ParameterStatus). */
  readonly parameters: ReadonlyMap<string, string>
  /**
   * Runs frontend messages in order and writes the answers as they come. While the end says that a transaction is open
   * nobody else's statements run.
   * @param write gives a promise while the client has not read what it was given: a long answer waits for it
   * @throws {EmulatorError} with an SQLSTATE as its code when the session is over
   */
  run(messages: Uint8Array, write: Write): Promise<TurnEnd>
  /** Hands data of COPY FROM STDIN to the turn that runs. Settles when the data was taken, or nobody wants it any more. */
  feed(messages: Uint8Array): Promise<void>
  /** Cancels the turn that runs: its statement fails with SQLSTATE 57014. */
  cancel(): void
  /** Rolls back what is open and forgets the session. */
  close(): Promise<void>
}

export interface TurnEnd {
  /** `pipeline`: answered so far, the client has not ended it with Sync. */
  readonly state: 'idle' | 'transaction' | 'failed' | 'pipeline'
  /** The first error the client was told. */
  readonly error: { readonly code: string; readonly message: string } | undefined
  /** Of the last statement that was completed, e.g. `INSERT 0 3`. */
  readonly commandTag: string | undefined
}
