// Fills the ports of the inspector's explanations of credentials with what the foundation has.
import type { AuthDeps } from '../auth/deps.ts'
import { createUserManagement } from '../auth/manage-users.ts'
import { standingStatement } from '../auth/session-statements.ts'
import type { Recordings } from '../inspector/recording/recorder.ts'
import type { TokenRouteDeps } from '../inspector/tokens/routes.ts'
import type { Foundation } from './open-foundation.ts'

export function tokenDeps(
  foundation: Foundation,
  auth: AuthDeps,
  recordings: Pick<Recordings, 'claimsOfRequest'>,
): TokenRouteDeps {
  const { config, stores, storage, departed, signingKeys, verifier, clock, ids } = foundation
  return {
    adminToken: config.adminToken,
    verifier,
    signingKeys,
    projects: stores.projects,
    standings: departed,
    apiKeys: stores.apiKeys,
    groups: stores.groups,
    owners: stores.owners,
    buckets: storage.buckets,
    hasSession: async (schemaName, sessionId, userId) => {
      const [rows] = await auth.tables.read(schemaName, standingStatement(sessionId, userId))
      return rows?.[0] !== undefined
    },
    identities: {
      users: createUserManagement(auth),
      claimsOfRequest: recordings.claimsOfRequest,
      clock,
    },
    clock,
    ids,
  }
}
