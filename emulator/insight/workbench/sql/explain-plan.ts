// Explains one statement as the owner or as an identity (contract/query-plans.ts). The statement runs only where it is
// measured, and its transaction is rolled back.

import type { PlanAnswer, PlanNode } from '../../../contract/query-plans.ts'
import type { SchemaName } from '../../../core/names.ts'
import { ownerRoleOf } from '../../../core/names.ts'
import type { Principal } from '../../../core/principal.ts'
import { asPrincipal, searchPathOf } from '../../../database/as-principal.ts'
import {
  cellText,
  type Engine,
  SqlError,
  type StatementResult,
  type TenantWork,
  wasNotBegun,
} from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { type SqlParam, tenantScript } from '../../../database/sql.ts'
import { loadSqlParser, type SqlParser } from '../../../database/sql-parser.ts'
import { loadSecuredTables, type SecuredTable } from '../../tables/table.ts'
import { prepareBound } from './bind-values.ts'
import { parsePlan } from './plan-nodes.ts'
import { markPolicies } from './policy-conditions.ts'
import { type PreparedScript, prepareExplain } from './prepare-script.ts'
import { failureOf } from './run-sql.ts'

export interface PlanOrder {
  readonly schemaName: SchemaName
  readonly sql: string
  /** Values of `$1`, `$2` …; `null` explains the statement for any values. */
  readonly parameters: readonly SqlParam[] | null
  readonly principal: Principal | 'owner'
  readonly analyze: boolean
  /** `readOnly` refuses a measured statement that writes. */
  readonly mode: TenantWork['mode']
  readonly timeoutMillis: number
  /** Aborting this signal cancels the statement. */
  readonly signal: AbortSignal
}

export interface PlanDeps {
  readonly engine: Engine
  readonly reader: RowReader
}

const PLAIN = 'explain (verbose, format json) '
const ANY_VALUES = 'explain (verbose, generic_plan, format json) '
const MEASURED = 'explain (verbose, analyze, format json) '
const CALLS = ['auth.uid()', 'auth.role()', 'auth.jwt()', 'auth.email()'] as const

/** Postgres's errors are part of the answer. */
export async function explainPlan(deps: PlanDeps, order: PlanOrder): Promise<PlanAnswer> {
  const parser = await loadSqlParser()
  const prepared = preparePlan(parser, order)
  if (prepared.kind === 'refused') return { ...EMPTY, error: prepared.failure }
  try {
    const json = jsonOf(await run(deps, order, order.principal, prepared.text))
    const { nodes, planningMillis, executionMillis } = parsePlan(json)
    const estimate = preparePlan(parser, { ...order, analyze: false })
    const found = await compared(deps, order, nodes, estimate)
    return {
      nodes: [...found.nodes],
      planning_ms: planningMillis,
      execution_ms: executionMillis,
      cost_without_policies: found.cost,
      json,
      error: null,
    }
  } catch (error) {
    if (error instanceof SqlError && !wasNotBegun(error))
      return { ...EMPTY, error: failureOf(error, prepared) }
    throw error
  }
}

/** Prepares the statement with its values and EXPLAIN before it. */
export function preparePlan(
  parser: SqlParser,
  { analyze, parameters, schemaName, sql }: PlanOrder,
): PreparedScript {
  const explain = parameters === null ? ANY_VALUES : analyze ? MEASURED : PLAIN
  return prepareBound(parser, withoutExplain(sql), parameters ?? [], (use, text) =>
    prepareExplain(use, text, schemaName, explain),
  )
}

const EMPTY: PlanAnswer = {
  nodes: [],
  planning_ms: null,
  execution_ms: null,
  cost_without_policies: null,
  json: '',
  error: null,
}

/** Replaces an EXPLAIN before the statement by spaces, so that positions of errors stay. */
function withoutExplain(sql: string): string {
  const head = /^\s*explain\b\s*(?:\((?:[^()]|\([^()]*\))*\)|(?:(?:analyze|verbose)\b\s*)*)/i.exec(
    sql,
  )?.[0]
  return head === undefined ? sql : ' '.repeat(head.length) + sql.slice(head.length)
}

