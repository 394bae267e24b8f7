// Checks the links grant, policy and row of a data-plane request. Uses the state just before the request where the history has it,
// and else the present state. chain.ts calls this module when Postgres refused the request or the response has no rows.
import type { ExplainRequest, Explanation } from '../../../contract/explain.ts'
import type { IdentityReference } from '../../../contract/identities.ts'
import { SuggestedFixesRequest } from '../../../contract/suggested-fixes.ts'
import { defined } from '../../../core/defined.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { SqlError } from '../../../database/engine.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { changedSince } from './changed-since.ts'
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
  const present = await orNothing(deps.rows.explain(project, question, options.addresses))
  if (present === undefined) return { findings: bearer }
  const { explanation, rows, stateOf } =
    options.asOf === 'request'
      ? await explainedBefore(deps, request, project, question, present)
      : { explanation: present, rows: deps.rows, stateOf: undefined }
  const isPast = explanation !== present
  const findings = explainedFindings(request, target, explanation, isPast)
  return {
    findings: {
      ...bearer,
      ...findings,
      ...(await hiddenFromWriter(rows, request, target, question)),
    },
    ...(await smallestFix(deps, request, question, present)),
    explain: question,
    isExplained: request.entry.error_code !== 'PGRST116',
    ...(stateOf && { stateOf }),
  }
}

interface Explained {
  readonly explanation: Explanation
  /** Answers with the state of the explanation. */
  readonly rows: Pick<ChainDeps['rows'], 'explain' | 'readsBack'>
  readonly stateOf: PlaneFindings['stateOf']
}

/** Explains with the state just before the request; with the present state when the history does not cover the request. */
async function explainedBefore(
  deps: ChainDeps,
  { entry, options }: RecordedRequest,
  project: Project,
  question: ExplainRequest,
  present: Explanation,
): Promise<Explained> {
  const today = (reason: string): Explained => ({
    explanation: present,
    rows: deps.rows,
    stateOf: {
      as_of: 'now',
      basis: `Explained with today’s policies and rows, because ${reason}.`,
      changed_since: [],
    },
  })
  const before = await deps.before.open(project.schemaName, entry)
  switch (before.kind) {
    case 'unknown':
      return today(before.reason)
    case 'present':
      return {
        explanation: present,
        rows: deps.rows,
        stateOf: { as_of: 'request', basis: UNCHANGED, changed_since: [] },
      }
    case 'past': {
      const explanation = await readable(before.rows.explain(project, question, options.addresses))
      if (explanation === undefined) return today('those of then cannot be restored')
      const filtered = question.filters?.map(({ column }) => column) ?? []
      const since = {
        ...before,
        receivedAt: entry.received_at,
        former: explanation,
        present,
        filtered,
      }
      return {
        explanation,
        rows: before.rows,
        stateOf: {
          as_of: 'request',
          basis: [BEFORE, ...before.gaps()].join(' '),
          changed_since: changedSince(since),
        },
      }
    }
  }
}

const BEFORE = 'Explained with the policies and rows just before the request.'
const UNCHANGED = `${BEFORE} No row and no policy has changed since.`

/** Returns `undefined` when the past state cannot be read, as after the change of a type. */
async function readable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof EmulatorError || error instanceof SqlError) return undefined
    throw error
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
  rows: Explained['rows'],
  { project, options, entry }: RecordedRequest,
  { command, returnsRows, newRow }: RestTarget,
  question: ExplainRequest,
): Promise<Findings> {
  if (command !== 'insert' || !returnsRows || newRow === undefined || project === undefined)
    return {}
  if (entry.error_code !== '42501') return {}
  const explanation = await readable(rows.explain(project, question, options.addresses))
  if (explanation?.rows.some(({ allowed }) => allowed) !== true) return {}
  if ((await readable(rows.readsBack(project, question, options.addresses))) !== false) return {}
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
