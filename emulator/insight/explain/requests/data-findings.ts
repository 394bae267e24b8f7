// Checks the links grant, policy and row of a data-plane request. Uses the current state of the same identity, relation and
// command. chain.ts calls this module when Postgres refused the request or the response has no rows.
import type { ExplainRequest, Explanation } from '../../../contract/explain.ts'
import type { IdentityReference } from '../../../contract/identities.ts'
import { SuggestedFixesRequest } from '../../../contract/suggested-fixes.ts'
import { defined } from '../../../core/defined.ts'
import { EmulatorError } from '../../../core/errors.ts'
import type { ChainDeps, PlaneFindings, RecordedRequest } from './recorded-request.ts'
import { broken, type Findings } from './recorded-request.ts'
import { type RestTarget, restTargetOf } from './rest-target.ts'
import { explainedFindings } from './row-findings.ts'

type Verdict = Omit<PlaneFindings, 'order'>

/** Maximum number of rows to explain. */
const SAMPLE = 100

export async function dataFindings(
  deps: ChainDeps,
  request: RecordedRequest,
  bearer: Findings,
): Promise<Verdict> {
  const { project, options } = request
  const target = restTargetOf(request)
  const identity = identityOf(request)
  if (target === undefined || identity === undefined || project?.state !== 'active')
    return { findings: bearer }
  if (!isAboutRows(request)) return { findings: bearer }
  const question = questionOf(target, identity)
  const explanation = await orNothing(deps.rows.explain(project, question, options.addresses))
  if (explanation === undefined) return { findings: bearer }
  const findings = explainedFindings(request, target, explanation)
  return {
    findings: {
      ...bearer,
      ...findings,
      ...(await hiddenFromWriter(deps, request, target, question)),
    },
    ...(await smallestFix(deps, request, question, explanation)),
    explain: question,
    isExplained: request.entry.error_code !== 'PGRST116',
  }
}

// Whether the response can be explained by rows: missing privileges, policies, a missing single object, or an empty result.
function isAboutRows({ entry, recording }: RecordedRequest): boolean {
  const { error_code: code, status, row_count: rows } = entry
  if (code === '42501' || code === '42P17' || code === 'PGRST116') return true
  if (code !== null || status >= 400) return false
  if (rows !== null) return rows === 0 && entry.method !== 'POST'
  const body = recording?.responseBody
  return body?.isComplete === true && body.bytes().toString() === '[]'
}

function identityOf({ entry, claims }: RecordedRequest): IdentityReference | undefined {
  switch (entry.role) {
    case 'anon':
    case 'service_role':
      return { kind: entry.role }
    case 'authenticated':
      if (claims?.['role'] === 'authenticated')
        return { kind: 'claims', role: 'authenticated', claims }
      return entry.subject === null ? undefined : { kind: 'user', user: entry.subject }
    default:
      return undefined
  }
}

function questionOf(target: RestTarget, identity: IdentityReference): ExplainRequest {
  const { relation, command, filters, newRow } = target
  const isWrite = command === 'insert' || command === 'update'
  return defined({
    relation,
    identity,
    command,
    limit: SAMPLE,
    filters: filters.length === 0 ? undefined : filters,
    new_row: isWrite ? newRow : undefined,
  })
}

// A request that returns its written row also needs a SELECT policy that shows this row. Without such a policy, Postgres
// refuses the write.
async function hiddenFromWriter(
  deps: ChainDeps,
  { project, options, entry }: RecordedRequest,
  { command, returnsRows, newRow }: RestTarget,
  question: ExplainRequest,
): Promise<Findings> {
  if (command !== 'insert' || !returnsRows || newRow === undefined || project === undefined)
    return {}
  if (entry.error_code !== '42501') return {}
  const explanation = await orNothing(deps.rows.explain(project, question, options.addresses))
  if (explanation?.rows.some(({ allowed }) => allowed) !== true) return {}
  if ((await orNothing(deps.rows.readsBack(project, question, options.addresses))) !== false)
    return {}
  return {
    row: broken(
      'may be written but not read',
      `The row may be written, but the request also returns the row (Prefer: return=representation). No SELECT policy shows the row to ${explanation.identity.label}. Leave .select() out, or add a SELECT policy that shows the row.`,
    ),
  }
}

// Suggests only grants, because enabling row-level security never resolves a refusal.
function grantFix({ table }: Explanation): string | null {
  return table.verdict === 'missing_grant' ? table.suggested_fix : null
}

async function smallestFix(
  deps: ChainDeps,
  { project, options }: RecordedRequest,
  question: ExplainRequest,
  explanation: Explanation,
): Promise<Pick<PlaneFindings, 'suggestedFix' | 'advice'>> {
  const { command, rows } = explanation
  const grant = grantFix(explanation)
  if (grant !== null) return { suggestedFix: grant }
  const hidden = rows.find(({ allowed }) => !allowed)
  if (project === undefined || hidden === undefined || options.asOf === 'refusal') return {}
  const order = SuggestedFixesRequest.safeParse(
    defined({
      relation: question.relation,
      identity: question.identity,
      command,
      key: hidden.key,
      new_row: question.new_row,
    }),
  )
  if (!order.success) return {}
  const found = await orNothing(
    deps.rows.suggestedFixes(project, order.data, options.addresses, ['policy', 'grant']),
  )
  return { suggestedFix: found?.suggested_fixes[0]?.sql ?? null, advice: found?.advice ?? null }
}

// Returns `undefined` if the explanation fails, as for an invalid filter or a dropped table. The chain then shows the refusal's
// own message.
async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof EmulatorError) return undefined
    throw error
  }
}
