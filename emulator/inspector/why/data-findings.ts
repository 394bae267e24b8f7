// The data plane's part of a chain: grant, policy and row, as the explanation engine finds them for the same identity,
// relation and command now. Asked of refusals by Postgres and of answers without rows.
import type {
  ExplainRequest,
  Explanation,
  IdentityReference,
  Mend,
} from '../../contract/explain.ts'
import { EmulatorError } from '../../core/errors.ts'
import type { Findings } from './links.ts'
import { jsonBodyOf, type Occasion, type PlaneFindings, type WhyDeps } from './occasion.ts'
import { type RestTarget, restTargetOf } from './rest-target.ts'
import { explainedFindings, returningFindings } from './row-findings.ts'

type Verdict = Omit<PlaneFindings, 'order'>

/** Rows looked at for the reasons they are hidden by. */
const SAMPLE = 100

export async function dataFindings(
  deps: WhyDeps,
  occasion: Occasion,
  bearer: Findings,
): Promise<Verdict> {
  const target = restTargetOf(occasion)
  const identity = identityOf(occasion)
  if (
    target === undefined ||
    identity === undefined ||
    occasion.project?.state !== 'active' ||
    !isAboutRows(occasion)
  )
    return { findings: bearer }
  const request = requestOf(target, identity)
  const explanation = await explained(deps, occasion, request)
  if (explanation === undefined) return { findings: bearer }
  const isReadBack = target.returnsRows && target.command !== 'select' && !isHidden(explanation)
  const back = isReadBack ? await explained(deps, occasion, readBack(request)) : undefined
  const findings =
    back === undefined
      ? explainedFindings(occasion, target, explanation)
      : returningFindings(occasion, target, back)
  return {
    findings: { ...bearer, ...findings },
    mend: explanation.table.mend ?? (await smallestMend(deps, occasion, explanation)),
    explain: request,
  }
}

function isHidden({ rows, table }: Explanation): boolean {
  return table.verdict === 'missing_grant' || rows.some(({ allowed }) => !allowed)
}

// Refusals of Postgres about privileges and policies, one row that was not to be had, and answers of nothing.
function isAboutRows(occasion: Occasion): boolean {
  const { error_code: code, status, row_count: rows } = occasion.entry
  if (code === '42501' || code === '42P17' || code === 'PGRST116') return true
  if (code !== null || status >= 400) return false
  if (rows !== null) return rows === 0
  const body = occasion.recording?.responseBody
  return body?.isComplete === true && body.bytes().toString() === '[]'
}

function identityOf({ entry, claims }: Occasion): IdentityReference | undefined {
  switch (entry.role) {
    case 'anon':
    case 'service_role':
    case 'authenticated':
      if (claims?.['role'] === entry.role) return { kind: 'claims', role: entry.role, claims }
      if (entry.role !== 'authenticated') return { kind: entry.role }
      return entry.subject === null ? undefined : { kind: 'user', user: entry.subject }
    default:
      return undefined
  }
}

function requestOf(target: RestTarget, identity: IdentityReference): ExplainRequest {
  const { relation, command, filters, newRow } = target
  return {
    relation,
    identity,
    command,
    limit: SAMPLE,
    ...(filters.length === 0 ? {} : { filters }),
    ...(newRow === undefined || command === 'select' || command === 'delete'
      ? {}
      : { new_row: newRow }),
  }
}

// What was written is read again only when SELECT's policies show it.
function readBack({ relation, identity, new_row: row = {} }: ExplainRequest): ExplainRequest {
  return { relation, identity, command: 'insert', new_row: row }
}

async function explained(
  deps: WhyDeps,
  { project, addresses }: Occasion,
  request: ExplainRequest,
): Promise<Explanation | undefined> {
  if (project === undefined) return undefined
  try {
    return await deps.explain(project, request, addresses)
  } catch (error) {
    // A filter that does not fit its column, a table that is gone: the refusal's own words have to do.
    if (error instanceof EmulatorError) return undefined
    throw error
  }
}

async function smallestMend(
  deps: WhyDeps,
  { project, addresses, recording }: Occasion,
  explanation: Explanation,
): Promise<string | null> {
  const hidden = explanation.rows.find(({ allowed }) => !allowed)
  const identity = explanation.identity
  if (project === undefined || hidden === undefined) return null
  const body = jsonBodyOf(recording)
  try {
    const { mends } = await deps.mends(
      project,
      {
        relation: explanation.relation,
        identity: { kind: 'claims', role: identity.role, claims: identity.claims },
        command: explanation.command,
        key: hidden.key,
        ...(explanation.command === 'insert' && isRow(body) ? { new_row: body } : {}),
      },
      addresses,
    )
    return mends.find(isForOwner)?.sql ?? null
  } catch (error) {
    if (error instanceof EmulatorError) return null
    throw error
  }
}

function isForOwner({ changes }: Mend): boolean {
  return changes === 'policy' || changes === 'grant'
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
