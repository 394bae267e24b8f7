// Routes for access chains and suggested fixes under /_emulator/v1 (contract/explain.ts).
import type { Hono } from 'hono'
import type { AccessChain } from '../../../contract/explain.ts'
import { CHAIN_OPERATIONS } from '../../../contract/explain.ts'
import { REFUSAL_OPERATIONS } from '../../../contract/journal.ts'
import { SUGGESTED_FIX_OPERATIONS } from '../../../contract/suggested-fixes.ts'
import type { KeyAddresses } from '../../../platform/credentials/project-key.ts'
import { liveProject } from '../../api-kit/find-project.ts'
import { type Bindings, mount, mountOnProject } from '../../api-kit/mount.ts'
import { accessChain, findEntry } from './chain.ts'
import type { RefusalExplainer } from './explain-refusals.ts'
import { type ChainDeps, projectOf } from './recorded-request.ts'
import { lastRefusals } from './refusals.ts'

export interface ChainRouteDeps extends ChainDeps {
  readonly refusals: Pick<RefusalExplainer, 'settle' | 'close'>
}

export function mountRequestChain(app: Hono<Bindings>, deps: ChainRouteDeps): void {
  const { projects, rows } = deps
  mount(app, REFUSAL_OPERATIONS, {
    'GET /journal/refusals': ({ query }) => lastRefusals(deps, query.limit),
  })
  mount(app, CHAIN_OPERATIONS, {
    'GET /journal/:request_id/chain': ({ params, query, env }) =>
      chainAsOf(deps, params.request_id, query.as_of, env.addresses),
  })
  mountOnProject(app, SUGGESTED_FIX_OPERATIONS, (reference) => liveProject(projects, reference), {
    'POST /projects/:ref/explain/suggested-fixes': ({ project, body, env }) =>
      rows.suggestedFixes(project, body, env.addresses),
    'POST /projects/:ref/explain/fix-effect': ({ project, body, env }) =>
      rows.fixEffect(project, body, env.addresses),
    // cspell:ignore mends
    'POST /projects/:ref/explain/mends': async ({ project, body, env }) => {
      const answer = await rows.suggestedFixes(project, body, env.addresses)
      return { ...answer, mends: answer.suggested_fixes }
    },
  })
}

// The present state explains nothing when the project of the request is gone.
async function chainAsOf(
  deps: ChainRouteDeps,
  requestId: string,
  asOf: AccessChain['as_of'],
  addresses: KeyAddresses,
): Promise<AccessChain> {
  const entry = findEntry(deps, requestId)
  await deps.refusals.settle({ requestId })
  const recording = deps.recordings.findRecording(requestId)
  const project = projectOf(deps.projects, entry, recording?.claims)
  const isGone = project !== undefined && project.state !== 'active'
  if (recording?.explanation !== undefined && (asOf === 'refusal' || isGone))
    return recording.explanation
  return accessChain(deps, entry, { addresses, asOf: 'now' })
}
