// Fills the ports of the chain from credential to row with what the foundation has.

import type { AuthDeps } from '../auth/deps.ts'
import { createUserManagement } from '../auth/users/manage-users.ts'
import type { ChainDeps } from '../explain/requests/recorded-request.ts'
import { createRowQuestions } from '../explain/requests/row-questions.ts'
import type { ExplainDeps } from '../explain/rows/explain-rows.ts'
import type { TokenRouteDeps } from '../explain/tokens/routes.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import type { Recordings } from '../journal/recording/recorder.ts'
import type { Foundation } from './open-foundation.ts'

export function whyDeps(
  foundation: Foundation,
  auth: AuthDeps,
  recordings: Pick<Recordings, 'findRecording'>,
  {
    tokens,
    explain,
    faults,
  }: { readonly tokens: TokenRouteDeps; readonly explain: ExplainDeps; readonly faults: FaultBook },
): ChainDeps {
  const { journal, stores, storage } = foundation
  return {
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
    rows: createRowQuestions(explain, tokens.identities),
  }
}
