// Fills the ports of end-user authentication with what the foundation has.
import { createAuthTables } from '../auth/auth-tables.ts'
import { createSessions } from '../auth/create-sessions.ts'
import type { AuthDeps } from '../auth/deps.ts'
import type { Foundation } from './open-foundation.ts'

export function authDeps(foundation: Foundation): AuthDeps {
  const { departed, authSettings, mailbox, stores, verifier, signingKeys, clock, ids } = foundation
  const tables = createAuthTables(foundation.engine)
  return {
    tables,
    sessions: createSessions({ tables, departed, signingKeys, clock, ids }),
    departed,
    settings: authSettings,
    outbox: mailbox,
    projects: stores.projects,
    verifier,
    signingKeys,
    clock,
    ids,
  }
}
