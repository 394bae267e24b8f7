// Statements that lock users, for `AuthTables.writeLocked`. While a user is locked, no other request changes the user or adds
// sessions, identities, factors or tokens of the user.
import { type Sql, sql } from '../../../database/sql.ts'
import { hasAddress, type Target } from './proven-user.ts'

/** Locks the user with this id. */
export function lockUser(userId: string): Sql {
  return sql`select from auth_users where id = ${userId} for update`
}

/**
 * Requires `lockUser`. Returns a condition that is false when the session was ended after the request was authenticated. For
 * example, the owner of the address took the user over.
 */
export function isSessionActive(sessionId: string): Sql {
  return sql`exists (select from auth_sessions where id = ${sessionId} and revoked_at is null)`
}

/** Locks the user who has the address. */
export function lockHolder({ kind, address }: Target): Sql {
  return sql`select from auth_users u where ${hasAddress(kind, sql`${address}`)} for update`
}
