// Divides the cost or the time of a statement among the nodes of its plan, so that the shares add up to the whole. Pure.

/** A node of EXPLAIN (FORMAT JSON), with the members that decide its share. */
export interface CostedNode {
  readonly parent: number | null
  readonly type: string
  readonly relation: string | null
  readonly subplan: string | null
  /** `Parent Relationship`, for example `Inner`. */
  readonly relationship: string | null
  /** Estimated cost of one execution. */
  readonly total_cost: number
  /** Estimated rows of one execution. */
  readonly rows: number
  /** Whether the parent keeps the rows of this subplan in a hash table, so that it runs once. */
  readonly isHashed: boolean
  /** Time of all executions in ms; `null` when nothing was measured. */
  readonly total_ms: number | null
}

export interface Shares {
  /** Estimated cost of all executions, with the nodes below. */
  readonly whole: readonly number[]
  /** Estimated cost of all executions, without the nodes below. */
  readonly costs: readonly number[]
  /** Measured time of all executions in ms, without the nodes below. */
  readonly millis: readonly number[]
}

/** @param nodes each node after its parent */
export function sharesOf(nodes: readonly CostedNode[]): Shares {
  const below = new Map<number | null, number[]>()
  for (const [index, { parent }] of nodes.entries())
    below.set(parent, [...(below.get(parent) ?? []), index])
  const childrenOf = (index: number): readonly number[] => below.get(index) ?? []
  const estimates = estimatesOf(nodes, childrenOf)
  const costs = divide(nodes.length, {
    fullOf: (index) => estimates[index]?.cost ?? 0,
    partsOf: (index) => {
      const isRepeated = (child: number): boolean => estimates[child]?.isRepeated === true
      const children = childrenOf(index)
      return [children.filter((child) => !isRepeated(child)), children.filter(isRepeated)]
    },
  })
  const times = divide(nodes.length, {
    fullOf: (index) => nodes[index]?.total_ms ?? 0,
    partsOf: (index) => [timedParts(nodes, index, childrenOf)],
  })
  return { whole: costs.whole, costs: costs.own, millis: times.own }
}

// Postgres adds the time of a CTE to the nodes that read the CTE, although the CTE is the child of another node. It adds the
// estimated cost of a CTE to the parent.
function timedParts(
  nodes: readonly CostedNode[],
  index: number,
  childrenOf: (index: number) => readonly number[],
): readonly number[] {
  const isCte = (child: number): boolean => nodes[child]?.subplan?.startsWith('CTE ') === true
  const node = nodes[index]
  const read =
    node?.type === 'CTE Scan'
      ? [...nodes.keys()].filter((other) => nodes[other]?.subplan === `CTE ${node.relation}`)
      : []
  return [...childrenOf(index).filter((child) => !isCte(child)), ...read]
}

interface Estimate {
  /** Cost of all executions. */
  readonly cost: number
  readonly loops: number
  /** Whether the parent executes the node more often than once per execution of its own. */
  readonly isRepeated: boolean
}

/** Default of `cpu_operator_cost`, which Postgres charges for each row of a repeated Materialize. */
const OPERATOR_COST = 0.0025
/** Postgres expects ten iterations of a recursive query. */
const ITERATIONS = 10
/** Postgres expects that a subplan in a filter keeps half of the rows. */
const KEPT_BY_SUBPLAN = 0.5

function estimatesOf(
  nodes: readonly CostedNode[],
  childrenOf: (index: number) => readonly number[],
): readonly Estimate[] {
  const estimates: Estimate[] = []
  for (const node of nodes) {
    const parent = node.parent === null ? undefined : nodes[node.parent]
    const above = node.parent === null ? undefined : estimates[node.parent]
    const siblings = node.parent === null ? [] : childrenOf(node.parent)
    const outer = siblings
      .map((index) => nodes[index])
      .find((sibling) => sibling?.relationship === 'Outer')
    const times = parent === undefined ? 1 : repetitions(node, parent, outer)
    // A Materialize runs the node below it once, and keeps the rows.
    const isKept = parent?.type === 'Materialize' || node.relationship === 'InitPlan'
    const loops = isKept ? 1 : (above?.loops ?? 1) * times
    const cost =
      node.type === 'Materialize'
        ? node.total_cost + (loops - 1) * OPERATOR_COST * node.rows
        : node.total_cost * loops
    estimates.push({ cost, loops, isRepeated: times > 1 })
  }
  return estimates
}

/** Returns how often the parent executes a node, in one execution of its own. */
function repetitions(node: CostedNode, parent: CostedNode, outer: CostedNode | undefined): number {
  if (node.relationship === 'SubPlan' && !node.isHashed)
    return Math.max(1, parent.rows / KEPT_BY_SUBPLAN)
  if (node.relationship !== 'Inner') return 1
  if (parent.type === 'Recursive Union') return ITERATIONS
  return parent.type === 'Nested Loop' ? Math.max(1, outer?.rows ?? 1) : 1
}

interface Division {
  /** What the node needs with the nodes below, when nothing above it stops early. */
  readonly fullOf: (index: number) => number
  /** Nodes below in groups. The first group gets its part first, and the next group shares what is left. */
  readonly partsOf: (index: number) => readonly (readonly number[])[]
}

/**
 * Divides the whole from the root down. The nodes below get at most what their parent has: a Limit stops early, and a Memoize
 * avoids executions that the estimate counts.
 */
function divide(
  length: number,
  { fullOf, partsOf }: Division,
): { readonly own: readonly number[]; readonly whole: readonly number[] } {
  const own = Array.from({ length }, () => 0)
  const whole = Array.from({ length }, () => 0)
  // CTEs of the same name can look as if they read each other.
  const open = new Set<number>()
  const share = (index: number, given: number): void => {
    open.add(index)
    const full = fullOf(index)
    const factor = full === 0 ? 0 : given / full
    let left = full
    for (const part of partsOf(index)) {
      const group = part.filter((child) => !open.has(child))
      const needed = group.reduce((sum, child) => sum + fullOf(child), 0)
      const scale = needed > left ? left / needed : 1
      for (const child of group) share(child, fullOf(child) * scale * factor)
      left -= needed * scale
    }
    own[index] = (own[index] ?? 0) + Math.max(0, left) * factor
    whole[index] = (whole[index] ?? 0) + given
    open.delete(index)
  }
  if (length > 0) share(0, fullOf(0))
  return { own, whole }
}
