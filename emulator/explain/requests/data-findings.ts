// The data plane's part of a chain: grant, policy and row, as the explanation engine finds them for the same identity,
// relation and command now. Asked of refusals by Postgres and of answers without rows.
import {
  type ExplainRequest,
  type Explanation,
  type SuggestedFix,
  SuggestedFixesRequest,
} from '../../contract/explain.ts'
import type { IdentityReference } from '../../contract/identities.ts'
import { EmulatorError } from '../../core/errors.ts'
import { broken, type Findings } from './links.ts'
import type { Occasion, PlaneFindings, WhyDeps } from './request-case.ts'
import { type RestTarget, restTargetOf } from './rest-target.ts'
import { explainedFindings } from './row-findings.ts'

type Verdict = Omit<PlaneFindings, 'order'>

/** Rows looked at for the reasons they are hidden by. */
const SAMPLE = 100

export async function dataFindings(
  deps: WhyDeps,
  occasion: Occasion,
  bearer: Findings,
): Promise<Verdict> {
  const { project, addresses } = occasion
  const target = restTargetOf(occasion)
  const identity = identityOf(occasion)
  if (target === undefined || identity === undefined || project?.state !== 'active')
    return { findings: bearer }
  if (!isAboutRows(occasion)) return { findings: bearer }
  const request = requestOf(target, identity)
  const explanation = await orNothing(deps.rows.explain(project, request, addresses))
  if (explanation === undefined) return { findings: bearer }
  const findings = explainedFindings(occasion, target, explanation)
  return {
    findings: {
      ...bearer,
      ...findings,
      ...(await hiddenFromItsMaker(deps, occasion, target, request)),
    },
    suggestedFix:
      grantFix(explanation) ?? (await smallestFix(deps, occasion, request, explanation)),
    explain: request,
    isExplained: occasion.entry.error_code !== 'PGRST116',
  }
}

// Refusals of Postgres about privileges and policies, one row that was not to be had, and answers of nothing.
function isAboutRows({ entry, recording }: Occasion): boolean {
  const { error_code: code, status, row_count: rows } = entry
  if (code === '42501' || code === '42P17' || code === 'PGRST116') return true
  if (code !== null || status >= 400) return false
  if (rows !== null) return rows === 0 && entry.method !== 'POST'
  const body = recording?.responseBody
  return body?.isComplete === true && body.bytes().toString() === '[]'
}

function identityOf({ entry, claims }: Occasion): IdentityReference | undefined {
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

function requestOf(target: RestTarget, identity: IdentityReference): ExplainRequest {
  const { relation, command, filters, newRow } = target
  const isWrite = command === 'insert' || command === 'update'
  return {
    relation,
    identity,
    command,
    limit: SAMPLE,
    ...(filters.length === 0 ? {} : { filters }),
    ...(newRow === undefined || !isWrite ? {} : { new_row: newRow }),
  }
}

// A row that may be written is refused all the same when it is to be given back and no policy of SELECT shows it.
async function hiddenFromItsMaker(
  deps: WhyDeps,
  { project, addresses, entry }: Occasion,
  { command, returnsRows, newRow }: RestTarget,
  request: ExplainRequest,
): Promise<Findings> {
  if (command !== 'insert' || !returnsRows || newRow === undefined || project === undefined)
    return {}
  if (entry.error_code !== '42501') return {}
  const explanation = await orNothing(deps.rows.explain(project, request, addresses))
  if (explanation?.rows.some(({ allowed }) => allowed) !== true) return {}
  if ((await orNothing(deps.rows.readsBack(project, request, addresses))) !== false) return {}
  return {
    row: broken(
      'may be written, not read',
      `The row may be written, but it was to be given back (Prefer: return=representation), and no policy of SELECT shows it to ${explanation.identity.label}. Leave .select() out, or let a policy of SELECT show it.`,
    ),
  }
}

// Enabling row-level security does not undo a refusal, so only a missing grant counts.
function grantFix({ table }: Explanation): string | null {
  return table.verdict === 'missing_grant' ? table.suggested_fix : null
}

async function smallestFix(
  deps: WhyDeps,
  { project, addresses }: Occasion,
  request: ExplainRequest,
  { rows, command }: Explanation,
): Promise<string | null> {
  const hidden = rows.find(({ allowed }) => !allowed)
  if (project === undefined || hidden === undefined) return null
  const order = SuggestedFixesRequest.safeParse({
    relation: request.relation,
    identity: request.identity,
    command,
    key: hidden.key,
    ...(request.new_row === undefined ? {} : { new_row: request.new_row }),
  })
  if (!order.success) return null
  const found = await orNothing(deps.rows.suggestedFixes(project, order.data, addresses))
  return found?.suggested_fixes.find(isLikelyMeant)?.sql ?? null
}

// What ties rows to who asks, or opens a table that has no policy at all; not a policy made for this one row.
function isLikelyMeant({ changes, sql }: SuggestedFix): boolean {
  return changes === 'grant' || (changes === 'policy' && /\bauth\.|\(true\)/.test(sql))
}

// A filter that does not fit its column, a table that is gone: the refusal's own words have to do.
async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof EmulatorError) return undefined
    throw error
  }
}
