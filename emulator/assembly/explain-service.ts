// Connects credentials, identities and the explanation of requests to the foundation and the services.

import type { InspectorDeps } from '../api/emulator-api/app.ts'
import type { IdentityDeps } from '../insight/api-kit/identities.ts'
import { createBeforeRequests } from '../insight/explain/requests/before-request.ts'
import type { ChainDeps } from '../insight/explain/requests/recorded-request.ts'
import { createRowQuestions } from '../insight/explain/requests/row-questions.ts'
import { watchRefusals } from '../insight/explain/requests/watch-refusals.ts'
import type { ExplainDeps } from '../insight/explain/rows/explain-rows.ts'
import type { TokenRouteDeps } from '../insight/explain/tokens/routes.ts'
import type { FaultBook } from '../insight/faults/fault-book.ts'
import type { Recordings } from '../insight/journal/recording/recorder.ts'
import { addressesOf } from '../server/hosts.ts'
import type { AuthDeps } from '../services/auth/deps.ts'
import { standingStatement } from '../services/auth/sessions/session-statements.ts'
import { createUserManagement } from '../services/auth/users/manage-users.ts'
import type { Foundation } from './open-foundation.ts'

/** Creates the dependencies for examining and minting credentials. */
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
    identities: identityDeps(foundation, auth, recordings),
    clock,
    ids,
  }
}

/** Creates the dependencies for acting as an identity of a project. */
export function identityDeps(
  { clock }: Foundation,
  auth: AuthDeps,
  { claimsOfRequest }: Pick<Recordings, 'claimsOfRequest'>,
): IdentityDeps {
  return { users: createUserManagement(auth), claimsOfRequest, clock }
}

export interface WhyParts {
  readonly auth: AuthDeps
  readonly faults: FaultBook
  readonly inspection: { readonly recordings: Recordings }
}

/** The origin that explanations assume for requests without a recording. */
const NO_ORIGIN = 'http://127.0.0.1'

/** Creates the dependencies that explain refused requests, when the refusal happens and on demand. */
export function whyDeps(
  foundation: Foundation,
  { auth, faults, inspection: { recordings } }: WhyParts,
  tokens: TokenRouteDeps,
  explain: ExplainDeps,
): InspectorDeps['why'] {
  const { config, journal, stores, storage } = foundation
  const why: ChainDeps = {
    journal,
    recordings,
    tokens,
    projects: stores.projects,
    groups: stores.groups,
    tenants: stores.tenants,
    buckets: storage.buckets,
    objects: storage.objects,
    users: createUserManagement(auth),
    faults,
    mailbox: foundation.mailbox,
    rows: createRowQuestions({ explain, rehearsals: foundation.rehearsals }, tokens.identities),
    before: createBeforeRequests({
      ...foundation,
      explain,
      identities: tokens.identities,
      isRecorded: config.history !== false,
    }),
  }
  const refusals = watchRefusals({
    ...foundation,
    recordings,
    why,
    explain,
    identities: tokens.identities,
    addressesAt: (origin) => addressesOf(config.publicUrl ?? origin ?? NO_ORIGIN),
  })
  return { ...why, journal, refusals }
}
