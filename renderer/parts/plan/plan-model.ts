// The marks of a query plan: slow nodes, wrong estimates and the conditions of policies. Pure.
import type { PlanAnswer, PlanNode } from '../../../emulator/contract/query-plans.ts'

export interface PlanLine {
  readonly index: number
  readonly node: PlanNode
  /** The node's own share of the statement's time, without its children. A share of the cost when nothing was measured. */
  readonly share: number
  readonly isSlow: boolean
  /** The factor between estimated and actual rows, when the factor is large. */
  readonly misjudged: number | undefined
  readonly hasChildren: boolean
}

/** A node is slow when it needs this share of the statement, and at least this many milliseconds. */
const SLOW = { share: 0.3, millis: 0.5 }
/** An estimate is wrong by at least this factor, and by at least this many rows. */
const WRONG = { factor: 10, rows: 100 }

export function planLines({ nodes }: Pick<PlanAnswer, 'nodes'>): readonly PlanLine[] {
  const [root] = nodes
  const isMeasured = root?.measured != null
  const whole = isMeasured ? (root.measured?.total_ms ?? 0) : (root?.total_cost ?? 0)
  const parents = new Set(nodes.map(({ parent }) => parent))
  return nodes.map((node, index) => {
    const own = isMeasured ? (node.measured?.self_ms ?? 0) : node.self_cost
    const share = whole === 0 ? 0 : Math.min(1, own / whole)
    return {
      index,
      node,
      share,
      isSlow: isMeasured && share >= SLOW.share && own >= SLOW.millis,
      misjudged: misjudgedBy(node),
      hasChildren: parents.has(index),
    }
  })
}

function misjudgedBy({ rows, measured }: PlanNode): number | undefined {
  if (measured === null || measured.loops === 0) return undefined
  const [less, more] = [rows, measured.rows].toSorted((one, other) => one - other)
  const factor = (more ?? 0) / Math.max(1, less ?? 0)
  return factor >= WRONG.factor && (more ?? 0) - (less ?? 0) >= WRONG.rows ? factor : undefined
}

/** Returns the visible lines. The nodes in `closed` hide the lines below them. */
export function openLines(
  lines: readonly PlanLine[],
  closed: ReadonlySet<number>,
): readonly PlanLine[] {
  const hidden = new Set<number>()
  return lines.filter(({ index, node: { parent } }) => {
    const isHidden = parent !== null && (closed.has(parent) || hidden.has(parent))
    if (isHidden) hidden.add(index)
    return !isHidden
  })
}

export interface PolicyCost {
  readonly policies: readonly string[]
  readonly relations: readonly string[]
  /** Number of rows that were removed by nodes with conditions of policies. */
  readonly removed: number | null
  /** Share of the statement that these nodes and the subqueries of policies need. */
  readonly share: number
}

/** Adds up what policies cost. Returns `undefined` when no policy added a condition. */
export function policyCost(lines: readonly PlanLine[]): PolicyCost | undefined {
  const marked = lines.filter(({ node }) => node.conditions.some(({ is_policy }) => is_policy))
  if (marked.length === 0) return undefined
  const touched = lines.filter(
    ({ node }) => node.is_policy || marked.some((line) => line.node === node),
  )
  const removed = marked.flatMap(({ node }) => node.rows_removed ?? [])
  return {
    policies: [...new Set(marked.flatMap(({ node }) => node.policies))],
    relations: [...new Set(marked.flatMap(({ node }) => node.relation ?? []))],
    removed: removed.length === 0 ? null : removed.reduce((sum, count) => sum + count, 0),
    share: Math.min(
      1,
      touched.reduce((sum, { share }) => sum + share, 0),
    ),
  }
}
