// Routes for access chains and suggested fixes under /_emulator/v1 (contract/explain.ts).
import type { Hono } from 'hono'
import { type AccessChain, CHAIN_OPERATIONS } from '../../../contract/explain.ts'
import { REFUSAL_OPERATIONS, type Refusals } from '../../../contract/journal.ts'
import { SUGGESTED_FIX_OPERATIONS } from '../../../contract/suggested-fixes.ts'
import type { KeyAddresses } from '../../../platform/credentials/project-key.ts'
import { liveProject } from '../../api-kit/find-project.ts'
import { type Bindings, mount, mountOnProject } from '../../api-kit/mount.ts'
import type { Journal } from '../../journal/journal.ts'
import { accessChain, findEntry } from './chain.ts'
import type { RefusalExplainer } from './explain-refusals.ts'
import { adviceOf, type ChainDeps, projectOf } from './recorded-request.ts'

export interface ChainRouteDeps extends ChainDeps {
  readonly journal: ChainDeps['journal'] & Pick<Journal, 'findExplanation'>
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

// Returns the kept explanation, if there is one, on demand or when the present state cannot explain the refusal. The latter is so
// when the project or the recording of the request is gone, or when the credential was at fault.
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
  const kept = deps.journal.findExplanation(entry)
  const isOfThen =
    asOf === 'refusal' || isGone || recording === undefined || failedAtCredential(kept)
  if (isOfThen && kept !== undefined) return { ...NO_STATE, ...kept }
  const state = asOf === 'request' ? 'request' : 'now'
  return await accessChain(deps, entry, { addresses, asOf: state })
}

/** Members that explanations of older versions do not have. */
const NO_STATE = { basis: null, changed_since: [] }

// Credentials expire and keys are replaced, so the present state can give another reason than the refusal had.
function failedAtCredential(kept: AccessChain | undefined): boolean {
  return kept?.links.find(({ state }) => state === 'broken')?.link === 'credential'
}

// Lists the last refused requests with their reasons, for the home screen (contract/journal.ts).

/** Lists refused requests, newest first. Leaves out requests that the inspector's pages sent for themselves. */
function lastRefusals(
  { journal, recordings }: Pick<ChainDeps, 'journal' | 'recordings'>,
  limit: number,
): Refusals {
  const refused = journal.read({ refused: true, fromInspector: false, limit })
  return {
    refusals: refused.map((entry) => ({
      entry,
      reason:
        adviceOf(entry)?.cause ??
        entry.error_message ??
        `The answer has the status ${entry.status}.`,
      claimed_subject: entry.role === null ? subjectOf(recordings, entry.request_id) : null,
    })),
    refused: journal.facets({ refused: true, fromInspector: false }).total,
    total: journal.facets({ fromInspector: false }).total,
  }
}

function subjectOf(recordings: ChainDeps['recordings'], requestId: string): string | null {
  const subject = recordings.findRecording(requestId)?.claims?.['sub']
  return typeof subject === 'string' ? subject : null
}
