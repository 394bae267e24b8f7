// Fills the ports of end-user authentication with what the foundation has.
import { createAuthTables } from '../auth/auth-tables.ts'
import type { AuthDeps } from '../auth/deps.ts'
import { createSessions } from '../auth/sessions/create-sessions.ts'
import { createRecentRotations } from '../auth/sessions/recent-rotations.ts'
import type { Foundation } from './open-foundation.ts'

export function authDeps(foundation: Foundation): AuthDeps {
  const { revokedUsers, authSettings, mailbox, stores, verifier, signingKeys, clock, ids } =
    foundation
  const tables = createAuthTables(foundation.engine)
  const recent = createRecentRotations(clock)
  foundation.lifecycle.listen({ stateReplaced: () => recent.forget() })
  return {
    tables,
    sessions: createSessions({ tables, revokedUsers, signingKeys, clock, ids }, recent),
    revokedUsers,
    settings: authSettings,
    outbox: mailbox,
    projects: stores.projects,
    verifier,
    signingKeys,
    clock,
    ids,
  }
}
