// Tries advice on a statement. Applies it as the owner in a transaction that is rolled back, and measures the statement as its
// identity before and after. A try has a limit of time.
import type { AdviceAnswer, PlanAdvice, PlanEffect } from '../../../contract/query-plans.ts'
import { ownerRoleOf, type SchemaName } from '../../../core/names.ts'
import { searchPathOf } from '../../../database/as-principal.ts'
import { type Answer, cellText, SqlError } from '../../../database/engine.ts'
import type { EngineRehearsals, RehearsalQuestions } from '../../../database/rehearsal.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { literal, sql, tenantScript, verbatim } from '../../../database/sql.ts'
import { loadSqlParser, type SqlParser } from '../../../database/sql-parser.ts'
import { analyseScript } from '../../../platform/owner-sql/analyse-script.ts'
import { loadSecuredTables } from '../../tables/table.ts'
import { questionsOf } from '../../visibility/ask-identities.ts'
import { explainPlan, type PlanDeps, type PlanOrder, preparePlan } from '../sql/explain-plan.ts'
import { parsePlan } from '../sql/plan-nodes.ts'
import { adviseOn, type Proposal } from './advise.ts'
import { rowsRead } from './scans.ts'

export type AdviceOrder = Omit<PlanOrder, 'analyze' | 'mode'>

export interface AdviceDeps extends PlanDeps {
  readonly rehearsals: EngineRehearsals
}

/** Maximum number of tries; fewer for a slow statement, because other requests wait during a try. */
const MOST_TRIES = 10
const TRIES_OF_SLOW = 4
const SLOW_MILLIS = 1_000
const MAX_PLAN_BYTES = 1 << 20

/** Finds and tries advice on one statement. Postgres's errors are part of the answer. @throws {SqlError} when the work did not begin */
export async function adviseOnPlan(deps: AdviceDeps, asked: AdviceOrder): Promise<AdviceAnswer> {
  const parser = await loadSqlParser()
  const measured: PlanOrder = { ...asked, mode: 'readOnly', analyze: isSelect(parser, asked.sql) }
  const first = await explainPlan(deps, measured)
  // A SELECT that writes, for example in a function, is only planned and does not run.
  const isWrite = first.error?.code === READ_ONLY_VIOLATION
  const order = isWrite ? { ...measured, analyze: false } : measured
  const plan = isWrite ? await explainPlan(deps, order) : first
  const prepared = preparePlan(parser, order)
  if (plan.error !== null || prepared.kind === 'refused')
    return { before: null, advice: [], not_tried: 0, error: plan.error }
  const [tables, steady] = await Promise.all([
    loadSecuredTables(deps.reader, order.schemaName),
    steadyFunctions(deps.reader, order.schemaName),
  ])
  const proposals = adviseOn(parser, plan.nodes, tables, steady)
  const question = questionOf(order, prepared.text)
  const before = effectOf((await rehearse(deps, order, [], question)).before[0])
  if (before instanceof SqlError)
    return { before: effectOfPlan(plan), advice: [], not_tried: proposals.length, error: null }
  const isSlow = (before.execution_ms ?? 0) > SLOW_MILLIS
  const chosen = proposals.slice(0, isSlow ? TRIES_OF_SLOW : MOST_TRIES)
  const tried: Tried[] = []
  for (const proposal of chosen) tried.push(await tryOne(deps, order, parser, proposal, question))
  const not_tried = proposals.length - chosen.length
  return { before, advice: bestOf(tried, before), not_tried, error: null }
}

const READ_ONLY_VIOLATION = '25006'

function isSelect(parser: SqlParser, text: string): boolean {
  try {
    return parser.parse(text).every(({ kind }) => kind === 'SelectStmt')
  } catch {
    return false
  }
}

interface Tried {
  readonly proposal: Proposal
  readonly after: PlanEffect | SqlError
}

async function tryOne(
  deps: AdviceDeps,
  order: PlanOrder,
  parser: SqlParser,
  proposal: Proposal,
  question: RehearsalQuestions,
): Promise<Tried> {
  const analysis = analyseScript(parser, proposal.sql, order.schemaName)
  if (analysis.kind !== 'ready')
    return { proposal, after: new SqlError('0A000', 'The statement cannot run here.') }
  const { after, scripts } = await rehearse(deps, order, [analysis.text], question)
  const error = scripts.at(-1)?.error
  return { proposal, after: error ?? effectOf(after[0]) }
}

