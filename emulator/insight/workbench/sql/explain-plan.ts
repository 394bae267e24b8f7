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
  wasNotBegun,
} from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { tenantScript } from '../../../database/sql.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { loadSecuredTables, type SecuredTable } from '../../tables/table.ts'
import { parsePlan } from './plan-nodes.ts'
import { markPolicies } from './policy-conditions.ts'
import { type PreparedScript, prepareExplain } from './prepare-script.ts'
import { failureOf } from './run-sql.ts'

export interface PlanOrder {
  readonly schemaName: SchemaName
  readonly sql: string
  readonly principal: Principal | 'owner'
  readonly analyze: boolean
  readonly timeoutMillis: number
  /** Aborting this signal cancels the statement. */
  readonly signal: AbortSignal
}

export interface PlanDeps {
  readonly engine: Engine
  readonly reader: RowReader
}

const PLAIN = 'explain (verbose, format json) '
const MEASURED = 'explain (verbose, analyze, format json) '
const CALLS = ['auth.uid()', 'auth.role()', 'auth.jwt()', 'auth.email()'] as const

/** Postgres's errors are part of the answer. */
export async function explainPlan(deps: PlanDeps, order: PlanOrder): Promise<PlanAnswer> {
  const { schemaName, analyze } = order
  const parser = await loadSqlParser()
  const sql = withoutExplain(order.sql)
  const prepared = prepareExplain(parser, sql, schemaName, analyze ? MEASURED : PLAIN)
  if (prepared.kind === 'refused') return { ...EMPTY, error: prepared.failure }
  try {
    const json = jsonOf(await run(deps, order, order.principal, prepared.text))
    const { nodes, planningMillis, executionMillis } = parsePlan(json)
    const estimate = prepareExplain(parser, sql, schemaName, PLAIN)
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

/** Compares with the plan of a role that bypasses policies and has the same claims. */
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

// Postgres inlines the bodies of the platform's functions into conditions.
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
  { schemaName, timeoutMillis, signal }: PlanOrder,
  principal: PlanOrder['principal'],
  text: string,
): Promise<readonly StatementResult[]> {
  const work = {
    mode: 'readWrite',
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
