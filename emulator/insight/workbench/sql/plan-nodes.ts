// Turns the output of EXPLAIN (FORMAT JSON, VERBOSE) into a list of nodes (contract/query-plans.ts). Pure.
import type { PlanNode } from '../../../contract/query-plans.ts'
import { sharesOf } from './plan-shares.ts'

type Fields = Readonly<Record<string, unknown>>

export interface ParsedPlan {
  readonly nodes: readonly PlanNode[]
  readonly planningMillis: number | null
  readonly executionMillis: number | null
}

export const CONDITIONS = [
  'One-Time Filter',
  'Index Cond',
  'Recheck Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'TID Cond',
  'Filter',
] as const

const DETAILS = [
  'Operation',
  'Join Type',
  'Strategy',
  'Sort Key',
  'Sort Method',
  'Sort Space Used',
  'Group Key',
  'Function Name',
  'CTE Name',
  'Hash Batches',
  'Peak Memory Usage',
  'Heap Fetches',
  'Conflict Resolution',
] as const

const REMOVED = [
  'Rows Removed by Filter',
  'Rows Removed by Join Filter',
  'Rows Removed by Index Recheck',
] as const

/** @param json the text that Postgres returns */
export function parsePlan(json: string): ParsedPlan {
  const [whole] = JSON.parse(json) as readonly Fields[]
  const nodes: PlanNode[] = []
  const places: Place[] = []
  const plan = whole?.['Plan']
  if (isFields(plan)) addNode({ nodes, places }, plan, null)
  return {
    nodes: withShares(nodes, places),
    planningMillis: numberOf(whole?.['Planning Time']),
    executionMillis: numberOf(whole?.['Execution Time']),
  }
}

interface Read {
  readonly nodes: PlanNode[]
  readonly places: Place[]
}

function addNode(
  read: Read,
  fields: Fields,
  above: { readonly index: number; readonly fields: Fields } | null,
): void {
  const { nodes, places } = read
  const parent = above?.index ?? null
  places.push(placeOf(fields, above?.fields ?? null))
  const loops = numberOf(fields['Actual Loops'])
  const total = (numberOf(fields['Actual Total Time']) ?? 0) * (loops ?? 0)
  const index = nodes.length
  nodes.push({
    parent,
    depth: parent === null ? 0 : (nodes[parent]?.depth ?? 0) + 1,
    type: textOf(fields['Node Type']) ?? 'Plan',
    relation: textOf(fields['Relation Name']) ?? textOf(fields['CTE Name']),
    alias: textOf(fields['Alias']),
    index: textOf(fields['Index Name']),
    subplan: textOf(fields['Subplan Name']),
    startup_cost: numberOf(fields['Startup Cost']) ?? 0,
    total_cost: numberOf(fields['Total Cost']) ?? 0,
    whole_cost: 0,
    self_cost: 0,
    rows: numberOf(fields['Plan Rows']) ?? 0,
    measured:
      loops === null
        ? null
        : { rows: numberOf(fields['Actual Rows']) ?? 0, loops, total_ms: total, self_ms: total },
    rows_removed: removedRows(fields, loops),
    conditions: CONDITIONS.flatMap((kind) => {
      const text = textOf(fields[kind])
      return text === null ? [] : { kind, text, is_policy: false }
    }),
    is_policy: false,
    policies: [],
    details: Object.fromEntries(
      DETAILS.flatMap((name) => (fields[name] === undefined ? [] : [[name, detail(fields[name])]])),
    ),
  })
  const children = fields['Plans']
  for (const child of Array.isArray(children) ? children : [])
    if (isFields(child)) addNode(read, child, { index, fields })
}

/** Members that decide shares only. */
interface Place {
  readonly relationship: string | null
  readonly isHashed: boolean
}

function placeOf(fields: Fields, parent: Fields | null): Place {
  const number = /^SubPlan (\d+)/.exec(textOf(fields['Subplan Name']) ?? '')?.[1]
  const hashed = new RegExp(`hashed SubPlan ${number}\\b`)
  return {
    relationship: textOf(fields['Parent Relationship']),
    isHashed:
      number !== undefined &&
      Object.values(parent ?? {})
        .flat()
        .some((text) => typeof text === 'string' && hashed.test(text)),
  }
}

function withShares(nodes: readonly PlanNode[], places: readonly Place[]): readonly PlanNode[] {
  const { costs, millis, whole } = sharesOf(
    nodes.map((node, index) => ({
      ...node,
      relationship: places[index]?.relationship ?? null,
      isHashed: places[index]?.isHashed ?? false,
      total_ms: node.measured?.total_ms ?? null,
    })),
  )
  return nodes.map((node, index) => ({
    ...node,
    whole_cost: whole[index] ?? 0,
    self_cost: costs[index] ?? 0,
    measured: node.measured && { ...node.measured, self_ms: millis[index] ?? 0 },
  }))
}

// Postgres returns the number of removed rows for one loop.
function removedRows(fields: Fields, loops: number | null): number | null {
  if (loops === null) return null
  const counts = REMOVED.flatMap((name) => numberOf(fields[name]) ?? [])
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0) * loops
}

function detail(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
