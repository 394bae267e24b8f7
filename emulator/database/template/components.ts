// Finds the circles of a directed graph: its strongly connected components (Tarjan, "Depth-first search and linear graph
// algorithms", 1972). Pure.

/** Returns a look-up of a node's component. Two nodes have the same component when each leads to the other. */
export function componentsOf(
  edges: readonly (readonly [from: string, to: string])[],
): (node: string) => number | undefined {
  const targets = Map.groupBy(edges, ([from]) => from)
  const order = new Map<string, number>()
  const component = new Map<string, number>()
  const open: string[] = []
  /** Returns the lowest order of the open nodes that the node leads to. */
  const visit = (node: string): number => {
    const own = order.size
    order.set(node, own)
    open.push(node)
    let lowest = own
    for (const [, target] of targets.get(node) ?? []) {
      const known = order.get(target)
      if (known === undefined) lowest = Math.min(lowest, visit(target))
      else if (!component.has(target)) lowest = Math.min(lowest, known)
    }
    if (lowest === own)
      for (const member of open.splice(open.lastIndexOf(node))) component.set(member, own)
    return lowest
  }
  for (const node of targets.keys()) if (!order.has(node)) visit(node)
  return (node) => component.get(node)
}