interface Compared {
  readonly nodes: readonly PlanNode[]
  readonly cost: number | null
}

/** Compares the plan with the plan for a role that bypasses policies and has the same claims. */
async function compared(
  deps: PlanDeps,
  order: PlanOrder,
  nodes: readonly PlanNode[],
  estimate: PreparedScript,
): Promise<Compared> {
  const { principal } = order
  if (principal === 'owner' || principal.role === 'service_role' || estimate.kind === 'refused')
    return { nodes, cost: null }
  const [bypassing, inlined] = await Promise.all([
    tried(run(deps, order, { ...principal, role: 'service_role' }, estimate.text)),
    tried(run(deps, order, principal, `${PLAIN}select ${CALLS.join(', ')}`)),
  ])
  if (bypassing === undefined) return { nodes, cost: null }
  const other = parsePlan(jsonOf(bypassing)).nodes
  const tables = await loadSecuredTables(deps.reader, order.schemaName)
  const marked = markPolicies(nodes, other, policiesOf(tables, nodes, principal))
  return {
    nodes: inlined === undefined ? marked : marked.map(withCalls(inlined)),
    cost: other[0]?.total_cost ?? null,
  }
}

async function tried(
  running: Promise<readonly StatementResult[]>,
): Promise<readonly StatementResult[] | undefined> {
  try {
    return await running
  } catch (error) {
    if (error instanceof SqlError) return undefined
    throw error
  }
}

/** Returns the policies that apply to a relation: those of SELECT, and those of the command that changes its rows. */
function policiesOf(
  tables: readonly SecuredTable[],
  nodes: readonly PlanNode[],
  { role }: Principal,
): (relation: string) => readonly string[] {
  const changing = new Map(
    nodes.flatMap(({ relation, details }) =>
      relation === null || details['Operation'] === undefined
        ? []
        : [[relation, details['Operation'].toLowerCase()] as const],
    ),
  )
  return (relation) => {
    const commands = ['all', 'select', changing.get(relation)]
    return (tables.find(({ name }) => name === relation)?.policies ?? [])
      .filter(({ using, command }) => using !== null && commands.includes(command))
      .filter(({ appliesTo }) => appliesTo.some((each) => each === role))
      .map(({ name }) => name)
  }
}

// Replaces inlined function bodies by calls, because Postgres inlines the platform's functions into conditions.
function withCalls(inlined: readonly StatementResult[]): (node: PlanNode) => PlanNode {
  const [whole] = JSON.parse(jsonOf(inlined)) as readonly { Plan?: { Output?: string[] } }[]
  const outputs = whole?.Plan?.Output ?? []
  const readable = (text: string) =>
    CALLS.reduce((shown, call, index) => {
      const output = outputs[index]
      return output === undefined ? shown : shown.replaceAll(output, call)
    }, text)
  return (node) => ({
    ...node,
    conditions: node.conditions.map((each) => ({ ...each, text: readable(each.text) })),
  })
}

async function run(
  { engine }: PlanDeps,
  { mode, schemaName, timeoutMillis, signal }: PlanOrder,
  principal: PlanOrder['principal'],
  text: string,
): Promise<readonly StatementResult[]> {
  const work = {
    mode,
    statements: tenantScript(text),
    end: 'rollback',
    timeoutMillis,
    signal,
  } as const
  const acting =
    principal === 'owner'
      ? {
          actor: { schemaName, role: ownerRoleOf(schemaName) },
          settings: { search_path: searchPathOf(schemaName) },
        }
      : asPrincipal(principal, { method: 'GET', path: '/', headers: '{}' })
  const { results } = await engine.run({ ...work, ...acting })
  return results
}

function jsonOf(results: readonly StatementResult[]): string {
  return cellText(results[0]?.rows[0]?.[0]) ?? '[]'
}