function rehearse(
  { rehearsals }: AdviceDeps,
  { schemaName, signal, timeoutMillis }: PlanOrder,
  texts: readonly string[],
  question: RehearsalQuestions,
): ReturnType<EngineRehearsals['rehearse']> {
  return rehearsals.rehearse({
    actor: { schemaName, role: ownerRoleOf(schemaName) },
    settings: { search_path: searchPathOf(schemaName) },
    scripts: texts.map(tenantScript),
    before: texts.length === 0 ? [question] : [],
    after: texts.length === 0 ? [] : [question],
    maxResultBytes: MAX_PLAN_BYTES,
    timeoutMillis,
    signal,
  })
}

/** Returns the statement as a question of its identity. A question cannot write, so a try changes no row and no sequence. */
function questionOf({ principal, schemaName }: PlanOrder, text: string): RehearsalQuestions {
  // The text comes from the caller, so it runs only with the rights of the identity.
  const statement = verbatim(text)
  if (principal !== 'owner')
    return { role: principal.role, ...questionsOf([principal], { relation: '', statement }) }
  const settings = { search_path: searchPathOf(schemaName) }
  return {
    role: ownerRoleOf(schemaName),
    settings: {},
    statement,
    questions: [{ settings, params: [] }],
  }
}

function effectOf(answer: Answer | undefined): PlanEffect | SqlError {
  if (answer === undefined) return new SqlError('57014', 'The statement was not measured.')
  if (answer instanceof SqlError) return answer
  const { executionMillis, nodes } = parsePlan(cellText(answer[0]?.[0]) ?? '[]')
  return effectOfPlan({ nodes, execution_ms: executionMillis })
}

function effectOfPlan({
  execution_ms: millis,
  nodes,
}: Pick<Awaited<ReturnType<typeof explainPlan>>, 'nodes' | 'execution_ms'>): PlanEffect {
  return {
    rows_read: rowsRead(nodes),
    execution_ms: millis,
    cost: nodes[0]?.total_cost ?? 0,
  }
}

/** Keeps the best proposal of each subject. Leaves out proposals that do not help, except for those that change a policy. */
function bestOf(tried: readonly Tried[], before: PlanEffect): readonly PlanAdvice[] {
  const best = new Map<string, PlanAdvice>()
  for (const { after, proposal } of tried) {
    if (after instanceof SqlError && proposal.kind === 'index') continue
    const { subject, ...advice } = proposal
    const found: PlanAdvice =
      after instanceof SqlError
        ? { ...advice, after: null, helps: false, error: after.message }
        : { ...advice, after, helps: isBetter(after, before), error: null }
    const known = best.get(subject)
    const isFirst = known?.after == null || found.after === null
    if (isFirst ? known === undefined : readsLess(found.after, known.after))
      best.set(subject, found)
  }
  return [...best.values()]
    .filter(({ helps, kind }) => helps || kind === 'policy_call')
    .toSorted((one, other) => weightOf(one.after) - weightOf(other.after))
}

/** An effect counts as better only below this share of the other effect, because smaller differences are noise. */
const LEAST_GAIN = 0.9

function isBetter(one: PlanEffect, other: PlanEffect): boolean {
  if (one.rows_read !== null && other.rows_read !== null && one.rows_read !== other.rows_read)
    return one.rows_read < LEAST_GAIN * other.rows_read
  if (one.execution_ms !== null && other.execution_ms !== null)
    return one.execution_ms < LEAST_GAIN * other.execution_ms && one.cost <= other.cost
  return one.cost < LEAST_GAIN * other.cost
}

/** Chooses between two proposals of a subject. Does not compare times, because they depend on the machine. */
function readsLess(one: PlanEffect, other: PlanEffect): boolean {
  const [rows, otherRows] = [one.rows_read ?? 0, other.rows_read ?? 0]
  return rows === otherRows ? one.cost < LEAST_GAIN * other.cost : rows < otherRows
}

function weightOf(effect: PlanEffect | null): number {
  return effect?.rows_read ?? effect?.cost ?? Number.POSITIVE_INFINITY
}

/** Returns the names of the project's functions that return a single value, which stays the same during a statement. */
async function steadyFunctions(
  reader: RowReader,
  schemaName: SchemaName,
): Promise<ReadonlySet<string>> {
  const [found] = await reader.read(schemaName, [
    sql`select distinct proname from pg_proc
where pronamespace = ${literal(schemaName)}::regnamespace and provolatile <> 'v' and not proretset`,
  ])
  return new Set((found?.rows ?? []).map(([name]) => cellText(name) ?? ''))
}
