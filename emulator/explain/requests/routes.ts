// Routes for access chains and suggested fixes under /_emulator/v1 (contract/explain.ts).
import type { Hono } from 'hono'
import { liveProject } from '../../api-kit/find-project.ts'
import { type Bindings, mount, mountOnProject } from '../../api-kit/mount.ts'
import { CHAIN_OPERATIONS } from '../../contract/explain.ts'
import { REFUSAL_OPERATIONS } from '../../contract/journal.ts'
import { SUGGESTED_FIX_OPERATIONS } from '../../contract/suggested-fixes.ts'
import { accessChain } from './chain.ts'
import type { ChainDeps } from './recorded-request.ts'
import { lastRefusals } from './refusals.ts'

export function mountRequestChain(app: Hono<Bindings>, deps: ChainDeps): void {
  const { projects, rows } = deps
  mount(app, REFUSAL_OPERATIONS, {
    'GET /journal/refusals': ({ query }) => lastRefusals(deps, query.limit),
  })
  mount(app, CHAIN_OPERATIONS, {
    'GET /journal/:request_id/chain': ({ params, env }) =>
      accessChain(deps, params.request_id, env.addresses),
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
