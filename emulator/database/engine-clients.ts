// The interface for programs of the user, such as psql, that connect to a server themselves.
import type { SchemaName } from '../core/names.ts'

/** Connections that programs may have open to one project, when the configuration does not say. */
export const CLIENT_CONNECTIONS = 25

export interface EngineClients {
  /** Where programs connect. The port can change when the server starts again. */
  readonly address: { readonly host: string; readonly port: number }
  /** The login of a project, which works as the project's owner, and the only database that it reaches. */
  loginOf(schemaName: SchemaName): { readonly user: string; readonly database: string }
  /** Lets programs log in with this password and no other. Safe to repeat. @throws {SqlError} 42704 for a missing project */
  allow(schemaName: SchemaName, password: string): Promise<void>
  /** Refuses logins and ends all sessions. Does nothing for a missing project. @throws {SqlError} */
  refuse(schemaName: SchemaName): Promise<void>
}
