// Fills the ports of the inspector's explanations of credentials with what the foundation has.
import type { AuthDeps } from '../auth/deps.ts'
import { standingStatement } from '../auth/sessions/session-statements.ts'
import { createUserManagement } from '../auth/users/manage-users.ts'
import { createRowReader } from '../database/row-reader.ts'
import { rememberingTables } from '../explain/rows/known-tables.ts'
import { createExplainDeps, type ExplainRouteDeps } from '../explain/rows/routes.ts'
import type { TokenRouteDeps } from '../explain/tokens/routes.ts'
import type { Recordings } from '../journal/recording/recorder.ts'
import type { TablesDeps } from '../workbench/tables/mount-tables.ts'
import type { Foundation } from './open-foundation.ts'

export function tokenDeps(
  foundation: Foundation,
  auth: AuthDeps,
  recordings: Pick<Recordings, 'claimsOfRequest'>,
): TokenRouteDeps {
  const { config, stores, storage, revokedUsers, signingKeys, verifier, clock, ids } = foundation
  return {
    adminToken: config.adminToken,
    verifier,
    signingKeys,
    projects: stores.projects,
    standings: revokedUsers,
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

/** What explanations work with. */
export function explainDeps(
  { engine, stores, wallClock, lifecycle }: Foundation,
  { identities }: Pick<TokenRouteDeps, 'identities'>,
): ExplainRouteDeps {
  const reader = createRowReader(engine)
  const findTable = rememberingTables(reader, lifecycle)
  const explain = createExplainDeps(engine, reader, wallClock, findTable)
  return { projects: stores.projects, identities, explain }
}

/** What the tables' and the console's routes work with. */
export function tableDeps(
  { engine, lifecycle, stores }: Foundation,
  { identities }: Pick<TokenRouteDeps, 'identities'>,
): TablesDeps {
  return {
    engine,
    lifecycle,
    projects: stores.projects,
    identities,
    reader: createRowReader(engine),
  }
}
